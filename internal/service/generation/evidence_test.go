package generation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const gatewayPage = "<html><body><h1>404 Not Found</h1></body></html>"

// A gateway that stays ends the wait by its timeout, with what was read.
func TestGroup_gatewayThatStaysEndsTheWaitByItsTimeout(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.group(map[string]string{"a": "A"}, core.Object{"timeouts": core.Object{"create": "5m"}})
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Nth: 2, Times: 1000, Status: 404, Body: gatewayPage})
	result := s.Apply().Must()
	found := result.Diagnostics.Find("Unable to Wait for Generations")
	if len(found) != 1 || !strings.Contains(found[0].Detail, "5m0s") || !strings.Contains(found[0].Detail, "404") || !strings.Contains(found[0].Detail, "trust_not_found") {
		t.Errorf("the apply says:\n%s", result.Diagnostics)
	}
	s.Want(groupAddress, core.Object{"pending_count": 1, `generations["a"].id`: s.Groups()[0].Generations[0].ID})
	s.ClearFaults()
	s.buys(nil, 0)
	s.Plan().Must().WantEmpty()
}

// An empty status shows neither the generation nor to whom: a later 404 for
// another caller proves nothing.
// Fault F13.
func TestGroup_emptyStatusShowsNothing(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.group(map[string]string{"a": "A"})
	s.buys(created("a"), 1)
	s.AddOrganization("strangers-api-key-0123456789", "org_of_strangers")
	s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": "strangers-api-key-0123456789"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1, Body: "{}"})
	if result := s.Destroy(); !result.Diagnostics.HasErrors() || s.State(groupAddress) == nil {
		t.Errorf("the group is called destroyed:\n%s", result.Diagnostics)
	}
	check.Equal(t, "media", s.Media(), 1)
}

// A rotated key of an unnamed organization: if it can read one generation of
// the group, it is the same caller for the others.
// Fault F13.
func TestGroup_rotatedKeyIsNoStranger(t *testing.T) {
	t.Parallel()
	for name, deleted := range map[string]string{"the first": "A", "the last": "C"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.group(map[string]string{"a": "A", "b": "B", "c": "C"})
			s.buys(created("a", "b", "c"), 3)
			s.AddAPIKey("rotated-api-key-0123456789", "")
			s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": "rotated-api-key-0123456789"})
			for _, generation := range s.Groups()[0].Generations {
				if generation.Prompt == deleted {
					s.DeleteGenerationBehindTheBack(generation.ID)
				}
			}
			s.ResetJournal()
			s.buys(created(strings.ToLower(deleted))[1:], 1)
			s.Plan().Must().WantEmpty()
		})
	}
}

// The service's own 404 to a batch has the next refresh, and only that, read
// what it would not have read. A gateway's casts no doubt on the group.
// Fault F13.
func TestGroup_missingToABatchIsInDoubtForOneRefresh(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body, says string
		reads      int
	}{
		"a gateway's":   {gatewayPage, "does not prove", 0},
		"the service's": {`{"error":"not_found","message":"no such group"}`, "If the group was deleted elsewhere", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			settled := core.Object{"refresh_finished": false}
			s.group(map[string]string{"a": "A"}, settled)
			s.buys(created("a"), 1)
			s.group(map[string]string{"a": "A", "b": "B"}, settled)
			s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Status: 404, Body: test.body})
			if result := s.Apply(); !strings.Contains(result.Diagnostics.Errors().String(), test.says) {
				t.Errorf("the apply says:\n%s", result.Diagnostics)
			}
			s.ResetJournal()
			for range 2 {
				s.Refresh()
				s.WantCount(t, mockserver.RouteStatus, test.reads)
			}
			s.buys(created("b")[1:], 1)
			s.Plan().Must().WantEmpty()
		})
	}
}

// created are the unknown ids of a new group with these keys; the first is its
// own.
func created(keys ...string) []string {
	ids := []string{"id"}
	for _, key := range keys {
		ids = append(ids, fmt.Sprintf("generations[%q]", key))
	}
	return ids
}

// At another address, that one generation can be read proves nothing about the rest:
// it may be a copy of the service that lacks them.
// Fault F23.
func TestGroup_readAtAnotherAddress(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"})
	s.DeleteGenerationBehindTheBack(s.idOf("b"))
	s.set(core.Object{"base_url": strings.Replace(s.URL, "127.0.0.1", "localhost", 1)})
	s.WantError(s.Plan().Diagnostics, "Unable to Read Generation Group", "base_url is now localhost:")
	s.set(nil)
	s.buys(created("b")[1:], 1)
}
