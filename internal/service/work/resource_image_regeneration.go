package work

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var _ run.ManagedResource = (*regenerationResource)(nil)

// regenerationResource is mediagen_dataset_image_regeneration.
type regenerationResource struct{ run.Identified }

func newRegenerationResource() resource.Resource {
	return &regenerationResource{run.Identified{
		Resource: run.Resource{Name: "dataset_image_regeneration"},
		IDs:      run.OfCharacter("image_id", "image_id", "Id of the dataset's image."),
		Buys:     purchases.KindImage,
	}}
}

// regenerationState is private state.
type regenerationState struct {
	evidence.Evidence // only an image that the dataset has shown can vanish
	framework.Unconfirmed
}

// Create buys an image. A lost reply is no error: the image may have been
// replaced, and an error would have it replaced again.
func (r *regenerationResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, end := r.Data.BeginPurchase(ctx, req.Plan, resp.Private, &resp.Diagnostics)
	defer end()
	bought := &regenerating{diags: &resp.Diagnostics}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &bought.model)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	order := bought.model.order()
	bought.model.Tally = r.Data.Tally(purchases.Tally{}, order.Purchase)
	purchases.Buy(ctx, &r.Data.Purchaser, order, bought)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &bought.model, bought.private)...)
}

// regenerating is the purchase of a regeneration.
type regenerating struct {
	model   regenerationModel
	private regenerationState
	diags   *diag.Diagnostics
}

var _ purchases.Buyer[*api.DatasetImage] = (*regenerating)(nil)

// Accepted stores the reply.
func (r *regenerating) Accepted(_ context.Context, image *api.DatasetImage, _ time.Time) {
	r.model.storeReply(image)
}

// Unknown stores an image that may have been regenerated. A broken reply proves
// nothing about the image.
func (r *regenerating) Unknown(_ context.Context, _ *api.DatasetImage, unconfirmed framework.Unconfirmed) {
	r.model.storeReply(&api.DatasetImage{})
	r.private.Unconfirmed = unconfirmed
	r.diags.Append(r.model.isUnconfirmed(unconfirmed))
}

// Refused is an error: the image stays as it is.
func (r *regenerating) Refused(_ context.Context, err error) {
	r.diags.Append(r.model.regenerateFailure().Error(err))
}

// Guarded is an error: another run has bought the regeneration.
func (r *regenerating) Guarded(_ context.Context, found []purchases.Bought) {
	r.diags.Append(r.model.guarded(found).Error())
}

// Read keeps the configured prompt, however the service has changed it.
func (r *regenerationResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state regenerationModel
	var private regenerationState
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, &private)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	r.Data.Refreshed(ctx, req.Private, state.holding())
	// An import has no prompt. The prompt in the dataset completes a generated
	// configuration.
	importing := state.Prompt.IsNull()
	if importing {
		state.ID = state.ImageID
	}
	image, existence, err := r.look(ctx, private.Evidence, &state, importing)
	switch {
	case err != nil:
		resp.Diagnostics.Append(state.readFailure().Error(err))
		return
	case image != nil:
		state.show(image, importing)
		private.Evidence = r.Data.Client.Seen(private.Evidence)
		resp.Diagnostics.Append(framework.StorePrivate(ctx, resp.Private, private)...)
	case importing:
		resp.Diagnostics.Append(state.importNotFound())
		return
	case existence == evidence.Gone:
		r.Forget(ctx, resp, &state)
		return
	default:
		resp.Diagnostics.Append(state.isNotShown())
	}
	resp.Diagnostics.Append(r.Publish(ctx, &resp.State, resp.Identity, &state)...)
}

// look finds the image in the list of its dataset. A list that does not show
// all images proves nothing, except for an import: an imported image must
// exist.
func (r *regenerationResource) look(
	ctx context.Context,
	last evidence.Evidence,
	state *regenerationModel,
	importing bool,
) (image *api.DatasetImage, existence evidence.Existence, err error) {
	var images *api.DatasetImages
	existence, failure, err := r.Data.Client.Find(ctx, last, func(ctx context.Context) (failure error) {
		images, failure = r.Data.Client.Datasets.ImagesOnce(ctx, state.CharacterID.ValueString())
		if images == nil {
			images = &api.DatasetImages{} // a character that is gone has no images
		}
		image = state.find(images)
		if images.AllListed {
			failure = evidence.Listed(image != nil, "/{character_id}/dataset/images", state.CharacterID.ValueString())
		}
		return failure
	})
	if existence == evidence.NotYetSeen && importing && !images.AllListed {
		err = failure
	}
	return image, existence, err
}

// show stores the dataset's values of the image.
func (m *regenerationModel) show(image *api.DatasetImage, importing bool) {
	if image.Approved != nil {
		m.Approved = types.BoolValue(*image.Approved)
	}
	if importing {
		m.Prompt = types.StringPointerValue(image.Prompt)
	}
}

