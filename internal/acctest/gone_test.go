package acctest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// notFound is what the service says of an object that it does not have, and
// its router of a path that it does not have.
var notFound = mockserver.Fault{Status: 404, Body: `{"error":"not_found","message":"no such thing"}`}

// A base_url with another version gets the router's 404 for everything, and one
// of another installation the service's own: neither has ever shown an object.
// Fault F23.
func TestMistypedAddressLosesNothing(t *testing.T) {
	t.Parallel()
	for name, provider := range map[string]func(household) core.Object{
		"another version": func(h household) core.Object { return core.Object{"base_url": h.Host + "/v3"} },
		"another path":    func(h household) core.Object { return core.Object{"base_url": h.Host + "/api/v2", "auth_url": h.Host} },
		"staging":         func(household) core.Object { return core.Object{"base_url": acctest.NewService(t).URL} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHousehold(t, nil, func(o *mockserver.Options) { o.OnViolation = func(string) {} }) // unknown paths are asked for
			h.asks(acctest.APIKey, provider(h))
			h.wantKept()
			result := h.Apply(core.Destroying(), core.Refresh(false))
			said := result.Diagnostics.Errors().String()
			if strings.Count(said, "base_url is now") != 2 || !strings.Contains(said, "trust_not_found") {
				t.Errorf("want an error about the group and one about the training:\n%s", said)
			}
			if got := h.Addresses(); !slices.Equal(got, []string{householdTraining, householdGroup}) {
				t.Errorf("the state has %q", got)
			}
			if h.Media() == 0 || h.Trainings("ada")[0].Status == "cancelled" {
				t.Errorf("the service was changed: %v %v", h.Groups(), h.Trainings("ada"))
			}
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
			h.answersAt(notFound, mockserver.RouteStatus, mockserver.RouteTraining, mockserver.RouteAssets, mockserver.RouteDataset,
				mockserver.RouteDeleteGroup, mockserver.RouteDelete, mockserver.RouteCancel)
			h.wantKept()
			h.ResetJournal()
			said := h.Refresh().Diagnostics
			if len(said) != 4 || len(said.Find("Wrong Base URL")) != 4 || strings.Count(said.String(), "MEDIAGEN_BASE_URL") != 1 {
				t.Errorf("want one error in full and three short ones:\n%s", said)
			}
			attempts := 1
			if answer.Status == 200 {
				attempts = 5 // an unreadable reply is read again
			}
			h.WantCount(t, mockserver.RouteCharacters, attempts)
			h.ResetJournal()
			if said := h.Apply(core.Destroying(), core.Refresh(false)).Diagnostics; len(said.Find("Wrong Base URL")) != 2 {
				t.Errorf("the destroy of the group and the training says:\n%s", said)
			}
			h.WantCount(t, mockserver.RouteCharacters, attempts)
		})
	}
}

// What else the question about the address is answered with, is an error of its
// own.
// Fault F23.
func TestAddressThatCannotBeProven(t *testing.T) {
	t.Parallel()
	for status, says := range map[int]string{401: "The service did not accept", 403: "403", 429: "429", 500: "500"} {
		h := newHousehold(t, nil)
		h.Remove(householdCharacter)
		h.Forget(householdCharacter)
		h.answersAt(notFound, mockserver.RouteStatus, mockserver.RouteTraining, mockserver.RouteAssets, mockserver.RouteDataset)
		h.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Status: status, Body: `{"error":"no"}`})
		before := h.Addresses()
		said := h.Refresh().Diagnostics
		if len(said.Find("Wrong Base URL")) > 0 || !strings.Contains(said.String(), says) || !slices.Equal(h.Addresses(), before) {
			t.Errorf("%d: the state has %q, and the refresh says:\n%s", status, h.Addresses(), said)
		}
	}
}
