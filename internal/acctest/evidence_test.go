package acctest_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	householdCharacter    = "mediagen_character.c"
	householdImage        = "mediagen_face_image.i"
	householdRegeneration = "mediagen_dataset_image_regeneration.r"
	householdGroup        = "mediagen_generation_group.g"
	householdTraining     = "mediagen_body_lora_training.t"
)

const strangersKey = "strangers-api-key-0123456789"

type household struct{ *acctest.Scenario }

func newHousehold(t *testing.T, settings core.Object, change ...func(*mockserver.Options)) household {
	t.Helper()
	h := household{acctest.NewScenario(t, change...)}
	h.AddCharacter(mockserver.CharacterSeed{ID: "ada", Name: "Ada", FaceImages: 10})
	h.AddDatasetImages("ada", 2)
	h.AddAPIKey(strangersKey, "")
	source := filepath.Join(t.TempDir(), "face.png")
	check.Must(t, os.WriteFile(source, []byte("\x89PNG\r\n\x1a\n of a face"), 0o600))
	h.asks(acctest.APIKey, settings)
	h.Resource(householdCharacter, core.Object{"id": "ada"})
	h.Resource(householdImage, core.Object{"character_id": "ada", "source": source})
	h.Resource(
		householdRegeneration,
		core.Object{"character_id": "ada", "image_id": h.DatasetImages("ada")[0].ID, "prompt": "in the rain"},
	)
	h.Resource(
		householdGroup,
		core.Object{
			"character_id": "ada",
			"prompts":      core.Object{"a": core.Object{"prompt": "dawn"}, "b": core.Object{"prompt": "dusk"}},
		},
	)
	h.Resource(householdTraining, core.Object{"character_id": "ada", "wait_for_completion": false})
	h.Apply().Must()
	h.Refresh()
	if len(h.Addresses()) != 5 {
		t.Fatalf("the state has %q", h.Addresses())
	}
	return h
}

func (h household) asks(key string, settings core.Object) {
	config := core.Object{"base_url": h.URL, "api_key": key}
	maps.Copy(config, settings)
	h.Workspace.Provider(config)
}

// answersAt is the answer wherever the household may ask. Where a read has
// proven nothing, no deletion is sent: not each route is asked.
func (h household) answersAt(answer mockserver.Fault, routes ...string) {
	answer.MayStayUnmet = true
	for _, route := range routes {
		answer.Route = route
		h.Fault(answer)
	}
}

func (h household) wantKept() {
	h.T.Helper()
	addresses := h.Addresses()
	booked := len(h.Ledger().Entries)
	media := h.Media()
	for name, run := range map[string]func() *core.Result{
		"refresh": h.Refresh,
		"apply":   func() *core.Result { return h.Apply() },
		"destroy": h.Destroy,
	} {
		result := run()
		check.True(h.T, name+" reports an error", result.Diagnostics.HasErrors(), result.Diagnostics)
		if !slices.Equal(h.Addresses(), addresses) {
			h.T.Fatalf("%s leaves %q of %q in the state", name, h.Addresses(), addresses)
		}
	}
	check.True(
		h.T,
		"the service is as it was",
		len(h.Ledger().Entries) == booked && h.Media() == media && h.Trainings("ada")[0].Status != "cancelled",
		h.Ledger().Entries,
		h.Groups(),
		h.Trainings("ada"),
	)
}

// A gateway that knows no route returns 404 for everything, or for what a
// refresh reads. Nothing may leave the state, be bought again, deleted or
// called destroyed. Fault F13.
func TestGatewayKnowsNothing(t *testing.T) {
	tier.Long(t, "a gateway's 404 to each request of all types")
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		if of.Reads == nil && of.Makes != mockserver.RouteCreate {
			return // a refresh reads nothing
		}
		for name, gateway := range mockserver.GatewayNotFounds() {
			for _, everything := range []bool{true, false} {
				t.Run(fmt.Sprint(name, " for everything ", everything), func(t *testing.T) {
					t.Parallel()
					gateway := gateway // of two tests at once
					w := acctest.NewForSubjects(t).Scenario(t)
					w.Resource(address, of.With(nil))
					w.Apply().Must()
					w.ResetJournal()
					w.Refresh().Must()
					if everything {
						w.Fault(gateway)
					}
					routes := map[string]bool{mockserver.RouteToken: true}
					for _, entry := range w.Journal() {
						gateway.Route = entry.Route
						if !everything && !routes[entry.Route] {
							w.Fault(gateway)
						}
						routes[entry.Route] = true
					}
					booked := len(w.Ledger().Entries)
					for _, run := range []func() *core.Result{
						w.Refresh,
						func() *core.Result { return w.Apply() },
						w.Destroy,
					} {
						said := run().Diagnostics
						check.True(
							t,
							"it stays in the state",
							w.State(address) != nil && (!everything || said.HasErrors()),
							w.State(address),
							said,
						)
						if !everything && said.HasErrors() {
							break
						}
					}
					now := w.Ledger()
					check.True(
						t,
						"the service is as it was",
						len(now.Entries) == booked && len(now.Deletions) == 0,
						now,
					)
					w.ClearFaults()
					w.Plan().Must().WantEmpty()
				})
			}
		}
	})
}

