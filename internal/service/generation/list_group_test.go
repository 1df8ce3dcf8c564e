package generation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const groupType = "mediagen_generation_group"

func (s scenario) listed(query core.Query) []core.Listed {
	s.T.Helper()
	results, messages := s.Query(groupType, query)
	check.True(s.T, "no message", len(messages) == 0, messages)
	return results
}

// A query reads no further than its limit: one request for each hundred groups,
// and for each 200 generations of a listed one.
func TestListGroups(t *testing.T) {
	t.Parallel()
	type row struct {
		groups  int
		query   core.Query
		results int
		pages   int
	}
	check.Each(t, map[string]row{
		"none":                 {0, core.Query{}, 0, 1},
		"all":                  {230, core.Query{Limit: 1000}, 230, 3},
		"five":                 {230, core.Query{Limit: 5}, 5, 1},
		"a page":               {230, core.Query{}, 100, 1},
		"one more than a page": {230, core.Query{Limit: 101}, 101, 2},
		"of a character":       {230, core.Query{Config: core.Object{"character_id": "ch_1"}, Limit: 1000}, 23, 1},
		"some of a character":  {230, core.Query{Config: core.Object{"character_id": "ch_1"}, Limit: 2}, 2, 1},
		"of an unknown one":    {230, core.Query{Config: core.Object{"character_id": "nobody"}}, 0, 1},
	}, func(t *testing.T, test row) {
		s := newExtended(t)
		for i := range test.groups {
			s.GenerateElsewhere(map[bool]string{true: "ch_1"}[i%10 == 0], fmt.Sprint("Group ", i), "Ada", "Eve")
		}
		check.Equal(t, "results", len(s.listed(test.query)), test.results)
		s.WantCount(t, mockserver.RouteGroups, test.pages)
		s.WantCount(t, mockserver.RouteGroup, test.results)
		check.Equal(t, "requests", len(s.Journal()), 1+test.pages+test.results)
	})
}

// What vanishes between the list and its own read is left out, and told; the
// rest is listed. Fault F30.
func TestListGroups_oneVanishes(t *testing.T) {
	t.Parallel()
	s := newExtended(t, func(o *mockserver.Options) { o.GenerationTime = time.Hour })
	for range 3 {
		s.GenerateElsewhere("ch_1", "", "Ada")
	}
	gone := s.Groups()[1]
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, About: gone.ID, Status: 404, Body: ownNoGroup})
	for _, generation := range gone.Generations {
		s.Fault(mockserver.Fault{
			Route:        mockserver.RouteStatus,
			About:        generation.ID,
			Status:       404,
			Body:         ownNotFound,
			MayStayUnmet: true,
		})
	}
	results, messages := s.Query(groupType, core.Query{IncludeResource: true})
	s.WantWarning(messages, "Listed Group Not Found", gone.ID)
	check.True(t, "two results", len(results) == 2, len(results), results)
}

// A service that ignores the filter, or whose pages are odd, lists the same
// groups.
func TestListGroups_filters(t *testing.T) {
	t.Parallel()
	s := newExtended(t, func(o *mockserver.Options) { o.Variant.IgnoreFilters = true })
	s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", Name: "Eve"})
	s.GenerateElsewhere("ch_2", "of Eve", "Eve")
	ours := s.GenerateElsewhere("ch_1", "of Ada", "Ada")
	results := s.listed(core.Query{Config: core.Object{"character_id": "ch_1"}})
	want := []core.Listed{
		{
			DisplayName: "of Ada",
			Identity:    core.Object{"id": ours.ID, "generations": []any{"ada=" + ours.Generations[0].ID}},
		},
	}
	check.Equal(t, "results", results, want)
}

// Of 250 generations two requests show those with results, and their statuses the
// others, if they are to be shown.
func TestListedGroup_requests(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	var prompts []string
	for i := range 250 {
		prompts = append(prompts, fmt.Sprint("Picture ", i))
	}
	made := s.GenerateElsewhere("ch_1", "", prompts...)
	for _, running := range []int{250, 0} {
		if running == 0 {
			s.Clock.Advance(time.Hour)
		}
		for _, include := range []bool{false, true} {
			s.ResetJournal()
			results := s.listed(core.Query{IncludeResource: include})
			check.True(t, "one group", len(results) == 1 && results[0].DisplayName == made.ID, results)
			check.Equal(t, "generations", len(results[0].Identity["generations"].([]any)), 250)
			s.WantCount(t, mockserver.RouteGroups, 1)
			s.WantCount(t, mockserver.RouteGroup, 2)
			s.WantCount(t, mockserver.RouteStatus, map[bool]int{true: running}[include])
		}
	}
	s.ResetJournal()
	s.Import(groupAddress, made.ID).Must()
	check.Equal(t, "requests", len(s.Journal()), 1+2)
	s.Want(
		groupAddress,
		core.Object{"succeeded_count": 250, "title": nil, `prompts["picture-249"].prompt`: "Picture 249"},
	)
}

