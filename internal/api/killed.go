package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Killed is a purchase that no state has, since the run that sent it was killed. The purchase log
// has our own receipt, which is proof: the same purchase is answered from it, and not sent again.
type Killed struct {
	Request, Sent string // its name in the log, and when it was sent
	Unconfirmed   error  // nil if its reply is known; else it may have been bought
	// Elsewhere says which process has bought it, if that may still run or is not one of this
	// directory: then it is told and not taken. Else it is empty.
	Elsewhere string
}

// SentAt is Sent as a time, by the clock of that run.
func (k Killed) SentAt() time.Time {
	sent, _ := time.Parse(time.RFC3339, k.Sent)
	return sent
}

// KilledBatch is a batch of a killed run.
type KilledBatch struct {
	Killed
	Keys        []string          // the wanted prompts that it has bought, or may have
	Reply       *BatchReply       // for those
	Generations map[string]string // all that it has bought, by key: some prompts may have changed since
}

// KilledWork is a training or dataset of a killed run.
type KilledWork struct {
	Killed
	Start *Receipt
}

// JobID names the job to a person, who has to find it if no reply has named it.
func (w *KilledWork) JobID() string { return cmp.Or(value(value(w.Start).JobID), "JOB_ID") }

func (u *unreturned) killed() Killed {
	killed := Killed{Request: u.Request, Sent: u.Time}
	if u.Outcome != outcomeAnswered {
		why := errors.New("the run that sent it was killed before it had the reply")
		killed.Unconfirmed = &reply.Error{Operation: u.Type, Sent: true, Effect: reply.EffectUnknown, Err: why}
	}
	if !u.isKilled {
		killed.Elsewhere = fmt.Sprintf("process %d on host %q in %q", u.By.PID, u.By.Host, u.By.Directory)
	}
	return killed
}

// KilledBatches returns, from the purchase log, what other runs have bought of a batch and no state
// has, without what is held already. With take this run answers for what killed ones have bought:
// they name one group at most.
func (c *Client) KilledBatches(ctx context.Context, batch Batch, held func(generationID string) bool, take bool) (killed []KilledBatch, err error) {
	want := batch.logEntry()
	_, err = c.unreturned(ctx, want, take, func(all []*unreturned) (chosen []*unreturned) {
		for _, purchase := range want.lineage(all, held) {
			if keys := want.keysIn(purchase, held); len(keys) > 0 {
				chosen, killed = append(chosen, purchase), append(killed, purchase.batch(keys))
				maps.DeleteFunc(want.Prompts, func(key, _ string) bool { return purchase.isKilled && slices.Contains(keys, key) })
			}
		}
		return chosen
	})
	return killed, err
}

// keysIn returns the wanted keys that a purchase may have bought, prompt and options being equal.
func (e *logEntry) keysIn(purchase *unreturned, held func(string) bool) (keys []string) {
	for key, sum := range e.Prompts {
		if purchase.Prompts[key] == sum && !slices.Contains(purchase.Rejected, key) && !held(purchase.Generations[key]) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// lineage returns the purchases for the same group as the wanted one. A group without an id is
// known by its title; of several that killed runs have made, the first that has a wanted key.
func (e *logEntry) lineage(all []*unreturned, held func(string) bool) []*unreturned {
	group := e.GroupID
	isRoot := func(u *unreturned) bool { return e.GroupID == "" && u.isRoot && value(u.Title) == value(e.Title) }
	for _, first := range all {
		if group == "" && first.isKilled && isRoot(first) && slices.ContainsFunc(all, func(u *unreturned) bool {
			return u.GroupID == first.GroupID && len(e.keysIn(u, held)) > 0
		}) {
			group = first.GroupID
		}
	}
	return slices.DeleteFunc(all, func(u *unreturned) bool {
		isFree := isRoot(u) && (u.GroupID == "" || !u.isKilled)
		return !isFree && (group == "" || u.GroupID != group)
	})
}

// batch returns the reply to a batch for some of its keys. Ids that the indices did not settle are
// given without them.
func (u *unreturned) batch(keys []string) KilledBatch {
	batch := KilledBatch{Killed: u.killed(), Keys: keys, Generations: u.Generations}
	if batch.Unconfirmed != nil {
		return batch
	}
	body := batchBody{otherIDs: u.OtherIDs}
	if u.GroupID != "" {
		body.GroupID = &u.GroupID
	}
	for i, key := range keys {
		if id := u.Generations[key]; id != "" {
			entry := batchEntry{GenerationID: &id}
			if value(u.Certain) {
				entry.PromptIndex = new(int64(i))
			}
			body.Results = append(body.Results, entry)
		}
	}
	receipt := u.Receipt
	receipt.SuccessfulSubmissions = nil // it counts the whole batch
	batch.Reply, _ = body.read(receipt, len(keys))
	return batch
}

// KilledWork returns, from the purchase log, what another run has ordered alike and no state has;
// nil if there is nothing. With take this run answers for it if that run was killed.
func (c *Client) KilledWork(ctx context.Context, order WorkOrder, take bool) (*KilledWork, error) {
	want := order.entry
	found, err := c.unreturned(ctx, want, take, func(all []*unreturned) []*unreturned {
		alike := slices.DeleteFunc(all, func(u *unreturned) bool { return u.Inputs != want.Inputs })
		// What can be taken goes before what is only told.
		first := max(0, slices.IndexFunc(alike, func(u *unreturned) bool { return u.isKilled }))
		return alike[first:min(first+1, len(alike))]
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	work := &KilledWork{Killed: found[0].killed()}
	if work.Unconfirmed == nil {
		work.Start = &found[0].Receipt
	}
	return work, nil
}
