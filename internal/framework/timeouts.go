package framework

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// CheckTimeouts rejects timeouts of zero or less, which would end before
// anything is read. Whether they are durations at all is checked elsewhere.
func CheckTimeouts(value timeouts.Value, diags *diag.Diagnostics) {
	for name, attribute := range value.Attributes() {
		text, ok := attribute.(types.String)
		if !ok || text.IsNull() || text.IsUnknown() {
			continue
		}
		if duration, err := time.ParseDuration(text.ValueString()); err == nil && duration <= 0 {
			diags.AddAttributeError(path.Root("timeouts").AtName(name), "Invalid Time-out",
				fmt.Sprintf("The time-out must be above zero, as in 30m; got %s.", text.ValueString()))
		}
	}
}