func TestListGroups_leavesOutEmptyOnes(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.GenerateElsewhere("", "One", "Ada")
	s.GenerateElsewhere("", "Nothing")
	s.GenerateElsewhere("", "Two", "Ada")
	results := s.listed(core.Query{Limit: 2})
	check.True(
		t,
		"two, the last first",
		len(results) == 2 && results[0].DisplayName == "Two" && results[1].DisplayName == "One",
		results,
	)
}

// Titles that generated configuration cannot contain are left as they are. What
// cannot be configured blocks nothing: a photo edit without a text is left out,
// and named.
func TestListGroups_leavesOutWhatHasNoText(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.Resource(groupAddress, core.Object{"prompts": core.Object{
		"a": core.Object{"prompt": "Ada"}, "p": core.Object{"source_image_url": "https://images.example.com/chair.jpg"},
	}})
	s.Resource("mediagen_generation_group.photos", core.Object{"prompts": core.Object{
		"p": core.Object{"source_image_url": "https://images.example.com/table.jpg"},
	}})
	s.Apply().Must()
	left, _ := s.Value(groupAddress, `generations["p"].id`).(string)
	for _, limit := range []int64{0, 1} {
		results, messages := s.Query(groupType, core.Query{Limit: limit, IncludeResource: true})
		check.Equal(t, "groups", len(results), 1)
		prompts, _ := results[0].Resource["prompts"].(core.Object)
		check.True(t, "the prompts", len(prompts) == 1 && core.Lookup(prompts, "ada.prompt") == "Ada", prompts)
		check.Equal(t, "groups with less", len(messages.Find("Listed Generations Left Out")), 2)
		named := fmt.Sprintf("The generations %q of the group", left)
		check.Equal(t, "what is left out", strings.Count(messages.String(), named), 1)
	}
	check.Equal(t, "what nobody configures is listed whole", len(s.listed(core.Query{})), 2)
	s.WantCount(t, mockserver.RouteBatch, 2)
}

func TestListGroups_titles(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	for title, kept := range map[string]bool{
		"Portraits": true,
		"":          false,
		" \n":       false,
		"[1, 2]":    false,
		`"quoted"`:  true,
	} {
		made := s.GenerateElsewhere("", title, "Ada")
		results := s.listed(core.Query{Limit: 1, IncludeResource: true})
		check.True(
			t,
			"one result",
			len(results) == 1 && results[0].DisplayName != "" && results[0].Identity["id"] == made.ID,
			title,
			results,
		)
		check.Equal(t, title, results[0].Resource["title"] == title, kept)
	}
}

// secondPage is in the address of the second page of a list.
const secondPage = "offset=100"

// Nothing is sent where the configuration does not say that the deployment shows
// groups, and whatever contradicts itself is an error.
func TestListGroups_thatFail(t *testing.T) {
	t.Parallel()
	rewrite := func(route, about string, change func(map[string]any)) mockserver.Fault {
		return mockserver.Fault{Route: route, About: about, Rewrite: change}
	}
	type row struct {
		less  bool
		fault mockserver.Fault
		says  []string
	}
	check.Each(t, map[string]row{
		"without extended reads": {less: true, says: []string{"extended_reads = true", "MEDIAGEN_EXTENDED_READS"}},
		"no such route": {
			fault: mockserver.Fault{Route: mockserver.RouteGroups, Times: 100, Status: 404, Body: "no such page"},
			says:  []string{"404", "does not offer GET /generation/groups;", "Do without extended_reads."},
		},
		"no route of one group": {
			fault: mockserver.Fault{Route: mockserver.RouteGroup, Times: 100, Status: 501},
			says:  []string{"501", `"grp_000150"`},
		},
		"refused": {
			fault: mockserver.Fault{
				Route:  mockserver.RouteGroups,
				About:  secondPage,
				Status: 403,
				Body:   `{"error":"forbidden"}`,
			},
			says: []string{"403"},
		},
		"a page too few": {
			fault: rewrite(mockserver.RouteGroups, secondPage, func(page map[string]any) { page["groups"] = []any{} }),
			says:  []string{"do not add up"},
		},
		"a generation too few": {
			fault: rewrite(
				mockserver.RouteGroup,
				"grp_000149",
				func(page map[string]any) { page["generations"] = page["generations"].([]any)[1:] },
			),
			says: []string{"do not add up", `"grp_000149"`},
		},
	}, func(t *testing.T, test row) {
		s := newExtended(t)
		for range 150 {
			s.GenerateElsewhere("", "Portraits", "Ada", "Eve")
		}
		if test.fault.Route != "" {
			s.Fault(test.fault)
		}
		s.readsMore(!test.less)
		_, messages := s.Query(groupType, core.Query{Limit: 1000})
		check.Equal(t, "errors", len(messages.Errors()), 1)
		s.WantError(messages, "Unable to List Generation Groups", test.says...)
		check.True(
			t,
			"one sentence, and the token alone",
			(!test.less || len(s.Journal()) <= 1) && !strings.Contains(messages.String(), "!"),
			messages,
		)
	})
}
