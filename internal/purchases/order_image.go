package purchases

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// ImageRequest describes one image to make. The Triggers distinguish the
// request from other requests with the same prompt; they are only in the log.
type ImageRequest struct {
	Prompt   string
	Triggers map[string]string
}

// OrderImage orders an image. Its cost is not documented, so the order counts
// only as a purchase.
func OrderImage(image ImageRequest) Order[[]string] {
	return orderImage(image, api.GenerateImage(image.Prompt), &Entry{Type: "image"})
}

// OrderRegeneration orders the regeneration of an image of a dataset.
func OrderRegeneration(characterID, imageID string, image ImageRequest) Order[*api.DatasetImage] {
	return orderImage(image, api.RegenerateImage(characterID, imageID, image.Prompt), &Entry{
		Type:        "image_regeneration",
		CharacterID: characterID,
		ImageID:     imageID,
	})
}

// orderImage orders one image. If the reply names a different image, the entry
// notes its id.
func orderImage[R any](image ImageRequest, request api.Paid[R], entry *Entry) Order[R] {
	prompt := same.Key(image.Prompt)
	entry.Prompts = map[string]string{"0": SumOf(prompt)}
	entry.Inputs = SumOf([]any{prompt, plainTriggers(image.Triggers)})
	return Order[R]{
		Purchase: Purchase{Kind: KindImage, Count: 1},
		Entry:    entry,
		request:  request,
		note: func(said reply.Object, _ R, refusal error) (refused int64) {
			made := reply.ValueOf(said.Text("image_id"))
			if made != "" && made != entry.ImageID {
				entry.OtherIDs = append(entry.OtherIDs, made)
			}
			if refusal != nil {
				return 1
			}
			return 0
		},
	}
}
