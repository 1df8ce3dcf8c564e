package generation

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// Another resource may begin to hold the group between the look at its holders
// and the plan to destroy it: one of the two sees the other. No CLI can be made
// to plan both in this order. Fault F20.
func TestDestroy_seesWhoHasJustBegunToHold(t *testing.T) {
	t.Parallel()
	for _, another := range []bool{false, true} {
		data := &run.ProviderData{}
		private := privateData{}
		diags := diag.Diagnostics{}
		g := newGroup()
		g.values.ID = types.StringValue("g1")
		g.private.Created = true
		g.hold(t.Context(), data, private, &diags)
		if another {
			data.Groups.Hold("g1", "another")
		}
		g.planDestroy(t.Context(), data, private, &diags)
		var stored privateState
		diags.Append(framework.LoadPrivate(t.Context(), private, &stored)...)
		check.Equal(t, "errors", diags.HasError(), false)
		check.Equal(t, "whether the apply is told of another", stored.Shared, another)
	}
}

type privateData map[string][]byte

func (p privateData) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return p[key], nil
}

func (p privateData) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	p[key] = value
	return nil
}
