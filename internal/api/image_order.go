package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// ImageOrder is an order of one image, to be made from a prompt. Its cost is
// not documented, so it counts as a purchase. The Triggers tell it from others
// in the purchase log, and are not sent.
type ImageOrder struct {
	CharacterID, ImageID string // of a dataset's image, to be made again; else empty
	Prompt               string
	Triggers             map[string]string
}

// Entry is what the purchase log says of the order before it is sent.
func (o ImageOrder) Entry() *purchases.Entry {
	prompt := same.Key(o.Prompt)
	entry := &purchases.Entry{
		Type:        "image",
		CharacterID: o.CharacterID,
		ImageID:     o.ImageID,
		Prompts:     map[string]string{"0": purchases.SumOf(prompt)},
		Inputs:      purchases.SumOf([]any{prompt, plainTriggers(o.Triggers)}),
	}
	if o.ImageID != "" {
		entry.Type = "image_regeneration"
	}
	return entry
}

// GenerateImage sends POST /generate/image, which is alpha. It returns the
// addresses of the images, at least one: see IsEffectUnknown.
func (s *ModelService) GenerateImage(ctx context.Context, image ImageOrder) ([]string, error) {
	call := transport.Post("/generate/image").Paid().JSON(map[string]string{"prompt": image.Prompt}).Expect("output")
	reply, err := s.client.buyImage(ctx, call, image)
	if err != nil {
		return nil, err
	}
	addresses := reply.Texts("output")
	if len(addresses) == 0 { // variant: image-later
		return nil, s.client.transport.WithoutResult(call, reply)
	}
	return addresses, nil
}

func (c *Client) buyImage(
	ctx context.Context,
	paid *transport.Request,
	image ImageOrder,
) (said reply.Object, err error) {
	entry := image.Entry()
	one := purchases.Purchase{Kind: purchases.KindImage, Count: 1}
	err = c.buy(ctx, order{paid, one, entry}, func(answer reply.Object) (refused int64) {
		said = answer
		if made := value(said.Text("image_id")); made != "" && made != entry.ImageID {
			entry.OtherIDs = append(entry.OtherIDs, made)
		}
		return 0
	})
	return said, err
}
