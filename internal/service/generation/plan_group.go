package generation

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/privatestate"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// planning is the object of one plan of a group: what the state has, what is
// wanted, and how the one becomes the other.
type planning struct {
	data *run.ProviderData
	req  resource.ModifyPlanRequest
	resp *resource.ModifyPlanResponse
	// diags are those of resp.
	diags *diag.Diagnostics
	// prior is the group of the state; empty in a creation.
	prior *group
	want  *group
	// planned is want as Terraform shows it.
	planned groupModel
	// plan is empty while the map of prompts is unknown as a whole.
	plan prompts.Plan
}

// ModifyPlan shows what will be bought, or may be while a prompt is unknown: the
// generations that are unknown as a whole. Everything else keeps its known
// value, attribute by attribute.
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

// destroy says what a destroy deletes, or leaves at the service.
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
		unconfirmedStay(p.prior, p.prior.HeldKeys(), "forgets"),
	)
}

// postpone leaves the plan to a later one, which knows the prompts. The group
// still holds what it has, and says so to what the rest of the plan deletes.
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

// create plans a new group, or the successor of one that is replaced. Of the
// latter the CLI passes on the private state alone.
func (p *planning) create(ctx context.Context) {
	replaced := newGroup()
	replaced.loadPrivate(ctx, p.resp.Private, p.diags)
	replaced.planDestroy(ctx, p.data, p.resp.Private, p.diags)
	p.prior = newGroup()
	p.show(false)
	p.finish(ctx)
}

// update plans what an update buys, deletes and takes over, or a replacement by
// a group of another character.
func (p *planning) update(ctx context.Context) {
	var former types.String
	p.diags.Append(p.req.State.GetAttribute(ctx, path.Root("character_id"), &former)...)
	hasImportedCharacter := isImportedCharacter(ctx, p.req.Private, former)
	replaces := !p.want.values.CharacterID.Equal(former) && !hasImportedCharacter
	p.loadPrior(ctx, replaces)
	if hasImportedCharacter {
		framework.RefuseOtherCharacter(
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
	imported := privatestate.Imported(ctx, p.req.Private)
	deleted := p.show(imported)
	if imported {
		held := func() *purchases.Entry { return p.want.orderOfHeld(p.prior) }
		p.data.Stored(ctx, p.req.Private, purchases.Holding{Order: held})
	}
	p.refuseDeletion(ctx, deleted)
	if !p.diags.HasError() {
		p.finish(ctx)
	}
}

// replace says what a replacement by a group of another character buys and
// deletes. The CLI plans the new group by itself.
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
		unconfirmedStay(p.prior, p.prior.HeldKeys(), "forgets"),
	)
	successor := *p.want
	successor.values.ID = types.StringNull() // a group of its own
	p.warnOfGuarded(ctx, &successor, successor.Keys(), false)
}

// loadPrior also marks, for the apply of an end, what others hold too, and
// whether deletion_policy keeps the media.
func (p *planning) loadPrior(ctx context.Context, ends bool) {
	prior := load(ctx, p.req.State, p.req.Private, p.diags)
	p.prior = prior
	if p.diags.HasError() {
		return
	}
	own := func(found []purchases.Bought) run.Guarded { return guarded(prior, prior, found) }
	p.data.StoredAtPlan(ctx, p.req, prior.holding(), own, p.diags)
	marked := *prior
	marked.hold(ctx, p.data, p.resp.Private, p.diags)
	marked.private.Keeps = prior.keeps()
	p.diags.Append(privatestate.Store(ctx, p.resp.Private, marked.encodePrivate())...)
	prior.private = marked.private
	if ends {
		prior.SharedIDs = marked.SharedIDs // else the apply is sure to know only what the state says
	}
}

