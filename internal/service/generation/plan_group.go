package generation

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// planning is a single plan of a group: the state, the wanted group, and the
// steps between them.
type planning struct {
	data *run.ProviderData
	req  resource.ModifyPlanRequest
	resp *resource.ModifyPlanResponse
	// diags are the diagnostics of resp.
	diags *diag.Diagnostics
	// prior is the group in the state; empty in a creation.
	prior *group
	want  *group
	// planned is the group want in Terraform's form.
	planned groupModel
	// plan is empty if the map of prompts is unknown as a whole.
	plan prompts.Plan
}

// ModifyPlan shows which prompts will be bought, or may be while a prompt is
// unknown: their generations are unknown as a whole. Everything else keeps its
// known value, attribute by attribute.
func (r *groupResource) ModifyPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	p := &planning{
		data:  r.Data,
		req:   req,
		resp:  resp,
		diags: &resp.Diagnostics,
	}
	if req.Plan.Raw.IsNull() {
		p.destroy(ctx)
		return
	}
	p.diags.Append(req.Plan.Get(ctx, &p.planned)...)
	if !p.isCreate() && !p.promptsAreUnknown() {
		p.keepNoTake(ctx)
	}
	p.want = p.planned.decode()
	switch {
	case p.diags.HasError():
	case p.promptsAreUnknown() && p.data.CommandOf(req).MayDefer():
		p.postpone(ctx)
	case p.isCreate():
		p.create(ctx)
	default:
		p.update(ctx)
	}
}

func (p *planning) isCreate() bool { return p.req.State.Raw.IsNull() }

func (p *planning) promptsAreUnknown() bool { return p.planned.Prompts.IsUnknown() }

// destroy says what a destroy deletes or leaves at the service.
func (p *planning) destroy(ctx context.Context) {
	p.loadPrior(ctx, true)
	if p.diags.HasError() {
		return
	}
	p.prior.planDestroy(ctx, p.data, p.resp.Private, p.diags)
	warn(
		p.prior,
		p.diags.AddWarning,
		ending(p.prior, destroying(p.prior), onlyRenamed),
		unconfirmedStay(p.prior, p.prior.GenerationKeys(), "forgets"),
	)
}

// postpone defers the plan until the prompts are known. The group still holds
// its generations, and registers them for the deletions in the rest of the
// plan.
func (p *planning) postpone(ctx context.Context) {
	p.resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonResourceConfigUnknown}
	if p.isCreate() {
		return
	}
	p.loadPrior(ctx, false)
	if !p.diags.HasError() {
		p.refuseDeletion(ctx, nil)
	}
}

// create plans a new group, or the successor of a replaced group. Of a replaced
// group the CLI passes on only the private state.
func (p *planning) create(ctx context.Context) {
	replaced := newGroup()
	replaced.loadPrivate(ctx, p.resp.Private, p.diags)
	replaced.planDestroy(ctx, p.data, p.resp.Private, p.diags)
	p.prior = newGroup()
	p.show(false)
	p.finish(ctx)
}

// update plans what an update buys, deletes and takes over, or a replacement by
// a group of a different character.
func (p *planning) update(ctx context.Context) {
	var former types.String
	p.diags.Append(p.req.State.GetAttribute(ctx, path.Root("character_id"), &former)...)
	hasImportedCharacter := isImportedCharacter(ctx, p.req.Private, former)
	replaces := !p.want.values.CharacterID.Equal(former) && !hasImportedCharacter
	p.loadPrior(ctx, replaces)
	if hasImportedCharacter {
		run.RefuseOtherCharacter(
			ctx,
			p.req.Private,
			p.prior.values.CharacterID,
			p.want.values.CharacterID,
			p.prior.name(),
			p.diags,
		)
	}
	if p.diags.HasError() {
		return
	}
	if replaces {
		p.replace(ctx)
		return
	}
	imported := framework.Imported(ctx, p.req.Private)
	deleted := p.show(imported)
	if imported {
		bought := func() *purchases.Entry { return p.want.orderThatBought(p.prior) }
		p.data.Stored(ctx, p.req.Private, purchases.Holding{Order: bought})
	}
	p.refuseDeletion(ctx, deleted)
	if !p.diags.HasError() {
		p.finish(ctx)
	}
}

