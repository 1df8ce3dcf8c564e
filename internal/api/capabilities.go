package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Capabilities describes what can be generated with a character.
type Capabilities struct {
	FaceLoRA, BodyLoRA *LoRA
	CanGenerate        *bool
	GenerationReady    *bool
}

// LoRA is a trained model of a character.
type LoRA struct {
	Status    *string
	Available *bool
	URL       *string
}

// Capabilities reads GET /{character_id}/generation/capabilities.
func (c *Client) Capabilities(ctx context.Context, characterID string) (*Capabilities, error) {
	reply, err := c.do(ctx, transport.Get("/{character_id}/generation/capabilities", characterID).
		Expect("can_generate", "generation_ready", "face_lora", "body_lora"))
	if err != nil {
		return nil, err
	}
	return decode[Capabilities](reply), nil
}

// CapabilitiesToBuy is CapabilitiesOnce before a purchase, and for it alone: the
// first one goes by what its plan has just read, each later one reads again. Plans
// that come after a purchase read nothing more.
func (c *Client) CapabilitiesToBuy(ctx context.Context, characterID string) (*Capabilities, error) {
	if _, later := c.boughtWith.LoadOrStore(characterID, true); later {
		c.capabilities.Forget(characterID)
	}
	return c.CapabilitiesOnce(ctx, characterID)
}

// CapabilitiesOnce is Capabilities, read once per character and client, and
// again after ForgetTraining.
func (c *Client) CapabilitiesOnce(ctx context.Context, characterID string) (*Capabilities, error) {
	return c.capabilities.Get(ctx, characterID)
}
