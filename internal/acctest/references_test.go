package acctest_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// others are what a reference of a subject may turn out to be, instead of what
// it was.
var others = map[string]string{"ada": "bob", "image_000001": "image_000002"}

// referencesOf are the inputs of a type that are called as an id is.
func referencesOf(of *tfprotov6.Schema) []string {
	var names []string
	for _, attribute := range of.Block.Attributes {
		isInput := attribute.Required || attribute.Optional
		isID := attribute.Name == "id" || strings.HasSuffix(attribute.Name, "_id")
		if isInput && isID && attribute.Type.Is(tftypes.String) {
			names = append(names, attribute.Name)
		}
	}
	return names
}

// eachReference runs a test for each reference of each managed type, with an
// object that exists.
func eachReference(t *testing.T, test func(t *testing.T, r reference)) {
	t.Helper()
	schemas := acctest.Schemas(t).ResourceSchemas
	found := 0
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		typeName, _, _ := strings.Cut(address, ".")
		for _, name := range referencesOf(schemas[typeName]) {
			if of.Config[name] == nil {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := acctest.NewForSubjects(t).Scenario(t)
				s.Applies(address, of.With(nil))
				s.Plan().Must().WantEmpty()
				s.ResetJournal()
				test(t, reference{s, address, name, of})
			})
		}
	})
	for typeName, schema := range schemas {
		found += len(referencesOf(schema))
		subject, exists := acctest.Subjects(t)[typeName]
		for _, name := range referencesOf(schema) {
			check.True(t, typeName+"."+name+" is tested", exists && subject.Config[name] != nil)
		}
	}
	check.Equal(t, "references", found, 10)
}

type reference struct {
	*acctest.Scenario
	address, name string
	of            acctest.Subject
}

func (r reference) prior() string { return r.of.Config[r.name].(string) }

func (r reference) later(value any, more core.Object) core.Object {
	changes := core.Object{r.name: core.UnknownUntilApply(value)}
	maps.Copy(changes, more)
	return r.of.With(changes)
}

// sent are the requests that may change something.
func (r reference) sent() []string {
	var sent []string
	for _, request := range r.Journal() {
		if request.Method != http.MethodGet && !strings.Contains(request.Path, "generate-token") {
			sent = append(sent, request.Method+" "+request.Path)
		}
	}
	return sent
}

// wantInPlace checks that of the object the reference alone is planned unknown.
func (r reference) wantInPlace(plan *core.Plan) {
	r.T.Helper()
	change := plan.Change(r.address)
	check.Equal(r.T, "the action", change.Action, core.Update)
	want := maps.Clone(change.Before)
	want[r.name] = core.Unknown
	check.Equal(r.T, "what is planned", change.After, want)
	r.WantWarning(
		plan.Diagnostics.At(r.name),
		"Planned Without Knowing "+r.name,
		`"`+r.prior()+`"`,
	)
	check.True(r.T, "no other warning", len(plan.Diagnostics) == 1, plan.Diagnostics)
}

// What is unknown at plan and turns out the same changes nothing, and buys
// nothing. Fault F34.
func TestReferences_unknownAndEqual(t *testing.T) {
	t.Parallel()
	eachReference(t, func(t *testing.T, r reference) {
		before := r.State(r.address)
		ledger := r.Ledger()
		plan := r.Plans(r.address, r.later(r.prior(), nil))
		r.wantInPlace(plan)
		identity := r.Identity(r.address)
		check.Equal(t, "what the apply says", r.ApplyPlan(plan).Must().Diagnostics.String(), "")
		check.Equal(t, "the state", r.State(r.address), before)
		check.Equal(t, "the identity", r.Identity(r.address), identity)
		check.True(t, "only reads", len(r.sent()) == 0, r.sent())
		check.Equal(t, "the ledger", r.Ledger(), ledger)
		r.Plan().Must().WantEmpty()
	})
}

// What turns out to be another stops the apply; the next plan says what that
// replaces. Faults F17, F34.
func TestReferences_unknownAndDifferent(t *testing.T) {
	t.Parallel()
	eachReference(t, func(t *testing.T, r reference) {
		other := others[r.prior()]
		before := r.State(r.address)
		plan := r.Plans(r.address, r.later(other, nil))
		r.wantInPlace(plan)
		result := r.ApplyPlan(plan)
		said := result.Diagnostics.Errors()
		r.WantError(
			said,
			"Other Than Planned",
			r.name, `"`+other+`"`, `"`+r.prior()+`"`,
			"Plan again",
		)
		check.True(t, "one error", len(said) == 1, said)
		check.Equal(t, "the state", r.State(r.address), before)
		check.True(t, "only reads", len(r.sent()) == 0, r.sent())
		next := r.Plan().Must()
		check.Equal(t, "the next plan", next.Action(r.address), core.Replace)
		check.True(t, "for the reference", slices.Equal(next.Change(r.address).Replaces, []string{r.name}), next)
		check.Equal(t, "a plan without a refresh", r.Plan(core.Refresh(false)).Must().Action(r.address), core.Replace)
	})
}

