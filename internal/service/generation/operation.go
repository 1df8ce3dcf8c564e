package generation

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// operation is the common part of create, read, update and delete of a group.
// Its extensions are types of their own: refresh, execution, waiting, deletion.
type operation struct {
	data *run.ProviderData
	// group is the group that the operation brings up to date.
	group *group
	// private is the private state for the holder's name; nil if nothing is
	// stored.
	private framework.PrivateState
	diags   *diag.Diagnostics
}

// judge concludes from a request whether an object exists, and records the
// caller to whom the object was shown.
func (op *operation) judge(ctx context.Context, failure error, last evidence.Evidence) (evidence.Existence, error) {
	existence, err := op.data.Client.Judge(ctx, failure, last)
	if existence == evidence.Present {
		op.group.private.By = op.data.Client.Seen(last).By
	}
	return existence, err
}
