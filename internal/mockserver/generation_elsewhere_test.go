package mockserver_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// What somebody else has generated is there, and not charged to the client.
func TestGenerateElsewhere(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	theirs := c.GenerateElsewhere("", "Strangers", "a", "b")
	c.clock.advance(time.Minute)
	check.True(t, "media, ledger, group", c.Media() == 2 && len(c.Ledger().Entries) == 0 && theirs.Title == "Strangers", c.Media(), c.Ledger(), theirs)
	for _, generation := range theirs.Generations {
		wantFields(t, "status", c.status(generation.ID), fields{"group_id": theirs.ID, "prompt": generation.Prompt})
	}
}

// A refusal names the group, and buys nothing in it.
func TestRefusalsNaming(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	theirs := c.GenerateElsewhere("", "Strangers", "a")
	for name, refusal := range mockserver.RefusalsNaming(theirs) {
		refusal.Route, refusal.Nth = mockserver.RouteBatch, 1
		c.Fault(refusal)
		got := c.send(c.request("POST", "/v2/generation/batch", aBatch))
		check.True(t, name+": got", got.status == refusal.Status && got.object["group_id"] == theirs.ID, got.status, got.body)
		if names := strings.Contains(got.body, theirs.Generations[0].ID); names != (name == "409 with a generation") {
			t.Errorf("%s: got %s", name, got.body)
		}
		c.ClearFaults()
	}
	check.True(t, "ledger, groups", len(c.Ledger().Entries) == 0 && len(c.Groups()) == 1 && len(c.Groups()[0].Generations) == 1, c.Ledger(), c.Groups())
}

// A version that the service does not have is not found, in its own words; that
// is the mistake of an address, not of a client.
func TestAnotherVersion(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	_, ids := c.generate("a")
	for _, request := range [][3]string{
		{"GET", "/v3/generation/status/" + ids[0], ""}, {"GET", "/v1/characters?limit=1", ""}, {"POST", "/v22/generation/batch", aBatch},
		{"DELETE", "/v3/generation/generations/" + ids[0], ""},
	} {
		if got := c.do(request[0], request[1], request[2], http.StatusNotFound); got.object["error"] != "not_found" {
			t.Errorf("%s %s: got %s", request[0], request[1], got.body)
		}
	}
	if len(c.Violations()) > 0 || len(c.Ledger().Entries) != 1 || len(c.Groups()[0].Generations) != 1 {
		t.Errorf("violations %q, ledger %v", c.Violations(), c.Ledger())
	}
}
