//go:build unix

package acctest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// What is left is told by the order of the lines: a deleted group's id may be
// given again.
func TestGuide_booksFollowDeletions(t *testing.T) {
	t.Parallel()
	const (
		bought = `{"request":"r1","type":"batch","outcome":"answered","group_id":"grp","certain":true,` +
			`"generations":{"a":"g1","b":"g2"}}`
		again = `{"request":"r2","type":"batch","outcome":"answered","group_id":"grp","certain":true,` +
			`"generations":{"a":"g3"}}`
		sending = `{"request":"r3","type":"delete_group","outcome":"sending","group_id":"grp"}`
		deleted = `{"request":"r3","type":"delete_group","outcome":"answered","group_id":"grp"}`
		partly  = `{"request":"r3","type":"delete_group","outcome":"answered","group_id":"grp","left":["g2"]}`
		refused = `{"request":"r3","type":"delete_group","outcome":"refused","status":403,"group_id":"grp"}`
		begun   = `{"request":"r4","type":"batch","outcome":"sending","group_id":"grp","prompts":{"c":"s"}}`
		cutOff  = `{"request":"r4","type":"batch","outcome":"unknown","group_id":"of nobody","generations":{"c":"g4"}}`
		learned = `{"request":"r4","type":"batch","outcome":"stored","generations":{"c":"g4"}}`
		stored  = `{"request":"r1","type":"batch","outcome":"stored"}`
		gone    = `{"request":"r1","type":"batch","outcome":"gone"}`
		goneOne = `{"request":"r1","type":"batch","outcome":"gone","keys":["b"]}`
		wanted  = `{"type":"plan","outcome":"wanted","of":{"r1":null}}`
	)
	for name, test := range map[string]struct {
		lines []string
		want  []string // import_id, superseded and deleting of each group
	}{
		"stored and wanted":    {[]string{bought, stored, wanted}, []string{`{"a":"g1","b":"g2"} [] []`}},
		"gone":                 {[]string{bought, stored, gone}, nil},
		"gone in part":         {[]string{bought, goneOne}, []string{`{"a":"g1"} [] []`}},
		"gone, and again":      {[]string{bought, gone, again}, []string{`{"a":"g3"} [] []`}},
		"cut off in a reply":   {[]string{bought, begun, cutOff}, []string{`{"a":"g1","b":"g2","c":"g4"} [] []`}},
		"learned from a state": {[]string{bought, begun, learned}, []string{`{"a":"g1","b":"g2","c":"g4"} [] []`}},
		"deleted":              {[]string{bought, sending, deleted}, nil},
		"cut off":              {[]string{bought, sending}, []string{`null [] ["g1","g2"]`}},
		"cut off in the line":  {[]string{bought, sending, deleted[:20]}, []string{`null [] ["g1","g2"]`}},
		"refused":              {[]string{bought, sending, refused}, []string{`{"a":"g1","b":"g2"} [] []`}},
		"in part":              {[]string{bought, sending, partly}, []string{`{"b":"g2"} [] []`}},
		"superseded":           {[]string{bought, again}, []string{`{"a":"g3","b":"g2"} ["g1"] []`}},
		"reused":               {[]string{bought, sending, deleted, again}, []string{`{"a":"g3"} [] []`}},
		"of another": {
			[]string{bought, strings.ReplaceAll(sending, `"grp"`, `"other"`)},
			[]string{`{"a":"g1","b":"g2"} [] []`},
		},
	} {
		file := filepath.Join(t.TempDir(), purchaseLog)
		check.Must(t, os.WriteFile(file, []byte(strings.Join(test.lines, "\n")), 0o600))
		var got []string
		for _, group := range jq(t, `[`+guided(t)+`][] | "\(.import_id) \(.superseded) \(.deleting)"`, file) {
			got = append(got, group.(string))
		}
		check.Equal(t, name+": the groups of the log", got, test.want)
	}
}

