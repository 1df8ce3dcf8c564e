package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var _ run.ManagedResource = (*approvalResource)(nil)

// approvalResource is mediagen_dataset_approval.
type approvalResource struct{ run.Identified }

func newApprovalResource() resource.Resource {
	return &approvalResource{run.Identified{
		Resource: run.Resource{Name: "dataset_approval"},
		IDs:      []run.ObjectID{{Attribute: "character_id", Description: "Id of the owning character."}},
	}}
}

// Create stores nothing after an error, so that the next apply can continue. A
// tainted object would start anew.
func (r *approvalResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan approvalModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	images, err := r.Data.Client.Datasets.Images(ctx, plan.character(), new(false))
	if err != nil {
		resp.Diagnostics.Append(plan.failure("Read", "Dataset Images", "Nothing was approved.").Error(err))
		return
	}
	given := approvalModel{CharacterID: plan.CharacterID}
	given.setIDs(shared(plan.ids(), approvedIn(images, true)))
	private := approvalState{Evidence: r.Data.Client.Seen(evidence.Evidence{})}
	r.change(ctx, &private, &given, &plan, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &plan, private)...)
}

// Read drops the images whose approval was withdrawn. The next apply approves
// them again.
func (r *approvalResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state approvalModel
	var private approvalState
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, &private)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	var images *api.DatasetImages
	existence, failure, err := r.Data.Client.Find(ctx, private.Evidence, func(ctx context.Context) (failure error) {
		images, failure = r.Data.Client.Datasets.ImagesOnce(ctx, state.character())
		return failure
	})
	if existence == evidence.NotYetSeen {
		err = failure // the approval is being imported, and must exist
	}
	switch {
	case err != nil:
		resp.Diagnostics.Append(state.failure("Read", "Dataset Approval", "").Error(err))
		return
	case existence == evidence.Gone:
		r.Forget(ctx, resp, &state)
		return
	case state.ImageIDs.IsNull():
		state.setIDs(approvedIn(images, true))
		state.Approve = types.BoolValue(images.DatasetStatus != nil && api.IsApprovedWord(*images.DatasetStatus))
	default:
		state.setIDs(without(state.ids(), approvedIn(images, false)))
		if unseen := without(state.ids(), approvedIn(images, true)); images.AllListed && len(unseen) > 0 {
			resp.Diagnostics.Append(approvedAreNotShown(&state, unseen))
		}
	}
	private.Evidence = r.Data.Client.Seen(private.Evidence)
	private.Given = shared(private.Given, state.ids())
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &state, private)...)
}

// Update stores the changes that were made before an error.
func (r *approvalResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state approvalModel
	var private approvalState
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, &private)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	r.change(ctx, &private, &state, &plan, &resp.Diagnostics)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &state, private)...)
}

// Delete withdraws the approvals that this resource gave and that still stand,
// unless the dataset was approved as a whole.
func (r *approvalResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state approvalModel
	var private approvalState
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, &private)...)
	state.setIDs(shared(state.ids(), private.Given))
	if resp.Diagnostics.HasError() || state.Approve.ValueBool() || len(state.ids()) == 0 ||
		!r.Data.Ready(&resp.Diagnostics) {
		return
	}
	images, failure := r.Data.Client.Datasets.Images(ctx, state.character(), new(false))
	existence, err := r.Data.Client.Judge(ctx, failure, private.AsShown())
	switch {
	case err != nil:
		resp.Diagnostics.Append(state.failure("Read", "Dataset Images", "").Error(err))
		return
	case existence == evidence.Gone:
		return
	case images.DatasetStatus != nil && api.IsApprovedWord(*images.DatasetStatus):
		resp.Diagnostics.Append(approvalsStay(&state))
		return
	}
	state.setIDs(without(state.ids(), approvedIn(images, false)))
	none := approvalModel{CharacterID: state.CharacterID}
	r.change(ctx, &private, &state, &none, &resp.Diagnostics)
}

// ModifyPlan warns before a whole dataset is approved, because the approval
// cannot be withdrawn.
func (r *approvalResource) ModifyPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	var plan, state approvalModel
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if req.Plan.Raw.IsNull() {
		if state.Approve.ValueBool() {
			r.Data.WarnOfForgotten(
				"Dataset Approvals",
				"Nothing takes back the approval of a dataset as a whole, nor the approvals of its images.",
				&resp.Diagnostics,
			)
		}
		return
	}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.planApproval(&plan, &state, &resp.Diagnostics)
	if req.State.Raw.IsNull() {
		r.planImages(ctx, req, &plan, &resp.Diagnostics)
	}
}

// planImages warns of images that a second resource of the plan approves too,
// and refuses images of a character that does not exist.
func (r *approvalResource) planImages(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	plan *approvalModel,
	diags *diag.Diagnostics,
) {
	if r.Data == nil || plan.CharacterID.IsUnknown() {
		return
	}
	for _, image := range plan.ids() {
		isFirst := r.Data.Characters.NoteMade(plan.character(), "approval of "+image)
		if image != "" && !isFirst {
			diags.Append(isApprovedTwice(plan, image))
		}
	}
	r.Data.RefuseUnknownAtPlan(ctx, req, plan.CharacterID, "Its dataset is approved", diags)
}

// planApproval says that the approval of a whole dataset is final: before the
// approval is given, and when the configuration withdraws it. After the
// approval, the character's body LoRA may be trained.
func (r *approvalResource) planApproval(plan, state *approvalModel, diags *diag.Diagnostics) {
	isFinal := state.Approve.ValueBool() && plan.CharacterID.Equal(state.CharacterID)
	mayApprove := plan.Approve.IsUnknown() || plan.Approve.ValueBool()
	switch {
	case isFinal && !mayApprove:
		diags.Append(approvalStays(state))
	case !isFinal && mayApprove:
		if r.Data.Known() && !plan.CharacterID.IsUnknown() {
			r.Data.Characters.NoteMade(plan.character(), run.Images)
		}
		diags.Append(approvalIsFinal(plan))
	}
}

// Schema describes the approval.
func (r *approvalResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The approvals of images in a character's dataset, and of the dataset as a whole.\n\n" +
			"Approvals cost no credits. Destroy withdraws those that this resource gave, unless the dataset was " +
			"approved as a whole.\n\n" +
			"A body LoRA may need approved images before it can be trained. Approvals of other images are left " +
			"alone. " + optionalNote,
		Attributes: map[string]schema.Attribute{
			"character_id": framework.OwnerID(
				"Id of the character that owns the dataset. A change replaces the approvals.",
			),
			"image_ids": schema.SetAttribute{
				Required:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Ids of the images to approve. An image that is taken out loses its approval if " +
					"this resource gave it; one that lost it elsewhere is approved again.",
				Validators: []validator.Set{
					framework.NoNullsInSet(),
					setvalidator.ValueStringsAre(framework.ID()),
				},
			},
			"approve": schema.BoolAttribute{
				Optional: true,
				Computed: true,
				Default:  booldefault.StaticBool(false),
				MarkdownDescription: "Whether to approve the dataset as a whole, after its images. **Nothing takes " +
					"that back**. Defaults to `false`.",
			},
		},
	}
}
