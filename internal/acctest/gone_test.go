package acctest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// notFound is what the service says of an object, and its router of a path,
// that it does not have.
var notFound = mockserver.Fault{Status: 404, Body: `{"error":"not_found","message":"no such thing"}`}

// A base_url with another version gets the router's 404 for everything, and one
// of another installation the service's own: neither has ever shown an object.
// Fault F23.
func TestMistypedAddressLosesNothing(t *testing.T) {
	t.Parallel()
	for name, provider := range map[string]func(household) core.Object{
		"another version": func(h household) core.Object { return core.Object{"base_url": h.Host + "/v3"} },
		"another path": func(h household) core.Object {
			return core.Object{"base_url": h.Host + "/api/v2", "auth_url": h.Host}
		},
		"staging": func(household) core.Object { return core.Object{"base_url": acctest.NewService(t).URL} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHousehold(
				t,
				nil,
				func(o *mockserver.Options) { o.OnViolation = func(string) {} },
			) // unknown paths are asked for
			h.asks(acctest.APIKey, provider(h))
			h.wantKept()
			result := h.Apply(core.Destroying(), core.Refresh(false))
			said := result.Diagnostics.Errors().String()
			check.True(
				t,
				"an error about the group and one about the training",
				strings.Count(said, "base_url is now") == 2 && strings.Contains(said, "trust_not_found"),
				said,
			)
			check.Equal(t, "what stays in the state", h.Addresses(), []string{householdTraining, householdGroup})
			check.True(
				t,
				"the service is as it was",
				h.Media() != 0 && h.Trainings("ada")[0].Status != "cancelled",
				h.Groups(),
				h.Trainings("ada"),
			)
		})
	}
}

// What was made at another address, and no read has shown yet, is not pending
// here: it would be waited for, or kept in silence. Fault F23.
func TestMistypedAddressHasNothingPending(t *testing.T) {
	t.Parallel()
	for address, config := range map[string]core.Object{
		householdGroup:    {"prompts": core.Object{"a": core.Object{"prompt": "dawn"}}, "wait_for_completion": false},
		householdTraining: {"character_id": "ada", "wait_for_completion": false},
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewScenario(t, func(o *mockserver.Options) { o.OnViolation = func(string) {} })
			w.AddAda()
			w.Resource(address, config)
			w.Apply().Must()
			w.Workspace.Provider(core.Object{"base_url": w.Host + "/v3", "api_key": acctest.APIKey})
			said := w.Refresh().Diagnostics
			check.True(
				t,
				"an error that keeps the state",
				said.HasErrors() && strings.Contains(said.String(), "base_url is now") && w.State(address) != nil,
				w.State(address),
				said,
			)
		})
	}
}

// Where nothing is stored about the address, a run in which nothing was found
// asks once whether it is the service's. Each error says that it is not.
// Fault F23.
func TestNothingFoundIsAWrongAddress(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]mockserver.Fault{
		"a router's":  notFound,
		"retired":     {Status: 410, Body: `{"error":"gone"}`},
		"a web page":  {Status: 200, Body: "<html>Welcome</html>"},
		"a gateway's": {Status: 404, Body: "404 page not found\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHousehold(t, nil)
			h.Remove(householdCharacter)
			h.Forget(householdCharacter)
			answer.Route = mockserver.RouteCharacters
			h.Fault(answer)
			h.answersAt(
				notFound,
				mockserver.RouteStatus,
				mockserver.RouteTraining,
				mockserver.RouteAssets,
				mockserver.RouteDataset,
				mockserver.RouteDeleteGroup,
				mockserver.RouteDelete,
				mockserver.RouteCancel,
			)
			h.wantKept()
			h.ResetJournal()
			said := h.Refresh().Diagnostics
			check.True(
				t,
				"one error in full and three short ones",
				len(said) == 4 && len(said.Find("Wrong Base URL")) == 4 &&
					strings.Count(said.String(), "MEDIAGEN_BASE_URL") == 1,
				said,
			)
			attempts := 1
			if answer.Status == 200 {
				attempts = 5 // an unreadable reply is read again
			}
			h.WantCount(t, mockserver.RouteCharacters, attempts)
			h.ResetJournal()
			check.True(
				t,
				"the errors of the group and the training",
				len(h.Apply(core.Destroying(), core.Refresh(false)).Diagnostics.Find("Wrong Base URL")) == 2,
			)
			h.WantCount(t, mockserver.RouteCharacters, attempts)
		})
	}
}

// What else the question about the address is answered with, is an error of its
// own. Fault F23.
func TestAddressThatCannotBeProven(t *testing.T) {
	t.Parallel()
	for status, says := range map[int]string{401: "The service did not accept", 403: "403", 429: "429", 500: "500"} {
		h := newHousehold(t, nil)
		h.Remove(householdCharacter)
		h.Forget(householdCharacter)
		h.answersAt(
			notFound,
			mockserver.RouteStatus,
			mockserver.RouteTraining,
			mockserver.RouteAssets,
			mockserver.RouteDataset,
		)
		h.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Status: status, Body: `{"error":"no"}`})
		before := h.Addresses()
		said := h.Refresh().Diagnostics
		check.True(
			t,
			fmt.Sprint(status),
			len(said.Find("Wrong Base URL")) == 0 && strings.Contains(said.String(), says) &&
				slices.Equal(h.Addresses(), before),
			h.Addresses(),
			said,
		)
	}
}

