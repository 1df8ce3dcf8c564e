package mockserver_test

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestInlineMedia(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Variant: mockserver.Variant{InlineMedia: 3 << 20, SignedURLs: true}})
	_, ids := c.generate("a")
	c.clock.advance(time.Minute)
	result := c.status(ids[0])["result_urls"].([]any)[0].(string)
	image := c.do("POST", "/v2/generate/image", `{"prompt":"a"}`, 200).object["output"].([]any)[0]
	encoded, isInline := strings.CutPrefix(result, "data:image/png;base64,")
	content, err := base64.StdEncoding.DecodeString(encoded)
	if !isInline || err != nil || len(content) != 3<<20 || image != result {
		t.Fatalf("%d bytes, %v, %.60s", len(content), err, result)
	}
	check.NoError(t, check.ErrorOf(png.Decode(bytes.NewReader(content))))
	check.Equal[any](t, "the result at the next read", c.status(ids[0])["result_urls"].([]any)[0], result)
}

func TestOddIDs(t *testing.T) {
	t.Parallel()
	for style, own := range map[mockserver.IDStyle]string{
		mockserver.IDsSlash:   "",
		mockserver.IDsPercent: "",
		mockserver.IDsPlain:   "a/b ü",
	} {
		c := start(t, mockserver.Options{Variant: mockserver.Variant{IDs: style}})
		id := c.AddCharacter(mockserver.CharacterSeed{ID: own})
		c.AddDatasetImages(id, 1)
		_, ids := c.generate("a")
		c.clock.advance(time.Minute)
		status := c.do("GET", "/v2/generation/status/"+url.PathEscape(ids[0]), "", 200).object
		dataset := c.do("GET", "/v2/"+url.PathEscape(id)+"/dataset/images", "", 200).object
		for name, address := range map[string]any{
			"result":  status["result_urls"].([]any)[0],
			"image":   c.do("POST", "/v2/generate/image", `{"prompt":"a"}`, 200).object["output"].([]any)[0],
			"asset":   c.upload(url.PathEscape(id), "a.png", []byte("x")).object["view_url"],
			"dataset": dataset["images"].([]any)[0].(map[string]any)["view_url"],
		} {
			check.True(
				t,
				name,
				c.send(c.request("GET", path(t, address.(string)), "")).status == 200,
				style,
				id,
				address,
			)
		}
	}
}
