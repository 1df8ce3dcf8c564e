package run_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// What a destroy leaves is said once a type, whatever it has of that.
func TestForgets(t *testing.T) {
	t.Parallel()
	data := &run.ProviderData{}
	var diags diag.Diagnostics
	for range 3 {
		data.WarnOfForgotten("Datasets", "The images stay.", &diags)
		data.WarnOfForgotten("Face Images", "They stay.", &diags)
	}
	check.Equal(t, "warnings", len(diags), 2)
	check.Equal(t, "the first", diags[0].Summary(), "Datasets Will Be Forgotten")
	check.Equal(t, "its detail", diags[0].Detail(), "Nothing is to be done. The images stay.")
}

func TestUnconfirmedIDsAreAllDifferent(t *testing.T) {
	t.Parallel()
	first := framework.UnconfirmedID()
	second := framework.UnconfirmedID()
	check.True(
		t,
		"the ids",
		!first.Equal(second) && framework.IsUnconfirmedID(first) &&
			strings.HasPrefix(first.ValueString(), "unconfirmed-"),
		first,
		second,
	)
	check.True(
		t,
		"an id of the service is not unconfirmed",
		!framework.IsUnconfirmedID(types.StringNull()) && !framework.IsUnconfirmedID(types.StringValue("job_1")),
	)
}
