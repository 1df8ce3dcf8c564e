package stub

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// BatchOf returns a batch with a prompt for each key.
func BatchOf(keys ...string) api.Batch {
	var batch api.Batch
	for _, key := range keys {
		batch.Prompts = append(batch.Prompts, api.Prompt{Key: key, Prompt: "picture of " + key})
	}
	return batch
}

// Logged makes the client write its purchase log to a file.
func Logged(path string) func(*Config) {
	return func(c *Config) { c.PurchaseLogs = []string{path} }
}

// LinesOf reads a purchase log. It replaces the random id of each request by
// the request's number.
func LinesOf(t *testing.T, path string) (lines []map[string]any) {
	t.Helper()
	content, err := os.ReadFile(path)
	check.Must(t, err)
	requests := map[any]int{}
	for text := range strings.Lines(string(content)) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil || !strings.HasSuffix(text, "\n") {
			t.Fatalf("%q: %v", text, err)
		}
		id, _ := line["request"].(string)
		if _, known := requests[id]; !known {
			requests[id] = len(requests) + 1
		}
		check.True(t, "the request is random", len(id) >= 20, id)
		line["request"] = requests[id]
		if by, is := line["by"].(map[string]any); is {
			check.True(
				t,
				"it says which run, and whose",
				by["run"] != "" && by["address"] != "" && by["credential"] != "",
				by,
			)
			check.Equal(t, "the version", line["version"], any(2.0))
			delete(line, "by")
			delete(line, "version")
		}
		if inputs, is := line["inputs"].(string); is {
			check.Equal(t, "the sum of the inputs", len(inputs), sha256.Size*2)
			delete(line, "inputs")
		}
		lines = append(lines, line)
	}
	return lines
}

// OrderOf returns an order for a batch with a prompt for each key.
func OrderOf(keys ...string) purchases.Order[*api.BatchReply] {
	return purchases.OrderBatch(BatchOf(keys...))
}

// OrderBatch returns an order for a batch.
func OrderBatch(batch api.Batch) purchases.Order[*api.BatchReply] { return purchases.OrderBatch(batch) }

// TrainingOf returns an order for the training of a character.
func TrainingOf(characterID string) purchases.Order[*api.Receipt] {
	return purchases.OrderTraining(api.BodyTraining, characterID, nil)
}

// ImageOf returns an order for an image of a prompt.
func ImageOf(prompt string) purchases.Order[[]string] {
	return purchases.OrderImage(purchases.ImageRequest{Prompt: prompt})
}

// FaceImage returns a picture of a face with the given content.
func FaceImage(content string) api.Image {
	sum := sha256.Sum256([]byte(content))
	return api.Image{
		Open:        func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil },
		Filename:    "face.png",
		ContentType: "image/png",
		SHA256:      hex.EncodeToString(sum[:]),
		Size:        int64(len(content)),
	}
}
