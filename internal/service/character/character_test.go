package character_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// stranger is a workspace with the token of a creator who has no character.
func stranger(t *testing.T, service *acctest.Service) *acctest.Scenario {
	t.Helper()
	w := service.Scenario(t)
	w.Workspace.Provider(core.Object{"base_url": service.URL, "access_token": service.IssueToken("creator_other")})
	return w
}

// Fault F12.
func TestAdoptionOfUnlisted(t *testing.T) {
	t.Parallel()
	type row struct {
		config  core.Object
		path    string // of the error; none if empty
		updates int
		want    core.Object
	}
	check.Each(t, map[string]row{
		"nothing configured": {core.Object{}, "", 0, core.Object{"name": nil, "description": nil, "status": nil}},
		"both configured": {
			core.Object{"name": "Ada L.", "description": ""},
			"",
			1,
			core.Object{"name": "Ada L.", "description": "", "status": "active"},
		},
		"name alone":        {core.Object{"name": "Ada L."}, "description", 0, nil},
		"description alone": {core.Object{"description": "sings"}, "name", 0, nil},
	}, func(t *testing.T, test row) {
		service, id := newAda(t)
		w := stranger(t, service)
		test.config["id"] = id
		w.Resource(ada, test.config)
		result := w.Apply()
		service.WantCount(t, mockserver.RouteUpdate, test.updates)
		if test.path != "" {
			service.WantCount(t, mockserver.RouteCapabilities, 1) // by the plan
			w.WantMessage(result.Diagnostics.Errors(), test.path, "credential")
			return
		}
		w.WantMessage(result.Must().Diagnostics.Warnings(), "", "Character Not Listed")
		w.Want(ada, test.want)
		service.WantCount(t, mockserver.RouteCapabilities, 2) // once by plan and apply each
		w.Plan().Must().WantEmpty()
	})
}

// Fault F9.
func TestRefreshOfMissing(t *testing.T) {
	t.Parallel()
	type row struct {
		other   bool // read with another creator's token
		gone    bool
		warning string
		asked   int // capabilities
		happens func(s *acctest.Service, id string)
	}
	check.Each(t, map[string]row{
		"deleted": {
			false,
			true,
			"",
			2,
			func(s *acctest.Service, id string) { s.RemoveCharacter(id) },
		}, // gone is said twice
		"another creator's": {true, false, "Character Not Listed", 1, func(*acctest.Service, string) {}},
		"no progress": {false, false, "Character List Incomplete", 0, func(s *acctest.Service, id string) {
			s.RemoveCharacter(id)
			s.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Rewrite: func(reply map[string]any) {
				reply["pagination"].(map[string]any)["has_more"] = true
			}})
		}},
		"fewer than returned": {false, false, "Character List Incomplete", 0, func(s *acctest.Service, _ string) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Rewrite: func(reply map[string]any) {
				reply["characters"] = reply["characters"].([]any)[1:]
			}})
		}},
	}, func(t *testing.T, test row) {
		service, id, w := newWorkspace(t)
		service.AddCharacter(mockserver.CharacterSeed{Name: "Grace"})
		w.Applies(ada, core.Object{"id": id})
		if test.other {
			w.Workspace.Provider(
				core.Object{"base_url": service.URL, "access_token": service.IssueToken("creator_other")},
			)
		}
		test.happens(service, id)
		result := w.Refresh().Must()
		check.Equal(t, "gone from the state", w.State(ada) == nil, test.gone)
		if test.warning != "" {
			w.WantMessage(result.Diagnostics.Warnings(), "", test.warning)
			w.Want(ada, core.Object{"name": "Ada"})
		}
		service.WantCount(t, mockserver.RouteCapabilities, test.asked)
	})
}

func TestUpdateKeepsWhatSomebodyElseWrote(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	w.Applies(ada, core.Object{"id": id})
	plan := w.Plans(ada, core.Object{"id": id, "name": "Ada L."})
	service.SetCharacter(id, func(c *mockserver.CharacterSeed) { c.Description = "written since" })
	w.ApplyPlan(plan).Must()
	wantUpdates(t, service, map[string]any{"name": "Ada L.", "description": "written since"})
	w.Plan().Must().WantEmpty()
}