// replace says what a replacement by a group of a different character buys and
// deletes. The CLI plans the new group separately.
func (p *planning) replace(ctx context.Context) {
	p.refuseDeletion(ctx, nil)
	wanted := quoted(p.want.Keys())
	if p.promptsAreUnknown() {
		wanted = "they are not known yet"
	}
	end := ending(p.prior, "This", "")
	if end.deletes && p.data.CommandOf(p.req).MayBeApply() {
		end = deletesUnlessStopped(p.prior)
	}
	warn(
		p.prior,
		onAttribute("character_id", p.diags),
		replacementBuysAll(p.prior, wanted),
		end,
		unconfirmedStay(p.prior, p.prior.GenerationKeys(), "forgets"),
	)
	successor := *p.want
	successor.values.ID = types.StringNull() // a group of its own
	p.warnOfGuarded(ctx, &successor, successor.Keys(), false)
}

// loadPrior loads the group of the state. For the apply of a destroy it also
// marks the generations that other objects hold too, and whether
// deletion_policy keeps the media.
func (p *planning) loadPrior(ctx context.Context, ends bool) {
	prior := load(ctx, p.req.State, p.req.Private, p.diags)
	p.prior = prior
	if p.diags.HasError() {
		return
	}
	own := func(found []purchases.Bought) purchases.GuardedOrder { return guarded(prior, prior, found) }
	p.data.StoredAtPlan(ctx, p.req, prior.holding(), own, p.diags)
	marked := *prior
	marked.hold(ctx, p.data, p.resp.Private, p.diags)
	marked.private.Keeps = prior.keeps()
	p.diags.Append(framework.StorePrivate(ctx, p.resp.Private, marked.encodePrivate())...)
	prior.private = marked.private
	if ends {
		prior.SharedIDs = marked.SharedIDs // else the apply can rely only on the state
	}
}

// show plans the computed attributes. Terraform marks all of them unknown after
// any change; show leaves unknown only those that will really change. It
// returns the generations that the update may delete.
func (p *planning) show(imported bool) (deleted []string) {
	if p.promptsAreUnknown() {
		return p.showUnknown()
	}
	g := p.want
	p.plan = newPlan(p.prior, g, imported)
	g.begin(p.prior, p.plan)
	p.planned.groupCounts = encodeCounts(g.Count())
	if len(p.plan.Await) > 0 {
		p.showEnd()
	}
	if len(g.Deletable()) > 0 { // deleted before anything is bought: results came late, or an earlier deletion failed
		p.planned.Complete = types.BoolUnknown()
	}
	if len(p.plan.Buy) > 0 {
		p.showBatch()
	}
	g.SetAll(p.plan.Shown())
	p.planStoredPrompts()
	p.planned.Generations = generationElements.encode(g.Generations)
	p.planned.ResultURLs = g.encodeAddresses()
	p.warn()
	return p.plan.Delete.IDs()
}

// showUnknown plans a group whose prompts are known only during the apply. Each
// of its generations may be bought again, and deleted.
func (p *planning) showUnknown() (deleted []string) {
	g := p.want
	g.takeReceipts(p.prior)
	p.planned.Generations = types.MapUnknown(generationElements.elementType())
	p.planned.ResultURLs = types.MapUnknown(addressesType)
	p.showBatch()
	warn(p.prior, onAttribute("prompts", p.diags), promptsAreUnknown(p.prior, g.keeps()))
	warnOfUnconfirmed(p.prior, p.diags)
	if g.keeps() {
		return nil
	}
	return p.prior.OwnIDs()
}

// keepNoTake leaves the take of a key null if neither the state nor the
// configuration has one. An import cannot read a take, and the default in its
// place would be a change in each plan after an import. The rule uses only
// values that a plan knows, so that plan and apply decide alike.
func (p *planning) keepNoTake(ctx context.Context) {
	var stored, configured types.Map
	p.diags.Append(p.req.State.GetAttribute(ctx, path.Root("prompts"), &stored)...)
	p.diags.Append(p.req.Config.GetAttribute(ctx, path.Root("prompts"), &configured)...)
	before := promptElements.decode(stored)
	written := promptElements.decode(configured)
	elements := p.planned.Prompts.Elements() // a copy
	for key, element := range elements {
		former, had := before[key]
		object, isObject := element.(types.Object)
		isNone := had && former.Take.IsNull() && written[key].Take.IsNull()
		if !isNone || !isObject || object.IsUnknown() {
			continue
		}
		values := object.Attributes() // a copy
		values[takeName] = types.Int64Null()
		elements[key] = types.ObjectValueMust(object.AttributeTypes(ctx), values)
	}
	p.planned.Prompts = types.MapValueMust(promptElements.elementType(), elements)
}

