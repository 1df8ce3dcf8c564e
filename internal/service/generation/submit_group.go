package generation

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// submit sends the keys in batches of the configured size. It stops after the
// first batch that is not known to be accepted; the next plan has the rest. It
// sends nothing if the purchase log guards one of the keys. It returns false, and
// the operation ends, if an error came before anything may have been bought.
func (op *execution) submit(ctx context.Context, keys []string) bool {
	if len(keys) == 0 {
		return true
	}
	want := purchases.OrderBatch(op.group.toBatch(keys)).Entry
	if op.data.RefuseGuarded(ctx, want, op.guarded, op.diags) || op.refuseMissingLoRAs(ctx, keys) {
		return false
	}
	size := cmp.Or(op.group.values.MaxPromptsPerBatch.ValueInt64(), op.data.MaxPromptsPerBatch, int64(len(keys)))
	for batch := range slices.Chunk(keys, int(size)) {
		// After an interrupt the next batch fails before it is sent.
		op.findGroupID(ctx)
		if !op.submitBatch(ctx, batch) {
			break
		}
	}
	return op.mayBePaid
}

// submitBatch buys a batch, stores the outcome, and reports whether the service
// accepted the batch. The other objects of the run learn what was bought before
// the next batch is sent.
func (op *execution) submitBatch(ctx context.Context, keys []string) (accepted bool) {
	order := purchases.OrderBatch(op.group.toBatch(keys))
	outcome := purchases.Buy(ctx, &op.data.Purchaser, order, &submission{op, keys})
	if op.mayBePaid {
		op.group.hold(ctx, op.data, op.private, op.diags)
	}
	return outcome == purchases.Accepted
}

// mayBeForSize reports whether a refusal may be due to the number of prompts in
// the batch. A refusal that blames single prompts, or other fields, is not.
func mayBeForSize(err error) bool {
	failure := reply.ErrorOf(err)
	if !reply.IsRefused(err) || reply.IsLimited(err) || !slices.Contains(sizeStatuses, failure.Said.Status) {
		return false
	}
	return len(failure.Said.Fields) == 0 || slices.ContainsFunc(failure.Said.Fields, isOfWholeBatch)
}

// sizeStatuses are the statuses that may mean that a request is too large.
var sizeStatuses = []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}

// isOfWholeBatch reports whether a validation error blames all prompts, their
// number, or the whole body. A path with an index blames a single prompt.
func isOfWholeBatch(field reply.FieldError) bool {
	if slices.ContainsFunc(field.Path, isIndex) {
		return false
	}
	last := field.Path[len(field.Path)-1]
	isOfPrompts := strings.Contains(last, "prompt") // for example prompt_count
	return isOfPrompts || last == "body" || slices.Contains(field.Path, "prompts")
}

// isIndex reports whether a step of a path is the index of an element in a
// list.
func isIndex(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
}

// toBatch returns a batch of these keys.
func (g *group) toBatch(keys []string) api.Batch {
	batch := api.Batch{
		CharacterID: g.values.CharacterID.ValueStringPointer(),
		GroupTitle:  g.title(),
	}
	if g.hasID() {
		batch.GroupID = g.values.ID.ValueStringPointer()
	}
	for _, key := range keys {
		prompt := g.Prompts[key]
		sent := api.Prompt{Key: key}
		for _, input := range promptInputs {
			input.send(&prompt, &sent)
		}
		batch.Prompts = append(batch.Prompts, sent)
	}
	return batch
}
