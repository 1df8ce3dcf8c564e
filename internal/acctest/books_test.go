//go:build unix

package acctest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// What is left is told by the order of the lines: a deleted group's id may be
// given again.
func TestGuide_booksFollowDeletions(t *testing.T) {
	t.Parallel()
	const (
		bought  = `{"request":"r1","type":"batch","outcome":"answered","group_id":"grp","certain":true,"generations":{"a":"g1","b":"g2"}}`
		again   = `{"request":"r2","type":"batch","outcome":"answered","group_id":"grp","certain":true,"generations":{"a":"g3"}}`
		sending = `{"request":"r3","type":"delete_group","outcome":"sending","group_id":"grp"}`
		deleted = `{"request":"r3","type":"delete_group","outcome":"answered","group_id":"grp"}`
		partly  = `{"request":"r3","type":"delete_group","outcome":"answered","group_id":"grp","left":["g2"]}`
		refused = `{"request":"r3","type":"delete_group","outcome":"refused","status":403,"group_id":"grp"}`
	)
	for name, test := range map[string]struct {
		lines []string
		want  []string // import_id, superseded and deleting of each group
	}{
		"deleted":             {[]string{bought, sending, deleted}, nil},
		"cut off":             {[]string{bought, sending}, []string{`null [] ["g1","g2"]`}},
		"cut off in the line": {[]string{bought, sending, deleted[:20]}, []string{`null [] ["g1","g2"]`}},
		"refused":             {[]string{bought, sending, refused}, []string{`{"a":"g1","b":"g2"} [] []`}},
		"in part":             {[]string{bought, sending, partly}, []string{`{"b":"g2"} [] []`}},
		"superseded":          {[]string{bought, again}, []string{`{"a":"g3","b":"g2"} ["g1"] []`}},
		"reused":              {[]string{bought, sending, deleted, again}, []string{`{"a":"g3"} [] []`}},
		"of another":          {[]string{bought, strings.ReplaceAll(sending, `"grp"`, `"other"`)}, []string{`{"a":"g1","b":"g2"} [] []`}},
	} {
		file := filepath.Join(t.TempDir(), purchaseLog)
		check.Must(t, os.WriteFile(file, []byte(strings.Join(test.lines, "\n")), 0o600))
		var got []string
		for _, group := range jq(t, `[`+guided(t)[0]+`][] | "\(.import_id) \(.superseded) \(.deleting)"`, file) {
			got = append(got, group.(string))
		}
		check.Equal(t, name+": the groups of the log", got, test.want)
	}
}
