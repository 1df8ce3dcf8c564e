package run

import (
	"context"
	"sync/atomic"
)

// Runs hold the data of the current run. A process usually serves one plan or
// apply. Terraform 1.16 has one process for all runs of a test file, and a
// debugger may serve several runs too. A new run therefore begins with the
// first refresh of a managed resource after an apply has begun: no plan or
// apply refreshes managed resources after its first change. A data source may
// still be read then.
type Runs struct{ data atomic.Pointer[ProviderData] }

// Configure sets the data of the first run.
func (r *Runs) Configure(data *ProviderData) { r.data.Store(data) }

// Current returns the data of the current run, or nil before Configure. Calls
// under way keep the data that they have.
func (r *Runs) Current() *ProviderData { return r.data.Load() }

// NoteApply notes that a create, update or delete begins.
func (r *Runs) NoteApply() {
	if data := r.Current(); data != nil {
		data.Progress.NoteApply()
	}
}

// NoteRefresh notes that a refresh of a managed resource begins.
func (r *Runs) NoteRefresh() {
	data := r.Current()
	if data == nil {
		return
	}
	if data.Progress.HasBegun() {
		r.data.CompareAndSwap(data, data.anew()) // another refresh may have been first
		data = r.Current()
	}
	data.Progress.NoteRefresh()
}

// OpenLog reads a purchase log whose reading takes long, once a run. An
// interrupt ends the reading.
func (r *Runs) OpenLog(ctx context.Context) {
	if data := r.Current(); data.Known() {
		data.Log().Open(ctx)
	}
}

// FinishLog waits until the notes of this run are in the purchase log, or
// cannot be written.
func (r *Runs) FinishLog() {
	if data := r.Current(); data.Known() {
		data.Log().Finish()
	}
}

// Ends reports whether a character is known to end with the run's plan: see
// CharacterPlans.
func (r *Runs) Ends(id string) bool {
	data := r.Current()
	return data != nil && data.Characters.Ends(id)
}

// DataFrom returns the data of the current run. It returns nil before the
// provider is configured, for example during validation.
func DataFrom(providerData any) *ProviderData {
	if runs, is := providerData.(*Runs); is {
		return runs.Current()
	}
	return nil
}
