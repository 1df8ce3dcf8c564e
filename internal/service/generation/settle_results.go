package generation

import (
	"context"
	"slices"
)

// Whose a generation is. prompt_index decides. What the reply to a batch leaves open
// is placed in its order, and given, at the end of the same operation, to the keys
// whose texts the statuses show: all of it, or nothing.

// leaveOpen records that the reply to a batch does not tell whose its generations
// are. If it names one twice, no status will.
func (op *operation) leaveOpen(keys []string) {
	g, ids := op.group, op.group.IDsOf(keys)
	g.Open = append(g.Open, ids...)
	if !slices.ContainsFunc(ids, func(id string) bool { return len(g.KeysOf(id)) > 1 }) {
		op.openBatches = append(op.openBatches, keys)
	}
}

// settle gives the open generations of each batch of the operation to their keys.
func (op *operation) settle(ctx context.Context) {
	g := op.group
	for _, keys := range op.openBatches {
		unread := slices.DeleteFunc(g.IDsOf(keys), func(id string) bool { return op.statuses[id] != nil })
		if op.readAwaited(ctx, unread) == nil {
			g.Settle(keys, op.shownText)
		}
	}
	if len(op.bought) > 0 {
		g.warnOfOpen(op.diags)
	}
}

// shownText returns the text that the status of a generation has shown.
func (op *operation) shownText(id string) (text string, shown bool) {
	if status := op.statuses[id]; status != nil && status.Prompt != nil {
		return *status.Prompt, true
	}
	return "", false
}
