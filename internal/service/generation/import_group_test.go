package generation_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

func TestImportID_isAJSONObject(t *testing.T) {
	t.Parallel()
	got, err := generation.DecodeImportID(`{"a":"g1", "b/c":"g2"}`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "g1", "b/c": "g2"}, got); diff != "" {
		t.Error(diff)
	}
	for _, id := range []string{"", "g1", "{}", "[]", `{"a":1}`, `{"a":null}`, `{"a":""}`, `{"":"g"}`, `{"a":"g","a":"h"}`, `{"a":"g"}x`, `{"a":{"b":"c"}}`, `{"a":"g"`} {
		if _, err := generation.DecodeImportID(id); err == nil {
			t.Errorf("%s was accepted", id)
		}
	}
}

func FuzzIdentityPairs(f *testing.F) {
	f.Add("a", "g1", "b", "g2")
	f.Add("a,b=c%", "g=1", "%2C", "g,2")
	f.Fuzz(func(t *testing.T, key1, id1, key2, id2 string) {
		pairs := map[string]string{key1: id1, key2: id2}
		decoded, err := generation.DecodePairs(generation.EncodePairs(pairs))
		if err == nil && !maps.Equal(pairs, decoded) {
			t.Errorf("%q became %q", pairs, decoded)
		}
	})
}

// madeByHand is a studio whose service has a group that no state knows.
func madeByHand(t *testing.T) (s studio, ids map[string]string) {
	t.Helper()
	s = newStudio(t)
	s.group(map[string]string{"a": "A", "b": "B"})
	s.Apply().Must()
	ids = map[string]string{}
	for _, key := range []string{"a", "b"} {
		ids[key], _ = s.value("generations[\"" + key + "\"].id").(string)
	}
	s.Forget(groupAddress)
	s.ResetJournal()
	return s, ids
}

func importID(ids map[string]string) string {
	return `{"a":"` + ids["a"] + `","b":"` + ids["b"] + `"}`
}

// Fault F22.
func TestImport_takesOverWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.group(nil, acctest.Object{"prompts": acctest.Object{
		"a": acctest.Object{"prompt": " a ", "face_swap": true}, "b": acctest.Object{"prompt": "B"},
	}})
	s.Import(groupAddress, importID(ids)).Must()
	s.want(acctest.Object{"wait_for_completion": true, "max_attempts": 1, "refresh_finished": true, "credits_deducted": nil, "succeeded_count": 2})
	plan := s.Plan().Must()
	if plan.Action(groupAddress) != acctest.Update || len(plan.UnknownIDs(groupAddress)) > 0 || len(plan.Diagnostics.Find("Imported Group Is Taken Over")) != 1 {
		t.Errorf("want an update in place with a warning:\n%s", plan)
	}
	s.ApplyPlan(plan).Must()
	s.converges()
	for _, route := range []string{mockserver.RouteBatch, mockserver.RouteDelete, mockserver.RouteDeleteGroup} {
		s.WantCount(t, route, 0)
	}
	// From the first update on, a changed prompt is a changed prompt.
	s.group(map[string]string{"a": "A, again", "b": "B"})
	s.buys([]string{`generations["a"].id`}, 1)
	s.converges()
}

// What the import has read is compared: another prompt is bought, and the media
// that the import brought are left where they are.
// Fault F22.
func TestImport_anotherPromptIsBought(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.group(map[string]string{"a": "A, smiling", "b": "B"})
	s.Import(groupAddress, importID(ids)).Must()
	if found := s.Plan().Must().Diagnostics.Find("Imported Prompts Differ"); len(found) != 1 || !strings.Contains(found[0].Detail, `"A"`) || !strings.Contains(found[0].Detail, `"A, smiling"`) {
		t.Errorf("the plan says %s", found)
	}
	result := s.buys([]string{`generations["a"].id`}, 1)
	if found := result.Diagnostics.Find("Imported Generations Left at the Service"); len(found) != 1 || !strings.Contains(found[0].Detail, ids["a"]) {
		t.Errorf("the apply says\n%s", result.Diagnostics)
	}
	s.converges()
	s.WantCount(t, mockserver.RouteDelete, 0)
	if _, there := s.Generation(ids["a"]); !there {
		t.Error("the imported generation was deleted")
	}
	s.Destroy().Must()
	if len(s.Groups()) > 0 {
		t.Errorf("the destroy leaves %v", s.Groups())
	}
}

// The first apply after an import ends it, even if it had nothing to do: the
// first real change is a change.
// Fault F22.
func TestImport_endsWithTheFirstApply(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]acctest.Object{
		"prompt":  {"prompt": "A, smiling"},
		"options": {"prompt": "A", "face_swap": true},
	} {
		for _, applies := range []int{1, 3} {
			t.Run(fmt.Sprint(name, applies), func(t *testing.T) {
				t.Parallel()
				s, ids := madeByHand(t)
				bare := acctest.Object{"prompts": texts(map[string]string{"a": "A", "b": "B"})}
				s.Resource(groupAddress, bare)
				s.Import(groupAddress, importID(ids)).Must()
				for range applies {
					plan := s.Plan().Must()
					plan.WantEmpty()
					s.Plan() // a plan alone is forgotten
					s.ApplyPlan(plan).Must()
				}
				s.Resource(groupAddress, acctest.Object{"prompts": acctest.Object{"a": change, "b": acctest.Object{"prompt": "B"}}})
				s.buys([]string{`generations["a"].id`}, 1)
				s.converges()
				if _, there := s.Generation(ids["a"]); there {
					t.Error("the superseded generation is still there")
				}
			})
		}
	}
}

func TestImport_byIdentity(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.ImportIdentity(groupAddress, acctest.Object{"generations": []any{"a=" + ids["a"], "b=" + ids["b"]}}).Must()
	s.Apply().Must()
	s.converges()
	s.WantCount(t, mockserver.RouteBatch, 0)
}

func TestImport_refusesWhatIsNotOneGroup(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.Resource(otherAddress, acctest.Object{"character_id": "ch_1", "prompts": texts(map[string]string{"c": "C"})})
	s.Remove(groupAddress)
	s.Apply().Must()
	other, _ := s.Value(otherAddress, `generations["c"].id`).(string)
	for name, id := range map[string]string{
		"of two groups":  `{"a":"` + ids["a"] + `","c":"` + other + `"}`,
		"does not exist": `{"a":"` + ids["a"] + `","b":"gen_none"}`,
		"not JSON":       ids["a"],
	} {
		if result := s.Import(groupAddress, id); !result.Diagnostics.HasErrors() || s.State(groupAddress) != nil {
			t.Errorf("%s: imported", name)
		}
	}
}
