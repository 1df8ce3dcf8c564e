package work

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// change sends the differences between two models, the approval of the whole
// dataset last. It withdraws only approvals that this resource has given. from
// and private are kept up to date with every change that was made.
func (r *approvalResource) change(
	ctx context.Context,
	private *approvalState,
	from, to *approvalModel,
	diags *diag.Diagnostics,
) {
	approved := from.ids()
	for _, id := range without(to.ids(), approved) {
		if err := r.Data.Client.Datasets.ApproveImage(ctx, to.character(), id, true); err != nil {
			diags.Append(imageFailure("Approve", "Dataset Image", to, id, err))
			return
		}
		approved = append(approved, id)
		private.Given = append(private.Given, id)
		from.setIDs(approved)
	}
	for _, id := range without(approved, to.ids()) {
		if slices.Contains(private.Given, id) && !r.withdraw(ctx, private.Evidence, to, id, diags) {
			return
		}
		approved = without(approved, []string{id})
		private.Given = without(private.Given, []string{id})
		from.setIDs(approved)
	}
	if to.Approve.ValueBool() && !from.Approve.ValueBool() {
		r.approveDataset(ctx, to, diags)
	}
	if !diags.HasError() {
		from.ImageIDs = to.ImageIDs
		from.Approve = to.Approve
	}
}

// withdraw withdraws the approval of an image, and reports whether the approval
// is withdrawn. An image that is gone has no approval.
func (r *approvalResource) withdraw(
	ctx context.Context,
	last evidence.Evidence,
	m *approvalModel,
	id string,
	diags *diag.Diagnostics,
) bool {
	err := r.Data.Client.Datasets.ApproveImage(ctx, m.character(), id, false)
	// An image that is gone has no approval.
	if existence, _ := r.Data.Client.Judge(ctx, err, last.AsShown()); existence != evidence.Gone && err != nil {
		diags.Append(imageFailure("Withdraw", "Approval of Dataset Image", m, id, err))
		return false
	}
	return true
}

// approveDataset approves the dataset as a whole, unless it is approved
// already. The approval is final. The request is sent once; if the reply is
// lost, the status tells the outcome.
func (r *approvalResource) approveDataset(ctx context.Context, m *approvalModel, diags *diag.Diagnostics) {
	failure := m.failure("Approve", "Dataset", "The approvals of its images stay. Applying again goes on.")
	status, err := r.Data.Client.Datasets.Status(ctx, m.character())
	switch {
	case err != nil:
		diags.Append(failure.Error(err))
		return
	case status.IsApproved():
		return
	case status.CanApprove != nil && !*status.CanApprove:
		diags.Append(cannotBeApproved(m, status))
		return
	}
	err = r.Data.Client.Datasets.Approve(ctx, m.character())
	if err == nil {
		return
	}
	if reply.IsEffectUnknown(err) {
		// The dataset was approved if it cannot be approved any more.
		after, failed := r.Data.Client.Datasets.Status(ctx, m.character())
		if failed == nil && after.IsSettled() {
			diags.Append(approvalIsInferred(m, after, err))
			return
		}
		failure.Consequence = "Whether the dataset was approved is not known; applying again finds out. The " +
			"approvals of its images stay."
	}
	diags.Append(failure.Error(err))
}
