package mockserver_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// TestDashboardReset: the page's form, also without its script, brings back what
// the service started with. No link does.
func TestDashboardReset(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Balance: -1, FailPrompts: []string{"dragon"}, GenerationTime: -1})
	c.AddCharacter(mockserver.CharacterSeed{ID: "ada", FaceImages: 1})
	reset := func() {
		t.Helper()
		form := regexp.MustCompile(`<form id="reset" popover method="post" action="([^"]*)">`).FindStringSubmatch(c.browse("/_mock/").body)
		if form == nil {
			t.Fatal("the page has no form")
		}
		request := c.request(http.MethodPost, form[1], "")
		request.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		if got := c.send(request); got.status != http.StatusNoContent || got.body != "" {
			t.Errorf("the form is answered %d %s", got.status, got.body)
		}
		c.wantSections("start characters")
		if got := c.Ledger(); got.Balance != 0 || len(got.Entries)+len(got.Deletions) > 0 {
			t.Errorf("after the reset: %+v", got)
		}
	}
	for range 2 {
		c.SetBalance(1)
		group, generations := c.generate("a dragon")
		check.Equal(t, "the prompt that fails", c.status(generations[0])["status"], "failed")
		c.do("DELETE", "/v2/generation/groups/"+group, "", 200)
		c.upload("ada", "face.png", []byte("face"))
		c.clock.advance(time.Minute)
		c.wantText("c-ada", "Faces 2")
		reset()
		c.wantText("c-ada", "Faces 1")
	}
	c.do("POST", "/v2/generation/batch", `{"prompts":[{"prompt":"a castle"}]}`, http.StatusPaymentRequired)
	c.do("GET", "/_mock/reset", "", http.StatusNotFound)
}