func TestUpdateOfBothReadsNothing(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	w.Applies(ada, core.Object{"id": id, "name": "Ada", "description": "counts"})
	plan := w.Plans(ada, core.Object{"id": id, "name": "Ada L.", "description": "sings"})
	service.ResetJournal()
	w.ApplyPlan(plan).Must()
	service.WantCount(t, mockserver.RouteCharacters, 0)
	service.WantCount(t, mockserver.RouteUpdate, 1)
}

func TestUpdateSurvivesAnOddReply(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(map[string]any){
		"other texts": func(reply map[string]any) {
			reply["name"] = "???"
			reply["description"] = nil
		},
		"other owner":    func(reply map[string]any) { reply["organization_id"] = "org_other" },
		"nothing but id": func(reply map[string]any) { clearBut(reply, "character_id") },
	}, func(t *testing.T, rewrite func(map[string]any)) {
		service, id, w := newWorkspace(t)
		w.Applies(ada, core.Object{"id": id})
		service.Fault(mockserver.Fault{Route: mockserver.RouteUpdate, Rewrite: rewrite})
		w.Applies(ada, core.Object{"id": id, "name": "Ada L.", "description": "sings"})
		w.Want(ada, core.Object{"name": "Ada L.", "description": "sings"})
		w.Plan().Must().WantEmpty()
	})
}

// A value that the reply to an update leaves out has not changed: the outputs
// of an apply are those of the next plan. A null would be a change then, so the
// character is read again.
func TestUpdateReadsWhatTheReplyLeavesOut(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(map[string]any){
		"the texts alone": func(reply map[string]any) {
			clearBut(reply, "character_id", "name", "description", "updated_at")
		},
		"a receipt": func(reply map[string]any) { clearBut(reply); reply["success"] = true },
		"one deeper": func(reply map[string]any) {
			record := maps.Clone(reply)
			clearBut(reply)
			reply["character"] = record
		},
	}, func(t *testing.T, rewrite func(map[string]any)) {
		service, id, w := newWorkspace(t)
		service.Fault(mockserver.Fault{Route: mockserver.RouteUpdate, Rewrite: rewrite})
		for _, wanted := range []string{"Ada L.", "Ada M."} {
			w.Applies(ada, core.Object{"id": id, "name": wanted, "description": "sings"})
			applied := w.State(ada)
			w.Refresh().Must()
			check.Equal(t, "a refresh finds the same", w.State(ada), applied)
		}
		service.WantCount(t, mockserver.RouteUpdate, 2)
	})
}

func clearBut(reply map[string]any, kept ...string) {
	for name := range reply {
		if !slices.Contains(kept, name) {
			delete(reply, name)
		}
	}
}

func TestPlanOfBlanksSendsNothing(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	w.Applies(ada, core.Object{"id": id, "name": "Ada"})
	plan := w.Plans(ada, core.Object{"id": id, "name": "Ada  "})
	check.True(
		t,
		"updated_at stays",
		plan.Action(ada) == core.Update && plan.Change(ada).After["updated_at"] != core.Unknown,
		plan,
	)
	w.ApplyPlan(plan).Must()
	service.WantCount(t, mockserver.RouteUpdate, 0)
	w.Plan().Must().WantEmpty()
}

// A file with Windows line ends, at a service that has others.
func TestLineEndsAreNoChange(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t, func(o *mockserver.Options) { o.Variant.TrimTexts = true })
	w.Applies(ada, core.Object{"id": id, "description": "from\r\nelsewhere"})
	w.Plan().Must().WantEmpty()
	w.Applies(ada, core.Object{"id": id, "description": "from\nelsewhere"})
	w.Plan().Must().WantEmpty()
	service.WantCount(t, mockserver.RouteUpdate, 1)
}

func TestForgettingWarns(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	other := service.AddCharacter(mockserver.CharacterSeed{Name: "Grace"})
	w.Applies(ada, core.Object{"id": id})
	w.WantMessage(w.Plan(core.Destroying()).Warnings(), "", "Characters Will Be Forgotten")
	plan := w.Plans(ada, core.Object{"id": other})
	w.WantMessage(plan.Warnings(), "", "Characters Will Be Forgotten")
	check.True(t, "another id is a replacement", plan.Action(ada) == core.Replace, plan)
	w.Destroy().Must()
	service.WantCount(t, mockserver.RouteUpdate, 0)
	_, kept := service.Character(id)
	check.True(t, "the record is there", kept)
}