// Delete forgets the regeneration.
func (r *regenerationResource) Delete(ctx context.Context, req resource.DeleteRequest, _ *resource.DeleteResponse) {
	r.Data.Forgotten(ctx, req.Private, purchases.Holding{})
}

// regenerationModel is a regeneration in Terraform's form.
type regenerationModel struct {
	CharacterID types.String `tfsdk:"character_id"`
	ImageID     types.String `tfsdk:"image_id"`
	Prompt      types.String `tfsdk:"prompt"`
	Triggers    types.Map    `tfsdk:"triggers"`
	Labels      types.Map    `tfsdk:"labels"`
	ID          types.String `tfsdk:"id"`
	Approved    types.Bool   `tfsdk:"approved"`
	Message     types.String `tfsdk:"message"`
	purchases.Tally
}

func (m *regenerationModel) object() string {
	image := "an image that is not known yet"
	if !m.ImageID.IsUnknown() {
		image = fmt.Sprintf("image %q", m.ImageID.ValueString())
	}
	return image + " of " + run.NameOf(m.CharacterID)
}

func (m *regenerationModel) order() purchases.Order[*api.DatasetImage] {
	return purchases.OrderRegeneration(m.CharacterID.ValueString(), m.ImageID.ValueString(), purchases.ImageRequest{
		Prompt:   m.Prompt.ValueString(),
		Triggers: framework.TextsByKey(m.Triggers),
	})
}

// holding returns the purchase that a state has. Only an import cannot name its
// request.
func (m *regenerationModel) holding() purchases.Holding {
	return purchases.Holding{Order: func() *purchases.Entry { return m.order().Entry }}
}

// guarded describes the purchases of this regeneration in the purchase log.
func (m *regenerationModel) guarded(found []purchases.Bought) purchases.GuardedOrder {
	return purchases.GuardedOrder{
		Object: "regeneration of " + m.object(),
		Found:  found,
		Import: framework.Quote(
			framework.ImportID(m.CharacterID.ValueString(), m.ImageID.ValueString()),
		),
		IsInState: m.ID.ValueString() != "",
		Again:     "triggers",
		Summary:   m.summary,
	}
}

func (m *regenerationModel) summary(what string) string {
	return framework.Summary(what, "regeneration", m.ImageID.ValueString(), "character "+m.CharacterID.ValueString())
}

// storeReply stores the reply. The reply is empty if it was lost.
func (m *regenerationModel) storeReply(answer *api.DatasetImage) {
	m.ID = m.ImageID
	if answer.ImageID != nil && *answer.ImageID != "" {
		m.ID = types.StringPointerValue(answer.ImageID)
	}
	m.Approved = types.BoolPointerValue(answer.Approved)
	m.Message = framework.TextOf(answer.Message)
}

// find returns the regenerated image from the list of its dataset.
func (m *regenerationModel) find(images *api.DatasetImages) *api.DatasetImage {
	for _, id := range []string{m.ID.ValueString(), m.ImageID.ValueString()} {
		for i := range images.Images {
			if image := &images.Images[i]; image.ImageID != nil && *image.ImageID == id {
				return image
			}
		}
	}
	return nil
}

// ModifyPlan keeps all values known if nothing will be sent: if only the
// notation of an input changes, or if an imported regeneration takes over
// inputs that the dataset does not contain.
func (r *regenerationResource) ModifyPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	if req.Plan.Raw.IsNull() {
		r.Data.Stored(ctx, req.Private, purchases.Holding{})
		return
	}
	var plan, state regenerationModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	isKnown := purchases.KnowsOrder(req.Config)
	if req.State.Raw.IsNull() {
		order := plan.order()
		purchase := purchases.PlannedPurchase{Purchase: order.Purchase, Object: "regeneration of " + plan.object()}
		r.Data.PlanCreate(ctx, req, resp, purchase)
		if isKnown {
			r.Data.WarnOfGuarded(
				ctx,
				req,
				purchases.Wanted{Order: order.Entry, Describe: plan.guarded},
				&resp.Diagnostics,
			)
		}
		r.planImage(ctx, req, &plan, &resp.Diagnostics)
		return
	}
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	has := state.holding()
	if isKnown && framework.Imported(ctx, req.Private) {
		has = plan.holding()
	}
	r.Data.StoredAtPlan(ctx, req, has, state.guarded, &resp.Diagnostics)
	r.planUnsentChange(ctx, &plan, &state, req, resp)
}