// What is open lives, and no state is known to have it: the guide leaves its list
// to the data source.
func TestGuide_booksListWhatIsOpen(t *testing.T) {
	t.Parallel()
	const (
		by      = `"version":2,"by":{"run":"x"},`
		sending = `{"time":"t","request":"r1","type":"batch","outcome":"sending",` + by + `"prompts":{"a":"s","b":"s"}}`
		bought  = `{"request":"r1","type":"batch","outcome":"answered","group_id":"grp","generations":{"a":"g1",` +
			`"b":"g2"}}`
		partly  = `{"request":"r1","type":"batch","outcome":"answered","generations":{"a":"g1"},"rejected":["b"]}`
		train   = `{"request":"r2","type":"training","outcome":"sending",` + by + `"character_id":"ada","inputs":"s"}`
		trained = `{"request":"r2","type":"training","outcome":"answered","character_id":"ada","job_id":"j"}`
	)
	about := func(rest string) string { return `{"request":"r1","type":"batch",` + rest + `}` }
	other := func(rest string) string { return `{"request":"r9",` + rest + `}` }
	w := acctest.NewForSubjects(t).Scenario(t)
	// The entries of this build name the object that buys.
	named := strings.NewReplacer(`"by":`, `"object":"o","by":`)
	for name, test := range map[string]struct {
		lines []string
		open  int
	}{
		"sending":        {[]string{sending}, 1},
		"answered":       {[]string{sending, bought}, 1},
		"wanted":         {[]string{sending, bought, `{"type":"plan","outcome":"wanted","of":{"r1":null}}`}, 1},
		"returned":       {[]string{sending, bought, `{"type":"apply","outcome":"returned","of":{"r1":null}}`}, 1},
		"unknown":        {[]string{sending, about(`"outcome":"unknown"`)}, 1},
		"refused":        {[]string{sending, about(`"outcome":"refused"`)}, 0},
		"unsent":         {[]string{sending, about(`"outcome":"unsent"`)}, 0},
		"stored":         {[]string{sending, bought, about(`"outcome":"stored"`)}, 0},
		"stored in part": {[]string{sending, bought, about(`"outcome":"stored","keys":["a"]`)}, 1},
		"stored bit by bit": {
			[]string{
				sending,
				bought,
				about(`"outcome":"stored","keys":["a"]`),
				about(`"outcome":"stored","keys":["b"]`),
			},
			0,
		},
		"stored and rejected": {[]string{sending, partly, about(`"outcome":"stored","keys":["a"]`)}, 0},
		"gone":                {[]string{sending, bought, about(`"outcome":"gone"`)}, 0},
		"gone in part":        {[]string{sending, bought, about(`"outcome":"gone","keys":["b"]`)}, 1},
		"kept":                {[]string{sending, bought, about(`"outcome":"kept"`)}, 0},
		"left by a state":     {[]string{sending, bought, `{"type":"keep","outcome":"kept","left":["g1","g2"]}`}, 0},
		"one deleted": {
			[]string{sending, bought, other(`"type":"delete_generation","outcome":"answered","generation_id":"g1"`)},
			1,
		},
		"deleted": {
			[]string{sending, bought, other(`"type":"delete_group","outcome":"answered","group_id":"grp"`)},
			0,
		},
		"one left": {
			[]string{sending, bought, other(`"type":"delete_group","outcome":"gone","group_id":"grp","left":["g2"]`)},
			1,
		},
		"not deleted": {
			[]string{sending, bought, other(`"type":"delete_group","outcome":"refused","group_id":"grp"`)},
			1,
		},
		"of another": {
			[]string{sending, bought, other(`"type":"delete_group","outcome":"answered","group_id":"others"`)},
			1,
		},
		"two": {[]string{sending, train, bought, trained}, 2},
		"canceled": {
			[]string{
				train,
				trained,
				other(`"type":"cancel_training","outcome":"answered","character_id":"ada","job_id":"j"`),
			},
			0,
		},
		"another canceled": {
			[]string{
				train,
				trained,
				other(`"type":"cancel_training","outcome":"answered","character_id":"bob","job_id":"j"`),
			},
			1,
		},
		"torn": {[]string{sending, bought[:30]}, 1},
	} {
		file := filepath.Join(t.TempDir(), purchaseLog)
		check.Must(t, os.WriteFile(file, []byte(named.Replace(strings.Join(test.lines, "\n"))), 0o600))
		listed, said := w.DataSource("mediagen_purchases", core.Object{"path": file, "open_only": true})
		check.Equal(t, name+": errors", len(said.Errors()), 0)
		check.Equal(t, name+": what the provider lists", len(listed["purchases"].([]any)), test.open)
	}
}

// No policy of the guide lets anybody delete, and Amazon's and Google's let nobody
// overwrite.
func TestGuide_booksRights(t *testing.T) {
	t.Parallel()
	for _, policy := range append(blocksOf(t, "books#rights", "json"), blocksOf(t, "books#rights", "yaml")...) {
		check.True(t, "no right to delete", !strings.Contains(strings.ToLower(policy), "delete"), policy)
	}
	c := newCloud(t)
	const object = "studio-mediagen/production/999999999999.jsonl"
	for header, isAllowed := range map[string]bool{"*": true, "": false} {
		r := httptest.NewRequest(http.MethodPut, "/"+object, http.NoBody)
		r.Header.Set("Authorization", "Credential=mediagen-log/")
		if header != "" {
			r.Header.Set("If-None-Match", header)
		}
		check.Equal(t, "the condition "+header, c.allows(r, object, "s3:PutObject"), isAllowed)
		r.Header.Set("Authorization", "Credential=mediagen-log-reader/")
		check.Equal(t, "to add, for who reads", c.allows(r, object, "s3:PutObject"), false)
	}
}
