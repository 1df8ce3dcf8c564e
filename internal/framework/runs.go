package framework

import "sync"

// Runs hold the data of the current run. A process serves one plan or apply; only
// Terraform 1.16 has one serve all runs of a test file, and a debugger may. So a
// run begins anew with the first refresh of a managed resource that follows an
// apply: within one plan or apply nothing is refreshed any more then, but data
// sources may be read.
type Runs struct {
	mutex sync.Mutex
	data  *ProviderData
}

// Configure sets the data of the first run.
func (r *Runs) Configure(data *ProviderData) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.data = data
}

// Current returns the data of the current run; nil before Configure. What is
// under way goes on with the data that it began with.
func (r *Runs) Current() *ProviderData {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.data
}

// Applies notes that a create, update or delete begins.
func (r *Runs) Applies() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.data != nil {
		r.data.applied.Store(true)
	}
}

// Refreshes notes that a refresh of a managed resource begins.
func (r *Runs) Refreshes() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.data == nil {
		return
	}
	if r.data.applied.Load() {
		r.data = r.data.anew()
	}
	r.data.refreshed.Store(true)
}

// Repeats reports whether a plan is made again by an apply, so that a person has read
// its warnings. CLIs allow a deferral in applies, and in plans only of stacks, which
// refresh first; OpenTofu tells nothing before the first change.
func (r *Runs) Repeats(mayDefer bool) bool {
	data := r.Current()
	return data != nil && (data.Applying() || mayDefer && !data.refreshed.Load())
}

// Applying reports whether this run has begun to create, update or delete.
func (d *ProviderData) Applying() bool { return d.applied.Load() }