// planImage warns of an image that a second resource of the plan regenerates
// too, and refuses an image of a character that does not exist.
func (r *regenerationResource) planImage(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	plan *regenerationModel,
	diags *diag.Diagnostics,
) {
	image := plan.ImageID.ValueString()
	if r.Data == nil || image == "" || plan.CharacterID.IsUnknown() {
		return
	}
	if !r.Data.Characters.NoteMade(plan.CharacterID.ValueString(), "regeneration of "+image) {
		diags.Append(plan.isRegeneratedTwice())
	}
	r.Data.RefuseUnknownAtPlan(ctx, req, plan.CharacterID, "An image of its dataset is regenerated", diags)
}

// planUnsentChange plans a change in place if it sends nothing. Every other change is
// a replacement.
func (r *regenerationResource) planUnsentChange(
	ctx context.Context,
	plan, state *regenerationModel,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	run.RefuseOtherCharacter(
		ctx,
		req.Private,
		state.CharacterID,
		plan.CharacterID,
		"regeneration of "+state.object(),
		&resp.Diagnostics,
	)
	sameTriggers := framework.IsSame(state.Triggers, plan.Triggers)
	isOther := !plan.CharacterID.Equal(state.CharacterID) || !plan.ImageID.Equal(state.ImageID)
	asksForOther := isOtherPrompt(state.Prompt, plan.Prompt, framework.Imported(ctx, req.Private))
	isTriggered := !sameTriggers && !framework.TakesOver(ctx, req.Private, state.Triggers)
	isReplaced := isOther || asksForOther || isTriggered
	if isReplaced && !resp.Diagnostics.HasError() && purchases.KnowsOrder(req.Config) {
		want := purchases.Wanted{Order: plan.order().Entry, Describe: state.guarded}
		r.Data.WarnOfGuarded(ctx, req, want, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() || isReplaced {
		return
	}
	var private regenerationState
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, &private)...)
	if !private.IsZero() {
		resp.Diagnostics.Append(state.isUnconfirmed(private.Unconfirmed))
	}
	if !plan.Prompt.Equal(state.Prompt) || !sameTriggers {
		what := "triggers, and how the prompt is written,"
		resp.Diagnostics.Append(
			run.TakenOverAfterImport(what, "regeneration of "+state.object(), "generated", "generate with them"),
		)
	}
	state.Prompt = plan.Prompt
	state.Triggers = plan.Triggers
	state.Labels = plan.Labels
	resp.Diagnostics.Append(resp.Plan.Set(ctx, state)...)
}

// promptUnlessImported makes a changed prompt replace the regeneration, unless
// an import could not read the prompt.
func promptUnlessImported(
	ctx context.Context,
	req planmodifier.StringRequest,
	resp *stringplanmodifier.RequiresReplaceIfFuncResponse,
) {
	resp.RequiresReplace = isOtherPrompt(req.StateValue, req.PlanValue, framework.Imported(ctx, req.Private))
	if resp.RequiresReplace {
		framework.WarnOfRespelled(req.Path, req.StateValue, req.PlanValue, &resp.Diagnostics)
	}
}

// isOtherPrompt reports whether the wanted prompt differs from the former one.
// For an imported image it compares with the dataset's prompt, if there is one.
func isOtherPrompt(before, wanted types.String, imported bool) bool {
	if imported {
		return !before.IsNull() && !prompts.Echoes(wanted.ValueString(), before.ValueString())
	}
	return !wanted.Equal(before) // KeepSame has made prompts with the same meaning equal
}

// Schema describes the regeneration.
func (r *regenerationResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	const again = "A change regenerates the image again."
	attributes := map[string]schema.Attribute{
		"character_id": framework.OwnerID(
			"Id of the character that owns the dataset. A change regenerates the other character's image.",
		),
		"image_id": framework.OwnerID("Id of the image to regenerate. A change regenerates the other image."),
		"prompt": schema.StringAttribute{
			Required: true,
			MarkdownDescription: "Text to generate the image from, sent as it is. After an import, it is compared " +
				"with the prompt that the dataset shows. " + again,
			Validators: []validator.String{framework.Text(), framework.NotBlank()},
			PlanModifiers: []planmodifier.String{
				framework.KeepSame(), stringplanmodifier.RequiresReplaceIf(promptUnlessImported, again, again),
			},
		},
		"triggers":           framework.Triggers(again),
		framework.LabelsName: framework.Labels(),
		"id": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "Id of the image in the service's reply, else `image_id`.",
		},
		"approved": schema.BoolAttribute{
			Computed:            true,
			MarkdownDescription: "Whether the image is approved for training.",
		},
		"message": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "Message in the service's reply. Null after an import.",
		},
	}
	maps.Copy(attributes, purchases.TallyAttributes("images", purchases.KindImage))
	resp.Schema = schema.Schema{
		MarkdownDescription: "One regeneration of a dataset image, from a prompt.\n\n" +
			"**Its cost is not documented, so that creating it counts as a purchase.** A change of any argument but " +
			"`labels` regenerates an image, which then has to be approved again.",
		Attributes: attributes,
	}
}