// A destroy without a refresh begins with deletions: a gateway's reply is no
// deletion. Fault F13.
func TestGatewayDeletesNothing(t *testing.T) {
	t.Parallel()
	for name, gateway := range mockserver.GatewayNotFounds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHousehold(t, nil)
			h.answersAt(
				gateway,
				mockserver.RouteDeleteGroup,
				mockserver.RouteDelete,
				mockserver.RouteCancel,
				mockserver.RouteTraining,
			)
			result := h.Apply(core.Destroying(), core.Refresh(false))
			errors := result.Diagnostics.Errors()
			said := errors.String()
			check.True(
				t,
				"what the destroy says",
				len(errors) == 2 && strings.Contains(said, "does not prove") &&
					strings.Contains(said, "trust_not_found"),
				result.Diagnostics,
			)
			got := h.Addresses()
			check.True(
				t,
				"what stays in the state",
				slices.Equal(got, []string{householdTraining, householdGroup}) ||
					slices.Equal(got, []string{householdGroup, householdTraining}),
				got,
			)
			h.ClearFaults()
			h.Destroy().Must()
			check.True(
				t,
				"the destroy leaves nothing",
				len(h.Addresses()) == 0 && len(h.Groups()) == 0 && h.Trainings("ada")[0].Status == "cancelled",
				h.Addresses(),
				h.Groups(),
				h.Trainings("ada"),
			)
		})
	}
}

// The key of another organization, for one run, gets the service's own 404 for
// everything, or lists of nothing. Fault F13.
func TestStrangersKeySeesNothing(t *testing.T) {
	t.Parallel()
	own := mockserver.Fault{Status: 404, Body: `{"error":"not_found","message":"no such object"}`}
	empty := mockserver.Fault{Body: `{"assets":[],"images":[],"total":0}`}
	for name, test := range map[string]struct {
		answer mockserver.Fault
		routes []string
	}{
		"groups": {
			own,
			[]string{mockserver.RouteStatus, mockserver.RouteDeleteGroup, mockserver.RouteDelete},
		},
		"trainings":            {own, []string{mockserver.RouteTraining, mockserver.RouteCancel}},
		"images":               {own, []string{mockserver.RouteAssets}},
		"a list of no images":  {empty, []string{mockserver.RouteAssets}},
		"regenerations":        {own, []string{mockserver.RouteDataset}},
		"a dataset of nothing": {empty, []string{mockserver.RouteDataset}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHousehold(t, nil)
			// Without a character nothing names the organization.
			h.Remove(householdCharacter)
			h.Forget(householdCharacter)
			h.asks(strangersKey, nil)
			h.answersAt(test.answer, test.routes...)
			h.wantKept()
			h.ClearFaults()
			h.Refresh() // good reads make this caller the last that saw everything
			h.answersAt(test.answer, test.routes...)
			result := h.Refresh()
			check.True(
				t,
				"what is proven to be gone leaves the state",
				!result.Diagnostics.HasErrors() && len(h.Addresses()) != 4,
				h.Addresses(),
				result.Diagnostics,
			)
		})
	}
}

// With trust_not_found every 404 counts as proof. Fault F13.
func TestTrustNotFound(t *testing.T) {
	t.Parallel()
	for name, gateway := range mockserver.GatewayNotFounds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHousehold(t, core.Object{"trust_not_found": true})
			h.answersAt(
				gateway,
				mockserver.RouteStatus,
				mockserver.RouteTraining,
				mockserver.RouteAssets,
				mockserver.RouteDataset,
			)
			result := h.Refresh()
			got := h.Addresses()
			check.True(
				t,
				"what stays in the state",
				!result.Diagnostics.HasErrors() && slices.Equal(got, []string{householdCharacter}),
				got,
				result.Diagnostics,
			)
		})
	}
}
