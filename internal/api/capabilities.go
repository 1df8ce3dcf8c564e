package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Capabilities say what can be generated with a character.
type Capabilities struct {
	CharacterID        *string
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
	return &Capabilities{
		CharacterID:     reply.Text("character_id"),
		FaceLoRA:        decodeLoRA(reply.Object("face_lora")),
		BodyLoRA:        decodeLoRA(reply.Object("body_lora")),
		CanGenerate:     reply.Flag("can_generate"),
		GenerationReady: reply.Flag("generation_ready"),
	}, nil
}

func decodeLoRA(lora transport.Object) *LoRA {
	if lora == nil {
		return nil
	}
	return &LoRA{Status: lora.Text("status"), Available: lora.Flag("available"), URL: lora.Text("url")}
}

// CapabilitiesOnce is Capabilities, read once a character and client. A failed
// read is repeated by the next caller.
func (c *Client) CapabilitiesOnce(ctx context.Context, characterID string) (*Capabilities, error) {
	c.mutex.Lock()
	shared := c.capabilities[characterID]
	if shared == nil {
		shared = new(lazy[Capabilities])
		c.capabilities[characterID] = shared
	}
	c.mutex.Unlock()
	return shared.get(ctx, func() (*Capabilities, error) { return c.Capabilities(ctx, characterID) })
}

// ForgetCapabilities makes the next CapabilitiesOnce read again, as after a
// training.
func (c *Client) ForgetCapabilities(characterID string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.capabilities, characterID)
}
