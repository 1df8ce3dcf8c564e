package dataset

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
)

// change sends what differs between two models, the approval of the whole
// dataset last. It withdraws only what this resource has approved. from and
// private always say what was done.
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

// withdraw takes the approval of one image back, and reports whether it is
// withdrawn. An image that is gone has none.
func (r *approvalResource) withdraw(
	ctx context.Context,
	last api.Evidence,
	m *approvalModel,
	id string,
	diags *diag.Diagnostics,
) bool {
	err := r.Data.Client.Datasets.ApproveImage(ctx, m.character(), id, false)
	// An image that is gone has no approval.
	if existence, _ := r.Data.Client.Judge(ctx, err, last.AsShown()); existence != api.Gone && err != nil {
		diags.Append(imageFailure("Withdraw", "Approval of Dataset Image", m, id, err))
		return false
	}
	return true
}

// imageFailure says what became of one image of an approval.
func imageFailure(verb, noun string, m *approvalModel, id string, err error) diag.Diagnostic {
	return report.Failure{
		Verb:     verb,
		Noun:     noun,
		Object:   fmt.Sprintf("image %q of character %q", id, m.character()),
		NotFound: path.Root("image_ids"),
		Consequence: "What was approved or withdrawn before stays so; applying again goes on, and an approved " +
			"dataset may take no changes any more.",
	}.Error(err)
}

// approveDataset approves the dataset as a whole, which is final, unless it is
// approved already. The request is sent once; if its reply is lost, the status
// tells what became of it.
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
		diags.AddAttributeError(path.Root("approve"), "Dataset Cannot Be Approved", fmt.Sprintf(
			"The service says that the %s cannot be approved now: %s. The approvals of its images stay. Approve as "+
				"many images as it needs, or let its generation end, then apply again.",
			m.object(),
			describeApproval(status),
		))
		return
	}
	err = r.Data.Client.Datasets.Approve(ctx, m.character())
	if err == nil {
		return
	}
	if reply.IsEffectUnknown(err) {
		// If it cannot be approved any more, it was.
		after, failed := r.Data.Client.Datasets.Status(ctx, m.character())
		if failed == nil && after.IsSettled() {
			diags.AddWarning("Approval of Dataset Found Without an Answer", fmt.Sprintf(
				"The request to approve the %s was sent, and its answer was lost (%s). The service says that it has "+
					"no approval to wait for any more (%s), so it is taken to be approved. Nothing was sent twice.",
				m.object(),
				err,
				describeApproval(after),
			))
			return
		}
		failure.Consequence = "Whether the dataset was approved is not known; applying again finds out. The " +
			"approvals of its images stay."
	}
	diags.Append(failure.Error(err))
}

// describeApproval says how many images are approved, and how many must be.
func describeApproval(status *api.DatasetStatus) string {
	number := func(of *int64) string {
		if of == nil {
			return "?"
		}
		return strconv.FormatInt(*of, 10)
	}
	word := types.StringPointerValue(status.Word).ValueString()
	return fmt.Sprintf("status %q, approved images %s, needed %s to %s",
		word, number(status.ApprovedImages), number(status.MinRequired), number(status.MaxAllowed))
}
