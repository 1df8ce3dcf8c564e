package work

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// kind describes a type of work for the resource that all types share. A
// further type needs only a further description. W is a piece of the work
// during one operation of the resource.
type kind[W any] struct {
	words

	typeName string // without the provider's
	buys     string // in prices and limits
	makes    string // the part of a character that one create at a time makes
	idHelp   string // describes the id that an import needs
	isLate   bool   // the id may be found after the create
	timeouts framework.Timeouts
	inputs   []string // a change of any of them begins new work
	schema   func() schema.Schema

	// empty returns an empty piece of work, with pointers to its model and its
	// private state.
	empty func(*work) (own W, model, private any)

	// The purchase and its outcome: refuseStart refuses a start that the
	// service would not accept; accepted stores a receipt; unknown stores a start
	// whose effect is not known, and looks once for a job that it may have begun.
	order       func(W) purchases.Order[*api.Receipt]
	refuseStart func(W, context.Context) diag.Diagnostics
	accepted    func(W, *api.Receipt, time.Time)
	unknown     func(_ W, _ context.Context, arrived *api.Receipt, _ framework.Unconfirmed)

	// The state and the end of the work: await returns no error, because the
	// work may be paid for.
	refresh    func(_ W, _ context.Context, imported bool, _ *diag.Diagnostics) (evidence.Existence, error)
	phase      func(W) phase
	await      func(W, context.Context) diag.Diagnostics
	statusLine func(W) string

	// Steps of a plan: note records the work that the plan makes; checkStart
	// returns the plan's messages about a start, and the error if the status
	// could not be read; resume plans the continuation of a wait.
	note       func(W, *diag.Diagnostics)
	checkStart func(_ W, _ context.Context, applying func() bool) (said diag.Diagnostics, err error)
	resume     func(W)

	// The plan's messages about work that is unconfirmed, that has failed
	// (imported: before its import, perhaps), or that is replaced, perhaps by
	// work for another character.
	isUnconfirmed func(W) diag.Diagnostic
	hasFailed     func(_ W, imported bool) diag.Diagnostic
	isReplaced    func(_ W, sameCharacter bool) diag.Diagnostic

	// Steps of a destroy. The last three are nil if a destroy cannot cancel the
	// work, and only forgets it. They tell the holders of a job of each other.
	warnOfDestroy      func(W, *diag.Diagnostics)
	planDestroy        func(W, context.Context, framework.PrivateWriter) diag.Diagnostics
	refuseCancellation func(W, *diag.Diagnostics)
	cancel             func(W, context.Context, *diag.Diagnostics)
}

// phase says how far a piece of work is.
type phase int

const (
	phaseRunning phase = iota // or not known to have ended
	phaseUnconfirmed
	phaseFailed // or stopped
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
	own            W   // the values of its kind alone
	model, private any // pointers into own
}

// load reads a piece of work from a plan or a state, and from private state. If
// a destroy can cancel the work, and private state can be written, load gives
// it a name among the holders of its job.
func (k *kind[W]) load(
	ctx context.Context,
	data *run.ProviderData,
	from run.Getter,
	private framework.PrivateReader,
	to framework.PrivateWriter,
	diags *diag.Diagnostics,
) *piece[W] {
	p := &piece[W]{work: &work{subject: subject{words: k.words}, data: data}, kind: k}
	p.own, p.model, p.private = k.empty(p.work)
	statusLine := func() string { return k.statusLine(p.own) }
	p.progress = wait.NewProgress(data.Clock, statusLine, data.LogProgress(ctx))
	diags.Append(from.Get(ctx, p.model)...)
	diags.Append(framework.LoadPrivate(ctx, private, p.private)...)
	if k.cancel != nil {
		p.holder = framework.HolderName(ctx, private, to, diags)
	}
	return p
}

// needsWait reports whether an apply waits for the end of the work.
func (p *piece[W]) needsWait() bool { return p.IsAwaited() && p.kind.phase(p.own) == phaseRunning }

// order returns the order of the work, from its inputs.
func (p *piece[W]) order() purchases.Order[*api.Receipt] { return p.kind.order(p.own) }
