package purchases

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// ImageRequest is what one image is made from. The Triggers tell it from others
// of its prompt; they are in the log alone.
type ImageRequest struct {
	Prompt   string
	Triggers map[string]string
}

// OrderImage orders an image. Its cost is not documented, so that it counts as a
// purchase.
func OrderImage(image ImageRequest) Order[[]string] {
	return orderImage(image, api.GenerateImage(image.Prompt), &Entry{Type: "image"})
}

// OrderRegeneration orders that an image of a dataset is made again.
func OrderRegeneration(characterID, imageID string, image ImageRequest) Order[*api.DatasetImage] {
	return orderImage(image, api.RegenerateImage(characterID, imageID, image.Prompt), &Entry{
		Type:        "image_regeneration",
		CharacterID: characterID,
		ImageID:     imageID,
	})
}

// orderImage orders one image. Its entry names another image that the reply
// names.
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
