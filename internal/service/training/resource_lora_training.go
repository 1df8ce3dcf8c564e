package training

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ framework.Managed = (*trainingResource)(nil)

// The default timeouts, of the actions too.
const (
	waitTimeout   = 3 * time.Hour
	cancelTimeout = 10 * time.Minute
)

var operationTimeouts = framework.Timeouts{"create": waitTimeout, "update": waitTimeout, "delete": cancelTimeout}

type trainingResource struct {
	framework.WorkResource[*training]
	kind kind
}

func (r *trainingResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = trainingSchema(r.kind)
}
