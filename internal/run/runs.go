package run

import (
	"context"
	"sync/atomic"
)

// Runs hold the data of the current run. A process serves one plan or apply;
// only Terraform 1.16 has one serve all runs of a test file, and a debugger
// may. So another run begins with the first refresh of a managed resource that
// follows an apply: within a plan or apply nothing is refreshed any more then,
// but data sources may be read.
type Runs struct{ data atomic.Pointer[ProviderData] }

// Configure sets the data of the first run.
func (r *Runs) Configure(data *ProviderData) { r.data.Store(data) }

// Current returns the data of the current run; nil before Configure. Calls
// under way keep theirs.
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

// OpenLog reads a purchase log that takes long to read, once a run. An interrupt
// ends that.
func (r *Runs) OpenLog(ctx context.Context) {
	if data := r.Current(); data.Known() {
		data.Log().Open(ctx)
	}
}

// FinishLog waits until what nobody waited for is in the purchase log.
func (r *Runs) FinishLog() {
	if data := r.Current(); data.Known() {
		data.Log().Finish()
	}
}

// Ends reports whether a character ends with the run's plan, as far as is
// known: see CharacterPlans.
func (r *Runs) Ends(id string) bool {
	data := r.Current()
	return data != nil && data.Characters.Ends(id)
}

// DataFrom returns nil before the provider is configured, as in validate.
func DataFrom(providerData any) *ProviderData {
	if runs, is := providerData.(*Runs); is {
		return runs.Current()
	}
	return nil
}
