package mockserver_test

import (
	"bytes"
	"image/png"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A picture follows from its prompt and from who is in it, as both were when it was
// bought: a file of a service does not change.
func TestPictures(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	buy := func(characterID, prompt string) (fetch func() string) {
		body := `{"character_id":` + strconv.Quote(
			characterID,
		) + `,"prompts":[{"prompt":` + strconv.Quote(
			prompt,
		) + `}]}`
		_, ids := c.batch(body)
		c.clock.advance(time.Minute)
		address := path(t, c.status(ids[0])["result_urls"].([]any)[0].(string))
		return func() string { return c.do("GET", address, "", 200).body }
	}
	red := c.AddCharacter(mockserver.CharacterSeed{Description: "A violinist with red curls"})
	grey := c.AddCharacter(mockserver.CharacterSeed{Description: "An admiral with short grey hair"})
	beach := buy(red, "On the beach")
	before := beach()
	check.True(t, "the same again", buy(red, "On the beach")() == before)
	check.True(t, "another place", buy(red, "On a stage")() != before)
	check.True(t, "another character", buy(grey, "On the beach")() != before)
	c.SetCharacter(red, func(seed *mockserver.CharacterSeed) { seed.Description = "With long black hair" })
	check.True(t, "what was bought before the character changed", beach() == before)
	check.True(t, "what was bought since", buy(red, "On the beach")() != before)
	c.RemoveCharacter(red)
	check.True(t, "what a deleted character leaves", beach() == before)
}

// Any prompt is drawn, of anybody.
func TestPictures_ofAnything(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	for i, prompt := range []string{
		"ü 界",
		"A castle in winter, snow",
		"Behind her: a kitchen",
		"In red and blue rain, full length",
		"A forest path",
		"Half profile at a café",
		"At the quay at night, a concert",
		strings.Repeat("long ", 5000),
		strings.Repeat("x", 5000),
	} {
		id := c.AddCharacter(mockserver.CharacterSeed{Name: prompt[:2]})
		_, ids := c.batch(`{"character_id":"` + id + `","prompts":[{"prompt":"` + prompt + `"}]}`)
		c.clock.advance(time.Minute)
		body := c.do("GET", path(t, c.status(ids[0])["result_urls"].([]any)[0].(string)), "", 200).body
		drawn, err := png.Decode(bytes.NewBufferString(body))
		check.True(t, prompt[:2], err == nil && drawn.Bounds().Dx() == 384 && len(body) < 40_000, i, err, len(body))
	}
}
