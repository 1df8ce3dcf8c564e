package api

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// ImageRequest is what one image is made from. Its cost is not documented, so it
// counts as a purchase. The Triggers tell it from others in the purchase log,
// and are not sent.
type ImageRequest struct {
	Prompt   string
	Triggers map[string]string
}

// Order is POST /generate/image, which is alpha. Its reply is the addresses of
// the images: none if it names none, and does not call that an error.
func (r ImageRequest) Order() Order[[]string] {
	request := transport.Post("/generate/image").Expect("output")
	entry := &purchases.Entry{Type: "image"}
	return imageOrder(r, entry, request, func(c *Client, said reply.Object) ([]string, int64, error) {
		addresses := said.Texts("output")
		hasFailed := said.ErrorText("error") != nil
		if len(addresses) == 0 && hasFailed { // variant: image-later
			return nil, 1, refusedBy(reply.ErrorOf(c.transport.WithoutResult(request, said)))
		}
		return addresses, 0, nil
	})
}

// Regeneration is what an image of a dataset is made again from.
type Regeneration struct {
	CharacterID, ImageID string
	ImageRequest
}

// Order is POST /{character_id}/dataset/images/{image_id}/regenerate.
func (r Regeneration) Order() Order[*DatasetImage] {
	request := transport.Post("/{character_id}/dataset/images/{image_id}/regenerate", r.CharacterID, r.ImageID).
		Expect("image_id", "approved")
	entry := &purchases.Entry{
		Type:        "image_regeneration",
		CharacterID: r.CharacterID,
		ImageID:     r.ImageID,
	}
	return imageOrder(r.ImageRequest, entry, request, func(_ *Client, said reply.Object) (*DatasetImage, int64, error) {
		return decode[DatasetImage](said), 0, nil
	})
}

// imageOrder orders one image. Its entry names another image that the reply
// names.
func imageOrder[R any](
	image ImageRequest,
	entry *purchases.Entry,
	request *transport.Request,
	read func(c *Client, said reply.Object) (R, int64, error),
) Order[R] {
	prompt := same.Key(image.Prompt)
	entry.Prompts = map[string]string{"0": purchases.SumOf(prompt)}
	entry.Inputs = purchases.SumOf([]any{prompt, plainTriggers(image.Triggers)})
	return Order[R]{
		Purchase: purchases.Purchase{Kind: purchases.KindImage, Count: 1},
		Entry:    entry,
		request:  request.Paid().JSON(map[string]string{"prompt": image.Prompt}),
		receive: func(c *Client, said reply.Object) (R, int64, error) {
			made := value(said.Text("image_id"))
			if made != "" && made != entry.ImageID {
				entry.OtherIDs = append(entry.OtherIDs, made)
			}
			return read(c, said)
		},
		refresh: changesNothing,
	}
}
