package character

import "fmt"

// plannedAsBefore is about an image whose source is an output that the plan does not know.
func (k imageKind) plannedAsBefore(state *imageModel) string {
	return fmt.Sprintf("source is known only after apply, and the file that it names is taken to have the bytes of the %s %q: "+
		"nothing is replaced because of it. If it turns out to have others, the apply stops here, before it uploads "+
		"anything, and the next plan shows what that replaces.", k.noun, state.ID.ValueString())
}
