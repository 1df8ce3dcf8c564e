package mockserver_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestCharacterPages(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	for range 250 {
		c.AddCharacter(mockserver.CharacterSeed{})
	}
	for query, want := range map[string]string{
		"":                      "20 0 20 true",
		"?limit=100":            "100 0 100 true",
		"?limit=100&offset=200": "100 200 50 false",
		"?limit=50&offset=200":  "50 200 50 false",
		"?offset=250":           "20 250 0 false",
	} {
		page := c.do("GET", "/v2/characters"+query, "", 200).object
		p := page["pagination"].(map[string]any)
		got := fmt.Sprint(p["limit"], " ", p["offset"], " ", p["returned"], " ", p["has_more"])
		check.True(t, query, got == want && float64(len(page["characters"].([]any))) == p["returned"], got, want)
	}
}

// No character is out of reach of a client that counts each entry once.
func TestOddPages(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"pages-too-long":  "101 entries, 101 new; 50 entries, 49 new; ",
		"pages-repeating": "100 entries, 99 new; 52 entries, 51 new; ",
	} {
		c := start(t, mockserver.Options{Variant: mockserver.Variants()[name]})
		for range 150 {
			c.AddCharacter(mockserver.CharacterSeed{})
		}
		seen := map[any]bool{}
		got := ""
		for more := true; more; {
			offset := len(seen) / 100 * 100 // the one-too-many is asked for again
			if name == "pages-repeating" {
				offset = len(seen)
			}
			page := c.do("GET", fmt.Sprintf("/v2/characters?limit=100&offset=%d", offset), "", 200).object
			known := len(seen)
			entries := page["characters"].([]any)
			for _, character := range entries {
				seen[character.(map[string]any)["character_id"]] = true
			}
			pagination := page["pagination"].(map[string]any)
			more = pagination["has_more"].(bool)
			check.Equal[any](t, name+": returned", pagination["returned"], float64(len(entries)))
			got += fmt.Sprintf("%d entries, %d new; ", len(entries), len(seen)-known)
		}
		check.Equal(t, name, got, want)
	}
}

// A token's list holds its creator's characters, the capabilities know all of
// them.
func TestOtherCreators(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	mine := c.AddCharacter(mockserver.CharacterSeed{CreatorID: "me"})
	other := c.AddCharacter(mockserver.CharacterSeed{CreatorID: "you"})
	c.AddAPIKey("my key", "me")
	c.token = c.exchange("my key")
	page := c.do("GET", "/v2/characters", "", 200).object
	list := page["characters"].([]any)
	check.True(
		t,
		"the page",
		len(list) == 1 && list[0].(map[string]any)["character_id"] == mine &&
			page["filters"].(map[string]any)["creator_id"] == "me",
		page,
	)
	c.do("GET", "/v2/"+other+"/generation/capabilities", "", 200)
	c.RemoveCharacter(other)
	c.do("GET", "/v2/"+other+"/generation/capabilities", "", 404)
}

func TestUpdateLeavesOutFields(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	id := c.AddCharacter(mockserver.CharacterSeed{Name: "a", Description: "b"})
	c.clock.advance(time.Hour)
	c.do("PUT", "/v2/characters/"+id, `{"description":""}`, 200)
	got, ok := c.Character(id)
	check.True(
		t,
		"character",
		ok && got.Name == "a" && got.Description == "" && got.UpdatedAt.Equal(c.clock.Now()),
		got,
	)
	c.SetCharacter(id, func(seed *mockserver.CharacterSeed) { seed.Name = "z" })
	got, _ = c.Character(id)
	check.Equal(t, "name", got.Name, "z")
}

func TestUploads(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{MaxFaceImages: 2, CaptionTime: time.Minute})
	id := c.AddCharacter(mockserver.CharacterSeed{})
	check.Equal(t, "an empty file", c.upload(id, "empty.png", nil).status, 400)
	first := c.upload(id, "a.png", []byte("x")).object
	wantFields(t, "the first upload", first, fields{"caption_status": "pending", "caption": nil})
	check.Equal(t, "what view_url serves", c.do("GET", path(t, first["view_url"].(string)), "", 200).body, "x")
	check.Equal(t, "the hash", c.Assets(id)[0].SHA256, fmt.Sprintf("%x", sha256.Sum256([]byte("x"))))
	status := func() map[string]any { return c.do("GET", "/v2/"+id+"/training/complete-status", "", 200).object }
	check.Equal(t, "training can start while a caption is pending", status()["can_start_body_training"], false)
	c.clock.advance(time.Minute)
	check.Equal(t, "training can start once the caption is there", status()["can_start_body_training"], true)
	large := bytes.Repeat([]byte("0123456789"), 1<<20)
	got := c.upload(id, "large.jpg", large)
	check.True(t, "a large file", got.status == 200 && c.Assets(id)[1].Size == int64(len(large)), got.status)
	check.Equal(t, "more than the cap", c.upload(id, "more.png", []byte("x")).status, 400)
	c.RemoveAsset(id, first["asset_id"].(string))
	check.Equal(t, "total", c.do("GET", "/v2/"+id+"/assets", "", 200).object["total"], 1.0)
	added := c.AddAsset(id, "body_image", "b.png", []byte("y"))
	assets := c.do("GET", "/v2/"+id+"/assets?asset_type=body_image", "", 200).object["assets"].([]any)
	wantFields(t, "the body image", assets[0].(map[string]any), fields{"asset_id": added.ID})
}

func TestDataset(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	id := c.AddCharacter(mockserver.CharacterSeed{})
	ids := c.AddDatasetImages(id, 3)
	all := c.do("GET", "/v2/"+id+"/dataset/images?approved_only=false", "", 200).object
	approved := c.do("GET", "/v2/"+id+"/dataset/images?approved_only=true", "", 200).object
	check.True(
		t,
		"the images, all and approved",
		all["total"] == 3.0 && all["approved_count"] == 2.0 && approved["total"] == 2.0 &&
			approved["approved_count"] == 2.0,
		all,
		approved,
	)
	view := all["images"].([]any)[0].(map[string]any)["view_url"].(string)
	c.do("GET", path(t, view), "", 200)
	got := c.do("POST", "/v2/"+id+"/dataset/images/"+ids[0]+"/regenerate", `{"prompt":"new"}`, 200).object
	image := c.DatasetImages(id)[0]
	check.True(
		t,
		"regenerated",
		got["approved"] == false && image.Regenerated && !image.Approved && image.Prompt == "new",
		got,
		image,
	)
	c.SetDatasetImage(id, ids[0], func(image *mockserver.DatasetImage) { image.Approved = true })
	c.do("POST", "/v2/"+id+"/dataset/images/"+ids[1]+"/regenerate", "", 200)
	images := c.DatasetImages(id)
	check.True(t, "the dataset", images[0].Approved && images[1].Prompt == "dataset image 2", images)
}
