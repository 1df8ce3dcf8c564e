package framework

import (
	"context"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Work is a training or a dataset during one operation of its resource.
type Work interface {
	// Parts are its model and its private state, and Common is what every model has.
	Parts() (model, private any)
	Common() *WorkModel
	// Object names it in messages, and Summary is that of a warning of it.
	Object() string
	Summary(what string) string

	// Order is what starts it. Prepare checks it at the last moment, NotStarted says why it failed.
	Order() api.WorkOrder
	Prepare(ctx context.Context) diag.Diagnostics
	NotStarted(verb, noun string, err error) diag.Diagnostic
	// Record records the receipt of a start, or that it is unconfirmed.
	Record(ctx context.Context, receipt *api.Receipt, err error, sent time.Time) diag.Diagnostics
	// NeedsWait reports whether an apply has to wait for it, as far as a plan can know.
	NeedsWait() bool
	AwaitEnd(ctx context.Context) diag.Diagnostics
	// Refresh reads it once, and takes over what that shows unless it is gone.
	Refresh(ctx context.Context, imported bool, diags *diag.Diagnostics) (api.Existence, error)

	// Announce tells other plans what it will make.
	Announce(diags *diag.Diagnostics)
	// PlanCreate says what the apply may find. Once applying, the create decides.
	PlanCreate(ctx context.Context, applying func() bool, diags *diag.Diagnostics)
	// PlanUpdate says what is to be known of it, and what is taken over after an import; and that
	// its end will be known, if it is waited for.
	PlanUpdate(imported, takesOver bool, diags *diag.Diagnostics)
	// Leave records that the plan destroys it, or what has become its predecessor.
	Leave(ctx context.Context, private PrivateWriter) diag.Diagnostics
	PlanReplacement(sameCharacter bool, diags *diag.Diagnostics)
	PlanDestroy(diags *diag.Diagnostics)
}

// WorkResource is embedded by the resources of work.
type WorkResource[W Work] struct {
	Identified
	Verb, Noun string   // what a create does, as in Failure
	Inferred   string   // says that the service does not document the start; empty if it does
	Makes      string   // what it makes for its character, one at a time
	Timeouts   Timeouts // of its operations
	Inputs     []string // the attributes of which another value begins other work
	// Load decodes a plan or a state, and private state.
	Load func(ctx context.Context, data *ProviderData, from Getter, private PrivateReader, to PrivateWriter, diags *diag.Diagnostics) W
}

// Create starts the work, which is paid for, and waits for its end. Once it may be paid for,
// nothing is an error: that would have it destroyed and bought again.
func (r *WorkResource[W]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, returned := r.Data.Purchasing(ctx, &resp.Diagnostics)
	defer returned()
	w := r.Load(ctx, r.Data, withConfigOf(req.Plan, tftypes.Value{}), nil, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	unlock, err := r.Data.Characters.LockCreate(ctx, w.Common().CharacterID.ValueString(), r.Makes)
	if err != nil {
		resp.Diagnostics.Append(w.NotStarted(r.Verb, r.Noun, err))
		return
	}
	defer unlock()
	w.Common().Tally = r.Data.Tally(Tally{}, w.Order().Purchase)
	limited := r.Timeouts.Limit(ctx, r.Data.Clock, w.Common().Timeouts, "create")
	resp.Diagnostics.Append(r.start(limited, w)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(w.AwaitEnd(limited)...)
	model, private := w.Parts()
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, model, private)...)
}

// start takes over the start of a run that was killed, if the purchase log has it; else it sends
// one request. Only an error says that nothing was bought, as far as the service says.
func (r *WorkResource[W]) start(ctx context.Context, w W) (diags diag.Diagnostics) {
	killed, err := r.Data.Client.KilledWork(ctx, w.Order(), true)
	switch {
	case err != nil:
		return diag.Diagnostics{w.NotStarted(r.Verb, r.Noun, err)}
	case killed != nil:
		diags.Append(TakenOver(w.Object(), killed.Killed, w.Summary))
		if killed.Elsewhere == "" {
			return append(diags, w.Record(ctx, killed.Start, killed.Unconfirmed, killed.SentAt())...)
		}
	}
	if diags.Append(w.Prepare(ctx)...); diags.HasError() {
		return diags
	}
	sent := r.Data.Clock.Now()
	receipt, err := r.Data.Client.StartWork(ctx, w.Order())
	if err != nil && !reply.IsEffectUnknown(err) {
		return append(diags, w.NotStarted(r.Verb, r.Noun, err))
	}
	return append(diags, w.Record(ctx, receipt, err, sent)...)
}

// Read refreshes the work, and removes from the state what is gone.
func (r *WorkResource[W]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	w := r.Load(ctx, r.Data, req.State, req.Private, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	existence, err := w.Refresh(ctx, Imported(ctx, req.Private), &resp.Diagnostics)
	model, private := w.Parts()
	switch {
	case err != nil:
		resp.Diagnostics.Append(Failure{Verb: "Read", Noun: r.Noun, Object: w.Object(), NotFound: path.Root("character_id"), Consequence: Unchanged}.Error(err))
	case existence == api.Gone:
		r.Drop(ctx, resp, model)
	case !resp.Diagnostics.HasError():
		r.Data.Characters.Note(w.Common().CharacterID.ValueString(), w.Object())
		resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, model, private)...)
	}
}