func TestCharacterImports(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(*acctest.Scenario, string) *core.Result{
		"by id": func(w *acctest.Scenario, id string) *core.Result { return w.Import(ada, id) },
		"by identity": func(w *acctest.Scenario, id string) *core.Result {
			return w.ImportIdentity(ada, core.Object{"id": id})
		},
	}, func(t *testing.T, adopt func(*acctest.Scenario, string) *core.Result) {
		service, id, w := newWorkspace(t)
		w.Resource(ada, core.Object{"id": id, "name": "Ada", "description": "counts"})
		adopt(w, id).Must()
		w.Plan().Must().WantEmpty()
		check.Equal[any](t, "the identity", w.Identity(ada)["id"], id)
		service.WantCount(t, mockserver.RouteUpdate, 0)
	})
}

// Fault F10.
func TestRequestsOfManyCharacters(t *testing.T) {
	tier.Large(t, "2,000 characters, 4 seconds")
	t.Parallel()
	service := acctest.NewService(t)
	w := service.Scenario(t)
	w.Parallel(50)
	for i := range 1000 {
		id := service.AddCharacter(mockserver.CharacterSeed{Name: fmt.Sprintf("Character %d", i)})
		w.Resource(fmt.Sprintf("mediagen_character.c%d", i), core.Object{"id": id})
	}
	wantOneWalk := func() {
		t.Helper()
		service.WantCount(t, mockserver.RouteCharacters, 10)
		service.WantCount(t, mockserver.RouteToken, 1)
		service.WantCount(t, "", 11)
		service.ResetJournal()
	}
	plan := w.Plan()
	wantSilence(t, plan)
	wantOneWalk()
	w.ApplyPlan(plan).Must()
	wantOneWalk()
	w.Refresh().Must()
	wantOneWalk()
}

// "Face Image Stays at the Service" stood beside the deletion of its character.
// No order of a plan is promised: what is said holds in any, and the character
// names what the run has seen of it.
func TestDestroyIsTrueInAnyOrder(t *testing.T) {
	t.Parallel()
	check.Each(
		t,
		map[string][]core.PlanOption{"one": nil, "the other": {core.Reversed()}},
		func(t *testing.T, options []core.PlanOption) {
			s := newExtended(t)
			id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
			const image, group = "mediagen_face_image.front", "mediagen_generation_group.kept"
			s.Resource(ada, core.Object{"id": id, "deletion_policy": "delete"})
			s.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png)})
			s.Resource(group, core.Object{
				"character_id": id, "deletion_policy": "keep", "prompts": core.Object{"a": core.Object{"prompt": "A"}},
			})
			s.Apply().Must()
			kept := s.Value(group, "id").(string)
			for _, address := range s.Addresses() {
				s.Remove(address)
			}
			plan := s.Plan(options...).Must()
			s.WantWarning(
				plan.Diagnostics,
				"Face Images Will Be Forgotten",
			)
			s.WantWarning(
				plan.Diagnostics,
				"Media Will Be Forgotten: group "+kept,
			)
			s.WantWarning(plan.Diagnostics, "Character Will Be Deleted: character "+id)
			check.True(t, "one statement an object", len(plan.Diagnostics) == 3, plan.Diagnostics)
			said := s.ApplyPlan(plan).Must().Diagnostics
			s.WantWarning(
				said,
				"Media Were Forgotten: group "+kept,
			)
			check.True(t, "nothing else is said", len(said) == 1, said)
			s.WantCount(t, mockserver.RouteDeleteCharacter, 1)
		},
	)
}

// What the run has read or planned of a character before is named in its warning.
func TestDeletionNamesWhatIsKnown(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	const image = "mediagen_face_image.front"
	s.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png)})
	s.Applies(ada, core.Object{"id": id, "deletion_policy": "delete"})
	asset := s.Value(image, "id").(string)
	named := 0
	s.Remove(ada)
	s.Remove(image)
	for _, options := range [][]core.PlanOption{nil, {core.Reversed()}} {
		said := s.Plan(options...).Must().Diagnostics.Find(deletes)
		if strings.Contains(said.String(), `face image "`+asset+`"`) {
			named++
		}
	}
	check.True(t, "the image is named where it was planned first", named == 1, named)
}

func TestMain(m *testing.M) { acctest.Main(m) }
