package evidence_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
)

const ends = `"generation_count":1,"pagination":{"has_more":false}`

const noSuchPath = `{"error":"not_found","message":"no such endpoint"}`

// groupService serves the lists of some groups, and a list of groups that names
// some, or a status if that is no list.
func groupService(has, named string, status int) stub.Answer {
	return func(w http.ResponseWriter, r *http.Request, _ int) {
		id, isOne := strings.CutPrefix(r.URL.Path, "/base/v2/generation/groups/")
		switch {
		case isOne && strings.Contains(has, id):
			stub.Respond(w, 200, groupPage("generations", []string{`{"generation_id":"n"}`}, ends))
		case isOne:
			stub.Respond(w, 404, noSuchPath)
		case status != 200:
			stub.Respond(w, status, noSuchPath)
		default:
			var items []string
			for id := range strings.FieldsSeq(named) {
				items = append(items, fmt.Sprintf(`{"group_id":%q}`, id))
			}
			stub.Respond(w, 200, groupPage("groups", items, `"pagination":{"has_more":false}`))
		}
	}
}

// The service's own 404 to the list of a group whose generations are there means
// that the endpoint is missing, once a second answer says the same. That is told
// once, and nothing is asked for any more. One list that the run has read says
// that the endpoint is there.
// Fault F30.
func TestMissingListOfGroups(t *testing.T) {
	t.Parallel()
	all := []string{"g1", "g2", "g3", "g4"}
	for name, test := range map[string]struct {
		has, named string
		status     int // of the list of groups
		without    bool
		requests   string // lists, and requests for the list of groups
		told       bool
	}{
		"no endpoint of groups":   {status: 404, requests: "1 1", told: true},
		"another group":           {named: "g1 g9", status: 200, requests: "2 1", told: true},
		"the same again":          {named: "g1", status: 200, requests: "2 1", told: true},
		"no group is named":       {status: 200, requests: "2 1", told: true},
		"unreadable":              {status: 403, requests: "2 1", told: true},
		"down":                    {status: 503, requests: "2 1", told: true},
		"another is read":         {has: "g9", named: "g1 g9", status: 200, requests: "5 1"},
		"one was read before":     {has: "g1", named: "g9", status: 200, requests: "4 0"},
		"one is read between":     {has: "g2", status: 200, requests: "4 1"},
		"their groups have gone":  {named: "g9", status: 200, without: true, requests: "4 0"},
		"gone, and no endpoint":   {status: 404, without: true, requests: "4 0"},
		"gone, but another there": {has: "g3", status: 404, without: true, requests: "4 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stub.NewService(t, groupService(test.has, test.named, test.status))
			client := s.Client(t, extended)
			var told []error
			for _, id := range all {
				group, err := client.Groups.GetOptional(t.Context(), id)
				check.True(t, id, err == nil && (group != nil) == strings.Contains(test.has, id), group, err)
				for range 2 { // the second time says nothing new
					if !test.without {
						client.Groups.NoteGenerations(t.Context(), id)
					}
				}
				if failure := client.FailedRead(); failure != nil {
					told = append(told, failure)
				}
			}
			lists := 0
			groups := 0
			for _, request := range s.Requests() {
				if request.Path == "/generation/groups" {
					groups++
				} else {
					lists++
				}
			}
			check.Equal(t, "requests", fmt.Sprint(lists, " ", groups), test.requests)
			check.True(t, "told once", len(told) == map[bool]int{true: 1}[test.told], told)
			for _, failure := range told {
				check.Contains(
					t,
					"what is told",
					failure.Error(),
					"no such endpoint",
					"although the group has generations",
				)
			}
		})
	}
}

// Groups that are read side by side share the conclusion.
func TestMissingListOfGroups_sideBySide(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, groupService("", "", 404))
	client := s.Client(t, extended)
	check.Times(20, func(i int) {
		id := fmt.Sprint("g", i)
		_, _ = client.Groups.GetOptional(t.Context(), id)
		client.Groups.NoteGenerations(t.Context(), id)
	})
	check.True(t, "told", client.FailedRead() != nil && client.FailedRead() == nil)
	before := len(s.Requests())
	group, err := client.Groups.GetOptional(t.Context(), "g99")
	check.True(t, "nothing more is asked for", group == nil && err == nil && len(s.Requests()) == before, group, err)
}

// Without extended_reads nothing is sent.
func TestMissingListOfGroups_withoutExtendedReads(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(404, noSuchPath))
	client := s.Client(t, func(*stub.Config) {})
	_, _ = client.Groups.GetOptional(t.Context(), "g1")
	client.Groups.NoteGenerations(t.Context(), "g1")
	check.True(t, "no request", len(s.Requests()) == 0 && client.FailedRead() == nil, s.Requests())
}
