package generation

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// operation is what each create, read, update and delete of a group works with.
// What one of them does stands in a type of its own: refresh, execution,
// waiting, deletion.
type operation struct {
	data *run.ProviderData
	// group is what the operation brings up to date.
	group *group
	// private is where a holder's name is stored; nil if nothing is stored.
	private framework.PrivateState
	diags   *diag.Diagnostics
}

// judge concludes from a request for one object, and records the caller that
// was shown it.
func (op *operation) judge(ctx context.Context, failure error, last api.Evidence) (api.Existence, error) {
	existence, err := op.data.Client.Judge(ctx, failure, last)
	if existence == api.Present {
		op.group.private.By = op.data.Client.Seen(last).By
	}
	return existence, err
}
