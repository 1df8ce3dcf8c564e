package evidence_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
)

func groupPage(list string, items []string, rest string) string {
	return fmt.Sprintf(`{%q:[%s],%s}`, list, strings.Join(items, ","), rest)
}

// Fault F9.
func TestGroups(t *testing.T) {
	t.Parallel()
	const (
		one = `{"group_id":"g1","character_id":"c","title":"T","created_at":"2030-01-02T03:04:05Z",` +
			`"generation_count":2}`
		two  = `{"group_id":"g2"}`
		ends = `"pagination":{"has_more":false}`
	)
	for name, test := range map[string]struct {
		pages []string
		want  string
		whole bool
	}{
		"one page": {[]string{groupPage("groups", []string{one, two}, ends)}, "g1 g2", true},
		"empty error": {
			[]string{groupPage("groups", []string{one}, ends+`,"error":{"error":"","message":"","group_id":null}`)},
			"g1",
			true,
		},
		"an error beside": {
			[]string{groupPage("groups", []string{one}, ends+`,"error":{"error":"partial"}`)},
			"g1",
			false,
		},
		"two pages": {
			[]string{
				groupPage("groups", []string{one}, `"pagination":{"has_more":true}`),
				groupPage("groups", []string{two}, ends),
			},
			"g1 g2",
			true,
		},
		"no end is said": {[]string{groupPage("groups", []string{one}, `"pagination":{"limit":100}`)}, "g1", true},
		"endless": {
			[]string{
				groupPage("groups", []string{one}, `"pagination":{"has_more":true}`),
				groupPage("groups", []string{one}, `"pagination":{"has_more":true}`),
			},
			"g1",
			false,
		},
		"repeated": {[]string{groupPage("groups", []string{one, one}, ends)}, "g1", true},
		"too few": {
			[]string{groupPage("groups", []string{one}, `"pagination":{"has_more":false,"returned":2}`)},
			"g1",
			false,
		},
		"no object": {[]string{groupPage("groups", []string{one, `"g3"`}, ends)}, "g1", false},
		"no id":     {[]string{groupPage("groups", []string{one, `{"title":"T"}`}, ends)}, "g1", false},
		"another's": {
			[]string{groupPage("groups", []string{one, `{"group_id":"g3","character_id":"d"}`}, ends)},
			"g1",
			true,
		},
		"none":    {[]string{groupPage("groups", nil, ends)}, "", true},
		"no list": {[]string{`{"pagination":{"has_more":false}}`}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stub.NewService(t, func(w http.ResponseWriter, _ *http.Request, n int) {
				stub.Respond(w, 200, test.pages[n-1])
			})
			var ids []string
			var list []api.Group
			var failure error
			for group, err := range s.Client(t).Groups.Each(t.Context(), "c") {
				failure = err
				if err == nil {
					ids = append(ids, group.ID)
					list = append(list, group)
				}
			}
			got := strings.Join(ids, " ")
			check.True(
				t,
				"the groups",
				got == test.want && errors.Is(failure, evidence.ErrIncompleteList) != test.whole,
				got,
				failure,
			)
			sent := s.Requests()
			check.True(
				t,
				"the requests",
				len(sent) == len(test.pages) && sent[0].Path == "/generation/groups" &&
					sent[0].Query.Encode() == "character_id=c&limit=100&offset=0",
				sent,
			)
			check.True(
				t,
				"the fields",
				test.want != "g1 g2" ||
					(stub.Deref(list[0].Title) == "T" && stub.Deref(list[0].GenerationCount) == int64(2) &&
						list[1].CreatedAt == nil),
				list,
			)
		})
	}
}

// A group's list is whole only if it shows as many generations as it counts.
func TestGroupIsWhole(t *testing.T) {
	t.Parallel()
	const one, two = `{"generation_id":"n1","prompt":"A"}`, `{"generation_id":"n2"}`
	for rest, whole := range map[string]bool{
		`"generation_count":2,"pagination":{"has_more":false}`:   true,
		`"generation_count":"2","pagination":{"has_more":false}`: true,
		`"generation_count":3,"pagination":{"has_more":false}`:   false,
		`"pagination":{"has_more":false}`:                        false,
		`"generation_count":2`:                                   false,
	} {
		s := stub.NewService(t, stub.Always(200, groupPage("generations", []string{one, two}, rest)))
		group, err := s.Client(t).Groups.Get(t.Context(), "g/1")
		check.True(
			t,
			rest,
			err == nil && group.AllListed == whole && group.ID == "g/1" && len(group.ByID()) == 2 &&
				stub.Deref(group.ByID()["n1"].Prompt) == "A",
			group,
			err,
		)
		sent := s.Requests()[0]
		check.True(t, "the request", sent.Path == "/generation/groups/g%2F1" && sent.Query.Get("limit") == "200", sent)
	}
}

// What is listed with an id that no request could name is left out, and the list
// not whole.
func TestGroupWithAnOddID(t *testing.T) {
	t.Parallel()
	rest := `"generation_count":2,"pagination":{"has_more":false}`
	for _, id := range []string{`a\nb`, `a\u202eb`, stub.APIKey, "x-" + stub.APIKey, ""} {
		items := []string{`{"generation_id":"n1"}`, `{"generation_id":"` + id + `"}`}
		s := stub.NewService(t, stub.Always(200, groupPage("generations", items, rest)))
		group, err := s.Client(t).Groups.Get(t.Context(), "g1")
		check.Must(t, err)
		check.True(t, id, !group.AllListed && len(group.ByID()) == 1 && group.ByID()["n1"] != nil, group)
	}
}

// Without extended_reads no list is asked for; with it, that there is none is
// no error.
func TestOfferedReadsOfGroups(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(404, "not here"))
	for _, change := range [][]func(*stub.Config){nil, {extended}} {
		client := s.Client(t, change...)
		for _, id := range []string{"a", "b", "c"} {
			list, err := client.Groups.Some(t.Context(), id)
			group, groupErr := client.Groups.GetOptional(t.Context(), id)
			check.True(
				t,
				"what is not offered",
				list == nil && group == nil && err == nil && groupErr == nil,
				list,
				group,
				err,
				groupErr,
			)
		}
		told := client.FailedRead()
		again := client.FailedRead()
		asked := len(s.Requests())
		check.True(
			t,
			"the requests, and what is told",
			asked == 4*len(change) && again == nil && (told != nil) == (len(change) > 0),
			asked,
			told,
			again,
		)
	}
}

// One page is read.
func TestSomeGroups(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.Always(
			200,
			`{"groups":[{"group_id":"g1","character_id":"c"},{"group_id":"g2","character_id":"d"},{"title":"T"},`+
				`{"group_id":"g3"}],"pagination":{"has_more":true}}`,
		),
	)
	client := s.Client(t, extended)
	list, err := client.Groups.Some(t.Context(), "c")
	check.True(
		t,
		"those of the character",
		err == nil && len(list) == 2 && list[0].ID == "g1" && list[1].ID == "g3",
		list,
		err,
	)
	sent := s.Requests()
	check.True(t, "the request", len(sent) == 1 && sent[0].Query.Encode() == "character_id=c&limit=100", sent)
}
