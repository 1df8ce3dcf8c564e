package acctest_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func dawn(character any) core.Object {
	return core.Object{"character_id": character, "prompts": core.Object{"a": core.Object{"prompt": "dawn"}}}
}

func fromNothing(t *testing.T) *acctest.Scenario {
	t.Helper()
	w := acctest.NewForSubjects(t, func(o *mockserver.Options) { o.OnViolation = func(string) {} }).
		Scenario(t)
		// unknown paths are asked for
	w.Resource("mediagen_character.made", core.Object{"name": "Eve"})
	for i := range 3 {
		w.Resource(fmt.Sprintf("mediagen_generation_group.none%d", i), dawn(nil))
	}
	w.Resource("mediagen_generation_group.made", dawn(core.UnknownUntilApply("ada")))
	for _, address := range []string{"mediagen_dataset.made", "mediagen_body_lora_training.made"} {
		w.Resource(address, core.Object{"character_id": core.UnknownUntilApply("ada")})
	}
	w.Resource("mediagen_image.x", core.Object{"prompt": "dawn"})
	return w
}

// everywhere is an answer to all requests but those for a token.
func everywhere(w *acctest.Scenario, answer mockserver.Fault) {
	w.Fault(mockserver.Fault{Route: mockserver.RouteToken})
	w.Fault(answer)
}

func requested(w *acctest.Scenario) int { return w.Count("") - w.Count(mockserver.RouteToken) }

var wrongAddresses = map[string]mockserver.Fault{
	"the service's 404": notFound, "a gateway's 404": {Status: 404, Body: "404 page not found"},
	"retired": {Status: 410, Body: `{"error":"gone"}`}, "a web page": {Status: 200, Body: "<html>Welcome</html>"},
}

// A plan that buys at a wrong address is one error after one request, whatever
// else it plans; one that buys nothing asks for nothing. Fault F23.
func TestWrongAddressIsSeenAtPlan(t *testing.T) {
	t.Parallel()
	changes := map[string]func(*acctest.Scenario){"another version": func(w *acctest.Scenario) {
		w.Workspace.Provider(core.Object{"base_url": w.Host + "/v1", "api_key": acctest.APIKey})
	}}
	for name, answer := range wrongAddresses {
		changes[name] = func(w *acctest.Scenario) { everywhere(w, answer) }
	}
	for name, change := range changes {
		for _, parallel := range []int{1, 10} {
			t.Run(fmt.Sprint(name, ", ", parallel), func(t *testing.T) {
				t.Parallel()
				w := fromNothing(t)
				w.Resource("mediagen_generation_group.ada", dawn("ada"))
				w.Resource("mediagen_body_lora_training.ada", core.Object{"character_id": "ada"})
				w.Parallel(parallel)
				change(w)
				said := w.Plan().Diagnostics
				w.WantError(
					said,
					"Wrong Base URL",
					"(Plan Purchase)",
					"nothing that this run has asked for was found at ",
					"MEDIAGEN_BASE_URL",
				)
				check.True(t, "one message", len(said) == 1, said)
				check.True(
					t,
					"one request, and one of what is planned beside it",
					requested(w) == 1 || parallel > 1 && requested(w) <= 2,
					w.Story(),
				)
			})
		}
	}
	w := acctest.NewScenario(t, func(o *mockserver.Options) { o.OnViolation = func(string) {} })
	w.Workspace.Provider(core.Object{"base_url": w.Host + "/v1", "api_key": acctest.APIKey})
	w.Resource("mediagen_character.made", core.Object{"name": "Eve"})
	w.Plan().Must()
	w.WantNoRequests(t)
}

// A read that has failed before, as a plan can do without, does not hide it.
// Fault F23.
func TestWrongAddressIsSeenAfterAnotherRead(t *testing.T) {
	t.Parallel()
	for address, config := range map[string]core.Object{
		"mediagen_character.ada":        {"id": "ada"},
		"mediagen_generation_group.ada": dawn("ada"),
	} {
		for name, answer := range wrongAddresses {
			w := acctest.NewScenario(t)
			w.Resource(address, config)
			w.Resource("mediagen_generation_group.none", dawn(nil))
			everywhere(w, answer)
			said := w.Plan().Diagnostics
			check.True(
				t,
				name,
				len(said) == 1 && len(said.Find("Wrong Base URL")) == 1 && requested(w) == 2,
				said,
				w.Story(),
			)
		}
	}
}

// One more read a run is all that this costs, and none where something was
// found. What proves nothing fails no plan, and is not asked again. Fault F23.
func TestRightAddressIsAskedForOnce(t *testing.T) {
	t.Parallel()
	t.Run("from nothing", func(t *testing.T) {
		t.Parallel()
		w := fromNothing(t)
		w.Remove("mediagen_character.made") // whose creation finds something
		plan := w.Plan().Must()
		check.Equal(t, "requests of the plan", requested(w), 1)
		w.ResetJournal()
		w.ApplyPlan(plan).Must()
		w.WantCount(t, mockserver.RouteCharacters, 0)
	})
	for _, of := range []core.Object{{"id": "ada"}, dawn("ada")} {
		w := acctest.NewScenario(t)
		w.AddAda()
		address := "mediagen_character.ada"
		route := mockserver.RouteCharacters
		if of["id"] == nil {
			address = "mediagen_generation_group.ada"
			route = mockserver.RouteCapabilities
		}
		w.Resource(address, of)
		w.Resource("mediagen_generation_group.none", dawn(nil))
		w.Plan().Must()
		check.True(t, "what is read anyhow is all", requested(w) == 1 && w.Count(route) == 1, w.Story())
	}
	for name, fault := range map[string]mockserver.Fault{
		"401": {Status: 401}, "403": {Status: 403}, "429": {Status: 429, Header: http.Header{"Retry-After": {"60"}}},
		"503":  {Status: 503},
		"lost": {DropBefore: true}, "late": {Delay: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := fromNothing(t)
			begun := w.Clock.Now()
			everywhere(w, fault)
			said := w.Plan().Must().Diagnostics
			check.True(t, "no message, and one request", len(said) == 0 && requested(w) == 1, said, w.Story())
			check.True(t, "at once", name == "late" || w.Clock.Now().Equal(begun))
		})
	}
	w := fromNothing(t)
	w.Workspace.Provider(core.Object{"base_url": w.Host + "/v1", "access_token": "offline"})
	w.Plan(core.Refresh(false)).Must()
	w.WantCount(t, "", 0)
}