// A replacement that the plan has shown goes on, whatever is unknown beside it.
func TestReferences_unknownBesideAReplacement(t *testing.T) {
	t.Parallel()
	eachReference(t, func(t *testing.T, r reference) {
		r.Resource(r.address, r.later(r.prior(), nil))
		plan := r.Plan(core.Replacing(r.address)).Must()
		check.Equal(t, "the action", plan.Action(r.address), core.Replace)
		r.WantSilent(r.ApplyPlan(plan).Diagnostics, "Other Than Planned", "inconsistent final plan")
	})
}

// Of a character that the same plan ends, what is unknown must be another: an
// apply would end the character first, and stop then.
func TestReferences_ofAnEndingCharacter(t *testing.T) {
	t.Parallel()
	const ada = "mediagen_character.ada"
	ends := map[string]func(s *acctest.Scenario) *core.Plan{
		"-replace":  func(s *acctest.Scenario) *core.Plan { return s.Plan(core.Replacing(ada)) },
		"destroyed": func(s *acctest.Scenario) *core.Plan { s.Remove(ada); return s.Plan(core.Reversed()) },
		"is gone":   func(s *acctest.Scenario) *core.Plan { s.RemoveCharacter("ada"); return s.Plan() },
	}
	eachReference(t, func(t *testing.T, r reference) {
		if r.prior() != "ada" || strings.HasPrefix(r.address, "mediagen_character.") {
			return
		}
		for name, plan := range ends {
			s := acctest.NewForSubjects(t).Scenario(t)
			s.Resource(ada, core.Object{"id": "ada", "deletion_policy": "delete"})
			s.Applies(r.address, r.of.With(nil))
			s.Resource(ada, core.Object{"name": "Another"})
			s.Resource(r.address, r.later("bob", nil))
			check.Equal(t, "with the character", s.Plan().Must().Action(r.address), core.Update)
			action := plan(s).Must().Action(r.address)
			check.True(t, name, action == core.Replace || action == core.Create && name == "is gone", action)
		}
	})
}

// A plan that buys for a character asks the service of it. If that is gone,
// what is unknown is another, and no error blames an id that nobody has
// written.
func TestReferences_ofACharacterThatIsGone(t *testing.T) {
	t.Parallel()
	const address = "mediagen_generation_group.x"
	s := acctest.NewForSubjects(t).Scenario(t)
	config := core.Object{"character_id": "ada", "prompts": core.Object{"a": core.Object{"prompt": "A"}}}
	s.Applies(address, config)
	s.RemoveCharacter("ada")
	config["character_id"] = core.UnknownUntilApply("bob")
	config["prompts"] = core.Object{"a": core.Object{"prompt": "B"}}
	plan := s.Plans(address, config)
	check.Equal(t, "the action", plan.Action(address), core.Replace)
	s.WantSilent(plan.Diagnostics, "Character Not Found", "Planned Without Knowing character_id")
}

// What is sent and unknown is bought, though it may turn out the same: a change
// of it is what it is for. The plan says so, and how to prevent it.
func TestContents_unknown(t *testing.T) {
	t.Parallel()
	type row struct {
		address, name string
	}
	check.Each(t, map[string]row{
		"triggers of a training":       {"mediagen_body_lora_training.x", "triggers"},
		"triggers of a dataset":        {"mediagen_dataset.x", "triggers"},
		"prompts of a dataset":         {"mediagen_dataset.x", "prompts"},
		"prompt of a regeneration":     {"mediagen_dataset_image_regeneration.x", "prompt"},
		"messages of a chat":           {"mediagen_chat_completion.x", "messages"},
		"messages of a vision":         {"mediagen_vision_completion.x", "messages"},
		"address of a categorization":  {"mediagen_media_categorization.x", "media_url"},
		"prompt of an image":           {"mediagen_image.x", "prompt"},
		"type of an image of the body": {"mediagen_body_image.x", "image_type"},
	}, func(t *testing.T, test row) {
		s := acctest.NewForSubjects(t).Scenario(t)
		typeName, _, _ := strings.Cut(test.address, ".")
		of := acctest.Subjects(t)[typeName]
		s.Applies(test.address, of.With(nil))
		s.Resource(test.address, of.With(core.Object{test.name: core.UnknownUntilApply(of.Config[test.name])}))
		plan := s.Plan().Must()
		check.Equal(t, "the action", plan.Action(test.address), core.Replace)
		s.WantWarning(
			plan.Diagnostics,
			"Replaced for What Is Not Known: "+typeName+" ",
			"known only after apply: "+test.name+".",
			"content_sha256",
		)

		// Beside a change that is known, it is not the cause.
		if len(of.Replaces["triggers"]) > 0 && test.name != "triggers" {
			s.Resource(test.address, of.With(core.Object{
				test.name: core.UnknownUntilApply(
					of.Config[test.name],
				),
				"triggers": of.Replaces["triggers"]["triggers"],
			}))
			s.WantSilent(s.Plan().Must().Diagnostics, "Replaced for What Is Not Known")
		}
	})
}