// After a rename of the address, what a read shows there is remembered; what
// was deleted meanwhile takes trust_not_found, also beside a sibling that is
// shown. Fault F23.
func TestRenamedAddress(t *testing.T) {
	t.Parallel()
	const address, renamed = "mediagen_generation_group.g", "https://renamed.example/v2"
	prompts := core.Object{
		"prompts": core.Object{"a": core.Object{"prompt": "dawn"}, "b": core.Object{"prompt": "dusk"}},
	}
	begin := func(t *testing.T) (*acctest.Scenario, func(settings core.Object)) {
		w := acctest.NewRepeatable(t).Scenario(t)
		w.Resource(address, prompts)
		w.Apply().Must()
		w.Refresh()
		return w, func(settings core.Object) {
			config := core.Object{"base_url": renamed, "api_key": acctest.APIKey}
			maps.Copy(config, settings)
			w.Workspace.Provider(config)
		}
	}
	remove := func(w *acctest.Scenario, key string) {
		w.DeleteGenerationBehindTheBack(w.Value(address, `generations["`+key+`"].id`).(string))
	}
	t.Run("shown first", func(t *testing.T) {
		t.Parallel()
		w, rename := begin(t)
		rename(nil)
		w.Plan().Must().WantEmpty()
		w.Refresh()
		remove(w, "a")
		remove(w, "b")
		said := w.Refresh().Diagnostics
		check.True(t, "the group is gone", !said.HasErrors() && w.State(address) == nil, said)
	})
	for name, keys := range map[string][]string{
		"all deleted first":       {"a", "b"},
		"one deleted first":       {"a"},
		"the other deleted first": {"b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, rename := begin(t)
			for _, key := range keys {
				remove(w, key)
			}
			rename(nil)
			for range 2 {
				w.WantError(
					w.Refresh().Diagnostics,
					"Unable to Read Generation Group",
					"localhost/v2",
					"renamed.example/v2",
					"trust_not_found",
				)
			}
			w.Want(address, core.Object{"succeeded_count": 2})
			rename(core.Object{"trust_not_found": true})
			said := w.Refresh().Diagnostics
			check.True(t, "the refresh works", !said.HasErrors(), said)
			left := w.State(address)
			check.True(t, "what is left", (left == nil) == (len(keys) == 2), left)
		})
	}
}

// once are single answers that an object is gone, and the read that takes it
// back.
var once = map[string]struct {
	faults []mockserver.Fault
	read   string
}{
	householdGroup: {
		[]mockserver.Fault{{Route: mockserver.RouteStatus, Status: 404, Body: notFound.Body}},
		mockserver.RouteStatus,
	},
	householdTraining: {
		[]mockserver.Fault{{Route: mockserver.RouteTraining, Status: 404, Body: notFound.Body}},
		mockserver.RouteTraining,
	},
	householdImage: {
		[]mockserver.Fault{{Route: mockserver.RouteAssets, Body: `{"assets":[],"total":0}`}},
		mockserver.RouteAssets,
	},
	householdRegeneration: {
		[]mockserver.Fault{{Route: mockserver.RouteDataset, Body: `{"images":[],"total":0}`}},
		mockserver.RouteDataset,
	},
	householdCharacter: {[]mockserver.Fault{
		{Route: mockserver.RouteCharacters, Body: `{"characters":[],"pagination":{"has_more":false}}`},
		{Route: mockserver.RouteCapabilities, Status: 404, Body: notFound.Body},
	}, mockserver.RouteCharacters},
}

// One answer that an object is gone, which the next read takes back, as of one
// replica among several, changes nothing and costs one request. One that fails
// is no second answer. Fault F23.
func TestGoneOnceIsNotGone(t *testing.T) {
	t.Parallel()
	for address, answer := range once {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			h := newHousehold(t, nil)
			h.ResetJournal()
			h.Refresh()
			usual := h.Count("")
			for _, fault := range answer.faults {
				fault.Times = 1
				h.Fault(fault)
			}
			h.ResetJournal()
			began := h.Clock.Now()
			said := h.Refresh().Diagnostics
			check.True(
				t,
				"everything stays in the state",
				!said.HasErrors() && len(h.Addresses()) == 5,
				h.Addresses(),
				said,
			)
			extra := len(answer.faults) // the first answer of the character's list is the usual one
			check.Equal(t, "requests more than usual", h.Count("")-usual, extra)
			check.True(t, "there is a pause before the second read", h.Clock.Now().Sub(began).Seconds() >= 2)
			h.Plan().Must().WantEmpty()
			for _, fault := range answer.faults {
				fault.Times = 1
				h.Fault(fault)
			}
			h.Fault(mockserver.Fault{Route: answer.read, Status: 403, Body: `{"error":"forbidden"}`})
			said = h.Refresh().Diagnostics
			check.True(
				t,
				"an error that keeps the state",
				strings.Contains(said.Errors().String(), "403") && len(h.Addresses()) == 5,
				h.Addresses(),
				said,
			)
			h.ClearFaults()
			h.Plan().Must().WantEmpty()
		})
	}
}
