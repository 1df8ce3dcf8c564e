package mockserver_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image/png"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Any reply that openapi.yaml does not describe fails it.
func TestWholeStory(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	id := c.AddCharacter(mockserver.CharacterSeed{ID: "a/b ü", Name: "Ada"})
	const escaped = "a%2Fb%20%C3%BC"

	exchange := c.request("POST", "/auth/generate-token", "")
	exchange.Header.Set("Content-Type", "application/json")
	exchange.Header.Del("Authorization")
	exchange.Header.Set("apikey", "mock-api-key")
	c.token = c.send(exchange).object["accessToken"].(string)

	list := c.do("GET", "/v2/characters?limit=5&offset=0", "", 200).object
	check.Equal(t, "name", list["characters"].([]any)[0].(map[string]any)["name"], "Ada")
	updated := c.do("PUT", "/v2/characters/"+escaped, `{"name":"Ada L.","description":"d"}`, 200).object
	wantFields(t, "updated", updated, fields{"description": "d", "name": "Ada L."})

	content := []byte("not really a picture")
	uploaded := c.upload(escaped, "face 1.png", content).object
	sum := sha256.Sum256(content)
	if assets := c.Assets(id); len(assets) != 1 || assets[0].SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("assets: %+v", assets)
	}
	check.Equal(t, "what view_url serves", c.do("GET", path(t, uploaded["view_url"].(string)), "", 200).body, string(content))
	assets := c.do("GET", "/v2/"+escaped+"/assets?asset_type=face_image", "", 200).object
	check.True(t, "assets", assets["total"] == 1.0, assets)

	training := c.do("POST", "/v2/"+escaped+"/training/body-lora", "", 200).object
	c.clock.advance(10 * time.Minute)
	running := c.do("GET", "/v2/"+escaped+"/training/complete-status", "", 200).object
	job := running["character_training"].(map[string]any)
	wantFields(t, "running job", job, fields{"job_id": training["job_id"], "progress": 50.0, "eta_minutes": 10.0})
	c.clock.advance(10 * time.Minute)
	able := c.do("GET", "/v2/"+escaped+"/generation/capabilities", "", 200).object
	check.True(t, "capabilities", able["body_lora"].(map[string]any)["available"] == true, able)

	group, generations := c.generate("a castle", "a garden (evening)")
	wantFields(t, "new generation", c.status(generations[0]), fields{"status": "queued", "error": nil})
	c.clock.advance(15 * time.Second)
	got := c.status(generations[0])
	check.True(t, "a half-done generation", got["progress"] == 50.0 && len(got["result_urls"].([]any)) == 0, got)
	c.clock.advance(15 * time.Second)
	result := path(t, c.status(generations[0])["result_urls"].([]any)[0].(string))
	check.NoError(t, check.ErrorOf(png.Decode(bytes.NewBufferString(c.do("GET", result, "", 200).body))))
	check.Equal(t, "media", c.Media(), 2)
	c.do("DELETE", "/v2/generation/generations/"+generations[1], "", 200)
	deleted := c.do("DELETE", "/v2/generation/groups/"+group, "", 200).object
	wantFields(t, "deleted", deleted, fields{"total_deleted_images": 1.0, "group_title": "a group"})
	c.do("GET", result, "", 404)
	c.do("DELETE", "/v2/generation/groups/"+group, "", 404)
	ledger := c.Ledger()
	check.True(t, "the ledger, the media", ledger.Balance == 10_000-102 && ledger.Spent() == 102 && len(ledger.Entries) == 2 && c.Media() == 0, ledger, c.Media())
}