// planStoredPrompts plans a prompt in its stored form if the configured prompt
// means no change. It does not write any other prompt: writing a prompt that is
// known in part would make it unknown as a whole.
func (p *planning) planStoredPrompts() {
	g := p.want
	elements := p.planned.Prompts.Elements() // a copy
	for _, key := range p.plan.UnchangedKeys() {
		stored := g.Prompts[key].AsStored(p.prior.Prompts[key])
		if stored != g.Prompts[key] {
			g.Prompts[key] = stored
			elements[key] = promptElements.encodeOne(stored)
		}
	}
	p.planned.Prompts = types.MapValueMust(promptElements.elementType(), elements)
}

// finish counts the prompts that the plan buys, for the tally and the limits,
// and sets the plan unless an error refuses it. If the number is not known, the
// tally is unknown, and the limits count the prompts that may be bought: one
// for an unknown map of prompts.
func (p *planning) finish(ctx context.Context) {
	keys := p.want.ShownAsBought()
	purchase := purchases.Purchase{Kind: purchases.KindGeneration, Count: int64(len(keys))}
	names := quoted(keys)
	if p.promptsAreUnknown() {
		purchase.Count = 1
		names = "prompts that are not known yet"
	}
	switch isReplacement := p.isCreate() && framework.IsReplacement(ctx, p.req.Private); {
	case isReplacement, !p.isCountKnown(keys):
		p.want.values.Tally = purchases.UnknownTally()
	case purchase.Count > 0: // else it stays
		p.want.values.Tally = p.data.Tally(p.prior.values.Tally, purchase)
	}
	// The capabilities first: if the service answers, its address is right, and
	// no more requests are needed to check that.
	p.reportMissingCapabilities(ctx, keys)
	mayAsk := p.data.PlanPurchase(ctx, p.req, purchases.PlannedPurchase{
		Purchase: purchase,
		Holder:   framework.HolderName(ctx, p.resp.Private, nil, p.diags),
		Object:   p.want.name() + ": " + names,
	}, p.diags)
	guarded := p.warnOfGuarded(ctx, p.want, keys, mayAsk)
	p.warnOfUnclaimed(ctx, keys)
	p.warnOfListed(prompts.Without(keys, guarded...))
	if !p.diags.HasError() {
		p.planned.groupValues = p.want.values
		p.diags.Append(p.resp.Plan.Set(ctx, p.planned)...)
	}
}

// isCountKnown reports whether the plan knows how many of the keys will be
// bought. Only then do the keys equal Plan.Buy of the apply, and is its tally
// the plan's.
func (p *planning) isCountKnown(keys []string) bool {
	return !p.promptsAreUnknown() && !p.want.values.MaxAttempts.IsUnknown() && !p.want.AnyUnknown(keys)
}

// refuseDeletion adds an error if two objects hold a generation and this plan
// deletes one of them. The object that is planned second sees both, and reports
// it. An apply plans the update again, and can rely only on the state then.
func (p *planning) refuseDeletion(ctx context.Context, deleted []string) {
	g := p.prior
	id := g.values.ID.ValueString()
	name := framework.HolderName(ctx, p.resp.Private, nil, p.diags)
	var alsoHeld []string
	for _, id := range g.AllIDs() {
		if p.data.Generations.IsDeletedWithAnother(id, name) {
			alsoHeld = append(alsoHeld, id)
		}
	}
	isDeleted := func(id string) bool { return slices.Contains(deleted, id) }
	alsoHeld = append(alsoHeld, p.data.Generations.PlanDeletion(name, isDeleted)...)
	switch {
	case p.data.Groups.IsDeletedWithAnother(id, name):
		p.diags.Append(groupOfAnother(id, len(g.AllIDs())))
	case len(alsoHeld) > 0:
		p.diags.Append(generationsOfAnother(alsoHeld))
	}
}

// planDestroy records that the plan destroys the object: the generations that
// it holds alone, and the whole group if the group belongs to it. Generations
// that another object holds by now stay.
func (g *group) planDestroy(
	ctx context.Context,
	data *run.ProviderData,
	private framework.PrivateState,
	diags *diag.Diagnostics,
) {
	name := framework.HolderName(ctx, private, nil, diags)
	if name == "" || g.private.Keeps {
		return
	}
	if g.isAlone() {
		g.private.Shared = len(data.Groups.PlanDeletion(name, func(string) bool { return true })) > 0
	}
	shared := data.Generations.PlanDeletion(name, func(id string) bool { return !g.IsShared(id) })
	g.SharedIDs = append(g.SharedIDs, shared...)
	diags.Append(framework.StorePrivate(ctx, private, g.encodePrivate())...)
}