// Update stores what the plan configures, and resumes a wait. It buys nothing.
func (r *WorkResource[W]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	w := r.Load(ctx, r.Data, withConfigOf(req.Plan, req.State.Raw), req.Private, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || w.NeedsWait() && !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	resp.Diagnostics.Append(w.AwaitEnd(r.Timeouts.Limit(ctx, r.Data.Clock, w.Common().Timeouts, "update"))...)
	model, private := w.Parts()
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, model, private)...)
	EndImport(ctx, resp.Private, &resp.Diagnostics)
}

// ModifyPlan says what a plan will cost or end, and keeps values known that will not change.
func (r *WorkResource[W]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
	switch {
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
		return
	case !req.Plan.Raw.IsNull():
		r.planUpdate(ctx, req, resp)
		return
	}
	w := r.Load(ctx, r.Data, req.State, req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	diags.Append(w.Leave(ctx, resp.Private)...)
	r.Data.Characters.Note(w.Common().CharacterID.ValueString(), w.Object())
	w.PlanDestroy(diags)
}

// planCreate counts the purchase, and says what the apply may find, or a killed run has bought. The
// CLI plans a replacement too, with its predecessor's private state, and drops its warnings.
func (r *WorkResource[W]) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
	w := r.Load(ctx, r.Data, req.Plan, req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	diags.Append(w.Leave(ctx, resp.Private)...)
	r.warnOfStart(diags)
	order, character := w.Order(), w.Common().CharacterID
	right := r.Data.PlanCreate(ctx, req, resp, PlannedPurchase{Purchase: order.Purchase, Object: w.Object()})
	if !right || diags.HasError() || character.IsUnknown() {
		return
	}
	w.Announce(diags)
	if req.Config.Raw.IsFullyKnown() {
		killed, err := r.Data.Client.KilledWork(ctx, order, false)
		if err == nil && killed != nil { // the purchase log's own warning says why not
			imported := ImportBlock(Quote(ImportID(character.ValueString(), killed.JobID())))
			if diags.Append(KilledPurchase(w.Object(), killed.Killed, imported, w.Summary)); killed.Elsewhere == "" {
				return
			}
		}
	}
	w.PlanCreate(ctx, func() bool { return r.Data.applies(req) }, diags)
}

func (r *WorkResource[W]) warnOfStart(diags *diag.Diagnostics) {
	if r.Inferred != "" {
		diags.AddWarning(r.Noun+" Has an Inferred Start", r.Inferred)
	}
}

func (r *WorkResource[W]) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
	w := r.Load(ctx, r.Data, req.State, req.Private, nil, diags)
	next := r.Load(ctx, r.Data, withConfigOf(req.Plan, req.State.Raw), req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	before, after := w.Common().CharacterID, next.Common().CharacterID
	RefuseOtherCharacter(ctx, req.Private, before, after, w.Object(), diags)
	imported := Imported(ctx, req.Private)
	replaces, takesOver := r.changes(req, imported)
	switch {
	case diags.HasError():
		return
	case replaces || !after.Equal(before):
		diags.Append(w.Leave(ctx, resp.Private)...)
		w.PlanReplacement(after.Equal(before), diags)
		r.warnOfStart(diags)
		return
	}
	next.PlanUpdate(imported, takesOver, diags)
	model, _ := next.Parts()
	diags.Append(resp.Plan.Set(ctx, model)...)
}

// changes reports whether an input begins other work, and whether an import could not read one.
func (r *WorkResource[W]) changes(req resource.ModifyPlanRequest, imported bool) (replaces, takesOver bool) {
	stored, planned := attributesOf(req.State.Raw), attributesOf(req.Plan.Raw)
	for _, name := range r.Inputs {
		before, after := stored[name], planned[name]
		switch {
		case before.Equal(after) || isNone(before) && isNone(after):
		case before.IsNull() && imported:
			takesOver = true
		default:
			replaces = true
		}
	}
	return replaces, takesOver
}

// withConfigOf returns a stored object with what the plan configures. Where none is stored, no
// unknown value of the plan can reach the state.
func withConfigOf(plan tfsdk.Plan, stored tftypes.Value) tfsdk.Plan {
	values, planned := attributesOf(stored), attributesOf(plan.Raw)
	for name, attribute := range plan.Schema.GetAttributes() {
		if attribute.IsRequired() || attribute.IsOptional() {
			values[name] = planned[name]
		} else if _, is := values[name]; !is {
			values[name] = tftypes.NewValue(planned[name].Type(), nil)
		}
	}
	plan.Raw = tftypes.NewValue(plan.Raw.Type(), values)
	return plan
}

func attributesOf(object tftypes.Value) map[string]tftypes.Value {
	values := map[string]tftypes.Value{}
	_ = object.As(&values)
	return maps.Clone(values) // they are the object's own
}

func isNone(value tftypes.Value) bool {
	var elements map[string]tftypes.Value
	return value.IsKnown() && value.As(&elements) == nil && len(elements) == 0
}
