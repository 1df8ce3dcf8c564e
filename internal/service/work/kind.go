package work

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// kind describes a type of work for the resource that all types share. A
// further type is one more description. W is a piece of such work during one
// operation of the resource.
type kind[W any] struct {
	words

	typeName string // without the provider's
	buys     string // in prices and limits
	makes    string // the part of a character that one create at a time makes
	idHelp   string // describes the id that an import needs
	isLate   bool   // the id may be found after the create
	timeouts framework.Timeouts
	inputs   []string // a change of one begins other work
	schema   func() schema.Schema

	// open returns an empty piece of work, with the places of its model and of
	// its private state.
	open func(*work) (own W, model, private any)

	// What is bought, and what becomes of it: prepare refuses a start that the
	// service would not take; accepted stores a receipt; unknown stores a start
	// whose effect is not known, and looks once for what it may have begun.
	order    func(W) api.Order[*api.Receipt]
	prepare  func(W, context.Context) diag.Diagnostics
	accepted func(W, *api.Receipt, time.Time)
	unknown  func(_ W, _ context.Context, arrived *api.Receipt, _ run.Unconfirmed)

	// How its state is read, and what ends it: await returns no error, because
	// the work may be paid for.
	refresh    func(_ W, _ context.Context, imported bool, _ *diag.Diagnostics) (api.Existence, error)
	phase      func(W) phase
	await      func(W, context.Context) diag.Diagnostics
	statusLine func(W) string

	// What a plan does: note records what the plan makes; checkStart returns what
	// the plan says of a start, and why the status could not be read; resume plans
	// a wait that goes on.
	note       func(W, *diag.Diagnostics)
	checkStart func(_ W, _ context.Context, applying func() bool) (said diag.Diagnostics, err error)
	resume     func(W)

	// What a plan says of work that is unconfirmed, has failed, perhaps before an
	// import, or is replaced, perhaps by another character's.
	isUnconfirmed func(W) diag.Diagnostic
	hasFailed     func(_ W, imported bool) diag.Diagnostic
	isReplaced    func(_ W, sameCharacter bool) diag.Diagnostic

	// What a destroy does. The last three are nil if it cannot cancel the work: it
	// is then forgotten. They tell the holders of a job of each other.
	warnOfDestroy      func(W, *diag.Diagnostics)
	planDestroy        func(W, context.Context, framework.PrivateWriter) diag.Diagnostics
	refuseCancellation func(W, *diag.Diagnostics)
	cancel             func(W, context.Context, *diag.Diagnostics)
}

// phase is how far a piece of work is.
type phase int

const (
	phaseRunning phase = iota // or not known to have ended
	phaseUnconfirmed
	phaseFailed // stopped, too
	phaseSucceeded
)

// resource returns the resource of a kind.
func (k *kind[W]) resource() resource.Resource {
	return &workResource[W]{run.Identified{
		Resource: run.Resource{Name: k.typeName},
		IDs:      run.OfCharacter("id", "job_id", k.idHelp),
		Late:     k.isLate,
		Defaults: map[string]any{"wait_for_completion": true},
		Buys:     k.buys,
	}, k}
}

// piece is a piece of work during one operation of its resource.
type piece[W any] struct {
	*work

	kind           *kind[W]
	own            W   // what only its kind has
	model, private any // where they are in own
}

// load reads a piece of work from a plan or a state, with what its private state
// remembers. Work that a destroy can cancel gets a name among the holders of its
// job, if there is private state to write.
func (k *kind[W]) load(
	ctx context.Context,
	data *run.ProviderData,
	from run.Getter,
	private framework.PrivateReader,
	to framework.PrivateWriter,
	diags *diag.Diagnostics,
) *piece[W] {
	p := &piece[W]{work: &work{subject: subject{words: k.words}, data: data}, kind: k}
	p.own, p.model, p.private = k.open(p.work)
	statusLine := func() string { return k.statusLine(p.own) }
	p.progress = wait.NewProgress(data.Clock, statusLine, data.LogProgress(ctx))
	diags.Append(from.Get(ctx, p.model)...)
	diags.Append(framework.LoadPrivate(ctx, private, p.private)...)
	if k.cancel != nil {
		p.holder = run.HolderName(ctx, private, to, diags)
	}
	return p
}

// needsWait reports whether an apply waits for the end.
func (p *piece[W]) needsWait() bool { return p.IsAwaited() && p.kind.phase(p.own) == phaseRunning }

// order is what the work buys, as its inputs ask for it.
func (p *piece[W]) order() api.Order[*api.Receipt] { return p.kind.order(p.own) }
