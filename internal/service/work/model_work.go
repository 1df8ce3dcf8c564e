package work

import (
	"cmp"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// Model is what the models have in common of work that the service does for
// a character, after one paid request: a training, or the generation of a
// dataset.
type Model struct {
	CharacterID       types.String   `tfsdk:"character_id"`
	Triggers          types.Map      `tfsdk:"triggers"`
	WaitForCompletion types.Bool     `tfsdk:"wait_for_completion"`
	Labels            types.Map      `tfsdk:"labels"`
	Timeouts          timeouts.Value `tfsdk:"timeouts"`
	ID                types.String   `tfsdk:"id"`
	purchases.Tally
}

// IsAwaited reports whether an apply waits for it, as far as a plan can know.
func (w *Model) IsAwaited() bool {
	return w.WaitForCompletion.ValueBool() || w.WaitForCompletion.IsUnknown()
}

// Guarded is about work that another run has bought. It names the job to a
// person, who has to find it if no reply has named it. Work that has an id is in
// the state, where an import takes its place.
func (w *Model) Guarded(
	object string,
	found []purchases.Bought,
	summary func(what string) string,
) purchases.GuardedOrder {
	job := cmp.Or(found[len(found)-1].JobID, "JOB_ID")
	guarded := purchases.GuardedOrder{
		Object:    object,
		Found:     found,
		Import:    framework.Quote(framework.ImportID(w.CharacterID.ValueString(), job)),
		IsInState: w.ID.ValueString() != "",
		Again:     "triggers",
		Summary:   summary,
	}
	if guarded.IsInState && !framework.IsUnconfirmedID(w.ID) {
		guarded.Leaves = []string{fmt.Sprintf("the job %q", w.ID.ValueString())}
	}
	return guarded
}

// Holding is what a state has of the purchase of work, which the order would buy
// again.
func (w *Model) Holding(order *purchases.Entry) purchases.Holding {
	has := purchases.Holding{CharacterID: w.CharacterID.ValueString()}
	if id := w.ID.ValueString(); id != "" && !framework.IsUnconfirmedID(w.ID) {
		has.JobID = id
		order.JobID = &id
		has.Order = func() *purchases.Entry { return order }
	}
	return has
}