// show plans of the computed attributes, all unknown after any change, what
// will really change. It returns the generations that the update may delete.
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
	if len(g.Deletable()) > 0 { // before anything is bought: results came late, or a deletion failed
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

// showUnknown plans a group whose prompts only the apply will know: each of its
// generations may be bought again, and deleted.
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

// keepNoTake plans no take of a key for which none is stored and none is
// configured: an import cannot read it, and the default in its place would be a
// change in each plan after an import. It asks nothing that only the apply knows,
// and so plans the same in both.
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

// planStoredPrompts plans prompts as they are stored, where what is configured
// is the same. It leaves all others alone: to write one of them that is known in
// part makes it unknown as a whole.
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

// finish counts what the plan buys, for the tally and the limits, and sets the
// plan unless something refuses it. Where the number is not known, the tally is
// unknown, and the limits count what may be bought: of an unknown map of
// prompts, one.
func (p *planning) finish(ctx context.Context) {
	keys := p.want.ShownAsBought()
	purchase := purchases.Purchase{Kind: purchases.KindGeneration, Count: int64(len(keys))}
	names := quoted(keys)
	if p.promptsAreUnknown() {
		purchase.Count = 1
		names = "prompts that are not known yet"
	}
	switch isReplacement := p.isCreate() && privatestate.IsReplacement(ctx, p.req.Private); {
	case isReplacement, !p.isCountKnown(keys):
		p.want.values.Tally = run.UnknownTally()
	case purchase.Count > 0: // else it stays
		p.want.values.Tally = p.data.Tally(p.prior.values.Tally, purchase)
	}
	// First: if it finds something, the address is right, and nothing more is
	// read for that.
	p.checkCapabilities(ctx, keys)
	mayAsk := p.data.PlanPurchase(ctx, p.req, run.PlannedPurchase{
		Purchase: purchase,
		Holder:   run.HolderName(ctx, p.resp.Private, nil, p.diags),
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
// bought: only then are they those of the apply's Plan.Buy, and its tally the
// plan's.
func (p *planning) isCountKnown(keys []string) bool {
	return !p.promptsAreUnknown() && !p.want.values.MaxAttempts.IsUnknown() && !p.want.AnyUnknown(keys)
}

// refuseDeletion adds an error if two objects hold a generation and this plan
// deletes one of them. The object that is planned second sees both, and reports
// it. An apply plans the update again, and can rely only on the state then.
func (p *planning) refuseDeletion(ctx context.Context, deleted []string) {
	g := p.prior
	id := g.values.ID.ValueString()
	name := run.HolderName(ctx, p.resp.Private, nil, p.diags)
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

// planDestroy records that the plan destroys the object: what it holds alone,
// and the whole group if that is its own. What another has begun to hold by now
// stays.
func (g *group) planDestroy(
	ctx context.Context,
	data *run.ProviderData,
	private privatestate.Data,
	diags *diag.Diagnostics,
) {
	name := run.HolderName(ctx, private, nil, diags)
	if name == "" || g.private.Keeps {
		return
	}
	if g.isAlone() {
		g.private.Shared = len(data.Groups.PlanDeletion(name, func(string) bool { return true })) > 0
	}
	shared := data.Generations.PlanDeletion(name, func(id string) bool { return !g.IsShared(id) })
	g.SharedIDs = append(g.SharedIDs, shared...)
	diags.Append(privatestate.Store(ctx, private, g.encodePrivate())...)
}

// showEnd plans a wait: it will tell how many succeeded.
func (p *planning) showEnd() {
	p.planned.groupCounts = unknownCounts()
	if p.want.values.GenerationType.IsNull() {
		p.want.values.GenerationType = types.StringUnknown()
	}
}

// showBatch plans a batch, which makes a group if there is none with an id.
func (p *planning) showBatch() {
	p.showEnd()
	g := p.want
	g.values.CreditsDeducted = types.Float64Unknown()
	g.values.RemainingBalance = types.Float64Unknown()
	if !g.hasID() {
		g.values.ID = types.StringUnknown()
	}
}

// warnOfGuarded says at plan which of the keys that it buys were bought before,
// and returns them.
func (p *planning) warnOfGuarded(ctx context.Context, g *group, keys []string, mayAsk bool) (guarded []string) {
	order := g.orderOf(keys)
	if order == nil {
		return nil
	}
	return p.data.WarnOfGuarded(ctx, p.req, run.Wanted{
		Order:    order,
		Describe: p.guarded,
		MayAsk:   mayAsk,
	}, p.diags)
}

// warnOfUnclaimed says at plan which of the other keys a killed run has bought
// once more.
func (p *planning) warnOfUnclaimed(ctx context.Context, bought []string) {
	others := func() *purchases.Entry { return p.want.orderOf(prompts.Without(p.want.Keys(), bought...)) }
	if !p.isCreate() && !p.promptsAreUnknown() {
		p.data.WarnOfUnclaimed(ctx, p.req, others, p.guarded, p.diags)
	}
}

// warnOfListed says which of the texts that the plan buys the group's own list
// shows already, where a refresh has read that: the service is a witness that
// costs nothing, with a purchase log or without.
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

// orderOf is what would buy some of the keys, as far as they are known; nil if
// that is nothing.
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
	return g.toBatch(known).Order().Entry
}

// holding is what a state has of the purchases of a group.
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
		Order:       func() *purchases.Entry { return g.orderOfHeld(g) },
	}
}

// orderOfHeld is what would buy once more what a prior group has: an entry of the
// purchase log that names no ids may have bought it. The prior group of an import
// has no options of its prompts, and the wanted one has.
func (g *group) orderOfHeld(prior *group) *purchases.Entry {
	var held []string
	ids := map[string]string{}
	for _, key := range g.Keys() {
		id := prior.Generations[key].ID.Get()
		if id != "" && g.Generations[key].ID.Get() == id {
			held = append(held, key)
			ids[key] = id
		}
	}
	order := g.orderOf(held)
	if order != nil {
		order.Generations = ids
	}
	return order
}
