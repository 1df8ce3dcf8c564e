package api

import (
	"maps"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// workOrder orders work for a character, of a kind that the limits count. Of an
// Unknown outcome, or if the receipt has no job's id, the work may run.
func workOrder(kind string, entry *purchases.Entry, request *transport.Request) Order[*Receipt] {
	return Order[*Receipt]{
		Purchase: purchases.Purchase{Kind: kind, Count: 1},
		Entry:    entry,
		request:  request.Paid().Receipt(reply.Receipt{Counts: []string{"credits_deducted"}, ID: "job_id"}),
		receive: func(*Client, reply.Object) (*Receipt, int64, error) {
			return &entry.Receipt, 0, nil
		},
		refresh: func(c *Client) { c.Trainings.Refresh(entry.CharacterID) },
	}
}

// plainTriggers are equal for triggers that are the same.
func plainTriggers(triggers map[string]string) map[string]string {
	plain := maps.Clone(triggers)
	for name, text := range triggers {
		plain[name] = same.Key(text)
	}
	return plain
}
