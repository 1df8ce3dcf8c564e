package work

import (
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Messages about approvals.

// approvalStays refuses to withdraw the approval of a whole dataset.
func approvalStays(state *approvalModel) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("approve"), "Approval of a Dataset Is Final", fmt.Sprintf(
		"The %s was approved as a whole, and nothing takes that back. Set approve = true, or remove the "+
			"resource: its destroy leaves the dataset approved.",
		state.object(),
	))
}

// approvalIsFinal warns of the approval of a whole dataset before it is given.
func approvalIsFinal(plan *approvalModel) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Approval of a Dataset Is Final", fmt.Sprintf(
		"The apply approves the %s as a whole, after its images, if approve is true. Nothing takes that back: a "+
			"destroy does not, and the images may not change any more.",
		plan.object(),
	))
}

// isApprovedTwice warns of a second resource in the plan that approves the same
// image.
func isApprovedTwice(plan *approvalModel, image string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("image_ids"), "Image Is Approved Twice", fmt.Sprintf(
		"Name the image in one of the resources: two of this plan approve the image %q of the %s. A destroy of one "+
			"withdraws the approval that the other still wants.",
		image,
		plan.object(),
	))
}

func cannotBeApproved(m *approvalModel, status *api.DatasetStatus) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("approve"), "Dataset Cannot Be Approved", fmt.Sprintf(
		"The service says that the %s cannot be approved now: %s. The approvals of its images stay. Approve as "+
			"many images as it needs, or let its generation end, then apply again.",
		m.object(),
		describeApproval(status),
	))
}

// approvalIsInferred warns of an approval whose answer was lost and that a
// status shows.
func approvalIsInferred(m *approvalModel, status *api.DatasetStatus, err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Approval of Dataset Found Without an Answer", fmt.Sprintf(
		"The request to approve the %s was sent, and its answer was lost (%s). The service says that it has "+
			"no approval to wait for any more (%s), so it is taken to be approved. Nothing was sent twice.",
		m.object(),
		err,
		describeApproval(status),
	))
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

// imageFailure describes the failed approval or withdrawal of an image.
func imageFailure(verb, noun string, m *approvalModel, id string, err error) diag.Diagnostic {
	return framework.Failure{
		Verb:     verb,
		Noun:     noun,
		Object:   fmt.Sprintf("image %q of character %q", id, m.character()),
		NotFound: path.Root("image_ids"),
		Consequence: "What was approved or withdrawn before stays so; applying again goes on, and an approved " +
			"dataset may take no changes any more.",
	}.Error(err)
}

// approvedAreNotShown warns of images if a list does not say whether they are
// approved.
func approvedAreNotShown(state *approvalModel, ids []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Approved Image Not Shown", fmt.Sprintf(
		"The %s does not show images %q as approved, nor as not approved: they may not be visible yet, or "+
			"were deleted. Take those that were deleted out of image_ids; until then they are kept as they "+
			"were.",
		state.object(),
		ids,
	))
}

// approvalsStay warns of a destroy of approvals in a dataset that is approved
// as a whole.
func approvalsStay(state *approvalModel) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Approvals of Images Left", fmt.Sprintf(
		"The %s was approved as a whole elsewhere, and nothing takes that back. The approvals of its images are "+
			"only forgotten.",
		state.object(),
	))
}
