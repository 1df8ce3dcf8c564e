package purchases

import (
	"maps"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// OrderTraining orders a training. The triggers distinguish the order from
// other orders with the same kind and character; they are only in the log.
func OrderTraining(kind api.TrainingKind, characterID string, triggers map[string]string) Order[*api.Receipt] {
	return orderWork(KindTraining, kind.Start(characterID), &Entry{
		Type:        "training",
		CharacterID: characterID,
		Inputs:      SumOf([]any{kind.Route, plainTriggers(triggers)}),
	})
}

// OrderDataset orders the images of a dataset; their cost is not documented.
// The triggers distinguish the order from other orders with the same character;
// they are only in the log.
func OrderDataset(request api.DatasetRequest, characterID string, triggers map[string]string) Order[*api.Receipt] {
	plain := request
	plain.Prompts = slices.Clone(request.Prompts)
	for i, prompt := range plain.Prompts {
		plain.Prompts[i] = same.Key(prompt)
	}
	return orderWork(KindDataset, request.Generate(characterID), &Entry{
		Type:        "dataset",
		CharacterID: characterID,
		Inputs:      SumOf([]any{plain, plainTriggers(triggers)}),
	})
}

// orderWork orders work for a character. The work may run if the outcome is
// Unknown, or if the receipt has no job id.
func orderWork(kind string, request api.Paid[*api.Receipt], entry *Entry) Order[*api.Receipt] {
	return Order[*api.Receipt]{
		Purchase: Purchase{Kind: kind, Count: 1},
		Entry:    entry,
		request:  request,
		note:     func(reply.Object, *api.Receipt, error) (refused int64) { return 0 },
		refresh:  func(client *evidence.Client) { client.Trainings.Refresh(entry.CharacterID) },
	}
}

// plainTriggers returns equal values for equal triggers.
func plainTriggers(triggers map[string]string) map[string]string {
	plain := maps.Clone(triggers)
	for name, text := range triggers {
		plain[name] = same.Key(text)
	}
	return plain
}
