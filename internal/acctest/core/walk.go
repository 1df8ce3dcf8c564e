package core

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// operation is a command of the CLI, with any number of walks.
type operation struct {
	workspace *Workspace
	ctx       context.Context // the context lives as long as the command
	deferring bool
	cancel    context.CancelFunc

	mutex   sync.Mutex
	stopped bool
	killed  bool
	server  tfprotov6.ProviderServer
}

// start starts a command, which is interrupted when ctx ends.
func (w *Workspace) start(ctx context.Context) (*operation, func()) {
	o := &operation{workspace: w}
	o.ctx, o.cancel = context.WithCancel(context.WithoutCancel(ctx))
	w.mutex.Lock()
	w.operation = o
	w.mutex.Unlock()
	unwatch := context.AfterFunc(ctx, func() { o.stop(false) })
	if ctx.Err() != nil {
		o.stop(false)
	}
	return o, func() {
		unwatch()
		o.cancel()
		w.mutex.Lock()
		w.operation = nil
		w.mutex.Unlock()
		w.finishProcess()
	}
}

// Interrupt is Ctrl-C during a command: the provider is told to stop, its
// results are saved, and nothing else is started.
func (w *Workspace) Interrupt() { w.signal(false) }

// Kill is kill -9 during a command: everything that the provider returns from
// then on is lost.
func (w *Workspace) Kill() { w.signal(true) }

func (w *Workspace) signal(kill bool) {
	w.mutex.Lock()
	o := w.operation
	w.mutex.Unlock()
	if o != nil {
		o.stop(kill)
	}
}

func (o *operation) stop(kill bool) {
	o.mutex.Lock()
	o.stopped = true
	o.killed = o.killed || kill
	server := o.server
	o.mutex.Unlock()
	if server != nil {
		_, _ = server.StopProvider(context.WithoutCancel(o.ctx), &tfprotov6.StopProviderRequest{})
	}
	o.cancel()
}

func (o *operation) is(flag *bool) bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return *flag
}

// walk is a pass over the resources with a provider process of its own.
type walk struct {
	*operation
	provider provider
	report   report
	// applying resolves values that were unknown until apply.
	applying bool
}

// begin starts a provider process. It is configured, except for a validation.
func (o *operation) begin(configured, applying bool) (*walk, bool) {
	k := &walk{operation: o, applying: applying}
	o.workspace.finishProcess() // the process of the plan, before an apply
	server, err := o.workspace.serve()
	if err != nil {
		k.report.add(fromProtocol("", nil, err)...)
		return k, false
	}
	o.mutex.Lock()
	o.server = server
	o.mutex.Unlock()
	k.provider = provider{
		server:   server,
		schemas:  o.workspace.schemas,
		mayDefer: applying || o.deferring,
	}
	if !configured {
		return k, true
	}
	if k.halted() {
		return k, false
	}
	block := o.workspace.provider
	block.resolved = block.resolved || applying
	config := block.value(block.resolved)
	if applying && !config.IsFullyKnown() {
		k.report.add(
			failure(
				"",
				"Invalid provider configuration",
				"The provider's configuration depends on values that cannot be determined until apply.",
			),
		)
		return k, false
	}
	diagnostics := k.provider.configure(o.ctx, config)
	k.report.add(diagnostics...)
	return k, !diagnostics.HasErrors()
}

// halted reports whether the command was interrupted. It is asked between two
// calls of the provider.
func (k *walk) halted() bool {
	if !k.is(&k.stopped) {
		return false
	}
	k.report.add(failure("", "execution halted", ""))
	return true
}

// config returns a resource's configuration in this walk.
func (k *walk) config(r *resource) tftypes.Value {
	r.resolved = r.resolved || k.applying
	return r.value(r.resolved)
}

// load reads a resource from the state file; nil if it is not there.
func (k *walk) load(address string, known *kind, file *stored) (*object, bool) {
	if file == nil {
		return nil, true
	}
	read, diagnostics := k.provider.upgrade(k.ctx, address, known, file)
	k.report.add(diagnostics...)
	return read, !diagnostics.HasErrors()
}

// refresh reads a resource from the service. A deleted resource becomes absent.
func (k *walk) refresh(address string, known *kind, current *object) (*object, bool) {
	if current == nil {
		return nil, true
	}
	if k.halted() {
		return nil, false
	}
	fresh, diagnostics := k.provider.read(k.ctx, address, known, current)
	if !diagnostics.HasErrors() {
		if !fresh.value.IsFullyKnown() {
			diagnostics = append(diagnostics, failure(
				address,
				"Provider produced invalid object",
				"Provider planned an invalid value for %s during refresh: The returned state contains unknown values.",
				address,
			))
		}
		diagnostics = append(diagnostics, unknownIdentity(address, fresh.identity)...)
	}
	k.report.add(diagnostics...)
	if diagnostics.HasErrors() || k.halted() {
		return nil, false
	}
	return fresh, true
}

func unknownIdentity(address string, identity tftypes.Value) Diagnostics {
	if identity.IsNull() || identity.IsFullyKnown() {
		return nil
	}
	return Diagnostics{
		failure(
			address,
			"Provider produced invalid identity",
			"Provider returned an identity with unknown values for %s.",
			address,
		),
	}
}

// each runs the tasks in order or, if the workspace is parallel, several at a
// time.
func (o *operation) each(tasks []func()) {
	var group sync.WaitGroup
	slots := make(chan struct{}, max(o.workspace.parallel, 1))
	for _, task := range tasks {
		if cap(slots) == 1 {
			task()
			continue
		}
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			task()
		})
	}
	group.Wait()
}
