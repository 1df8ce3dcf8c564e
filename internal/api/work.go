package api

import (
	"context"
	"maps"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// WorkOrder is an order of work for a character, the Purchase that it counts
// as, and what the purchase log says of it before it is sent.
type WorkOrder struct {
	Purchase purchases.Purchase
	Entry    *purchases.Entry
	request  *transport.Request
}

// StartWork sends an order, which costs credits: see buy. If
// reply.IsEffectUnknown, or if the receipt has no job's id, the work may run.
func (c *Client) StartWork(ctx context.Context, work WorkOrder) (*Receipt, error) {
	defer c.Trainings.Refresh(work.Entry.CharacterID)
	request := work.request.Paid().Receipt(reply.Receipt{Counts: []string{"credits_deducted"}, ID: "job_id"})
	if err := c.buy(ctx, order{request, work.Purchase, work.Entry}, nil); err != nil {
		return nil, err
	}
	return &work.Entry.Receipt, nil
}

// plainTriggers are equal for triggers that are the same.
func plainTriggers(triggers map[string]string) map[string]string {
	plain := maps.Clone(triggers)
	for name, text := range triggers {
		plain[name] = same.Key(text)
	}
	return plain
}