// showEnd plans a wait: after it, the counts are known.
func (p *planning) showEnd() {
	p.planned.groupCounts = unknownCounts()
	if p.want.values.GenerationType.IsNull() {
		p.want.values.GenerationType = types.StringUnknown()
	}
}

// showBatch plans a batch. The batch creates a group if there is none with an
// id.
func (p *planning) showBatch() {
	p.showEnd()
	g := p.want
	g.values.CreditsDeducted = types.Float64Unknown()
	g.values.RemainingBalance = types.Float64Unknown()
	if !g.hasID() {
		g.values.ID = types.StringUnknown()
	}
}

// warnOfGuarded warns at plan of the keys to buy that were bought before, and
// returns them.
func (p *planning) warnOfGuarded(ctx context.Context, g *group, keys []string, mayAsk bool) (guarded []string) {
	order := g.orderOf(keys)
	if order == nil {
		return nil
	}
	return p.data.WarnOfGuarded(ctx, p.req, purchases.Wanted{
		Order:    order,
		Describe: p.guarded,
		MayAsk:   mayAsk,
	}, p.diags)
}

// warnOfUnclaimed warns at plan of the other keys, if a killed run has bought
// them once more.
func (p *planning) warnOfUnclaimed(ctx context.Context, bought []string) {
	others := func() *purchases.Entry { return p.want.orderOf(prompts.Without(p.want.Keys(), bought...)) }
	if !p.isCreate() && !p.promptsAreUnknown() {
		p.data.WarnOfUnclaimed(ctx, p.req, others, p.guarded, p.diags)
	}
}

// warnOfListed warns of texts that the plan buys although the group's own list
// shows them already, if a refresh has read the list. The service's list costs
// nothing to check, with a purchase log or without.
func (p *planning) warnOfListed(keys []string) {
	known := p.prior.AllIDs()
	found := map[string]string{}
	for _, made := range p.data.Listed(p.prior.values.ID.ValueString()) {
		id := orEmpty(made.GenerationID)
		isHeld := slices.Contains(known, id) || p.data.Generations.HasHeld(id, "")
		if made.Prompt == nil || isHeld {
			continue
		}
		for _, key := range keys {
			text := p.want.Prompts[key].Text
			if text.IsKnown() && found[key] == "" && prompts.Echoes(text.Get(), *made.Prompt) {
				found[key] = id
				break
			}
		}
	}
	if len(found) > 0 {
		p.diags.Append(isListedAlready(p.want, p.prior, found))
	}
}

// orderOf returns the order that would buy the known prompts among the keys;
// nil if there is nothing to buy.
func (g *group) orderOf(keys []string) *purchases.Entry {
	var known []string
	for _, key := range keys {
		if g.Prompts[key].IsKnown() {
			known = append(known, key)
		}
	}
	isKnown := !g.values.CharacterID.IsUnknown() && !g.values.Title.IsUnknown()
	if len(known) == 0 || !isKnown {
		return nil
	}
	return purchases.OrderBatch(g.toBatch(known)).Entry
}

// holding returns the purchases of a group that a state has.
func (g *group) holding() purchases.Holding {
	keys := map[string]string{}
	for key, id := range g.IDs() {
		if len(g.KeysOf(id)) == 1 { // equal prompts may share one
			keys[id] = key
		}
	}
	return purchases.Holding{
		Generations: g.AllIDs(),
		Title:       g.title(),
		Keys:        keys,
		Order:       func() *purchases.Entry { return g.orderThatBought(g) },
	}
}

// orderThatBought returns the order that would buy the generations of the prior
// group once more, to find the entry of the purchase log that bought them: an
// entry without ids is only found by its prompts. The options come from the
// wanted group, because the prior group of an import has none.
func (g *group) orderThatBought(prior *group) *purchases.Entry {
	var bought []string
	ids := map[string]string{}
	for _, key := range g.Keys() {
		id := prior.Generations[key].ID.Get()
		if id != "" && g.Generations[key].ID.Get() == id {
			bought = append(bought, key)
			ids[key] = id
		}
	}
	order := g.orderOf(bought)
	if order != nil {
		order.Generations = ids
	}
	return order
}
