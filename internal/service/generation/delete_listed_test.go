package generation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A group that was imported goes as a whole if its list shows nothing but what the
// state holds, and else its generations one by one.
// Fault F20.
func TestExtendedReads_destroyOfAnImport(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change               func(s scenario)
		keys                 string
		groups, singly, left int
	}{
		"all of it":         {keys: "abc", groups: 1},
		"a part":            {keys: "bc", singly: 2, left: 1},
		"without the reads": {keys: "abc", singly: 3, change: func(s scenario) { s.readsMore(false) }},
		"an incomplete list": {keys: "abc", singly: 3, change: func(s scenario) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 100, Rewrite: func(reply map[string]any) { reply["generation_count"] = 4 }})
		}},
		"no list": {keys: "abc", singly: 3, change: func(s scenario) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 100, Status: 405})
		}},
		"held by another": {keys: "abc", singly: 2, left: 1, change: func(s scenario) {
			s.Resource("mediagen_generation_group.h", core.Object{"prompts": texts(map[string]string{"a": "A"})})
			s.Import("mediagen_generation_group.h", fmt.Sprintf(`{"a":%q}`, s.Groups()[0].Generations[0].ID)).Must()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t)
			made := s.GenerateElsewhere("ch_1", "Portraits", "A", "B", "C")
			s.Clock.Advance(time.Hour)
			prompts, pairs := map[string]string{}, []string{}
			for _, key := range test.keys {
				prompts[string(key)] = strings.ToUpper(string(key))
				pairs = append(pairs, fmt.Sprintf("%q:%q", string(key), made.Generations[key-'a'].ID))
			}
			s.group(prompts)
			s.Import(groupAddress, "{"+strings.Join(pairs, ",")+"}").Must()
			s.Apply().Must()
			if test.change != nil {
				test.change(s)
			}
			s.Remove(groupAddress)
			s.ResetJournal()
			s.Apply().Must()
			s.WantCount(t, mockserver.RouteDeleteGroup, test.groups)
			s.WantCount(t, mockserver.RouteDelete, test.singly)
			if left := s.Media(); left != test.left {
				t.Errorf("%d media are left", left)
			}
		})
	}
}
