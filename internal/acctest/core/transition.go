package core

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// transition is a call of the provider that changes an object.
type transition struct {
	address        string
	kind           *kind
	before, config tftypes.Value
	after          object
	// current is the object in the state; nil if there is none.
	current    *object
	destroying bool
}

// perform makes the change and returns the object for the state. ok is true if
// there was no error.
func (a *work) perform(step transition) (*object, bool) {
	got, diagnostics := a.provider.apply(a.ctx, step.address, step.kind, step.before, step.config, step.after)
	if got == nil || got.value.Type() == nil {
		got = &object{value: step.before}
		if step.destroying {
			got.value = step.kind.null()
		}
	}
	diagnostics = append(diagnostics, unknownIdentity(step.address, got.identity)...)
	for _, path := range unknownPaths(got.value) {
		found := failure(
			step.address,
			"Provider returned invalid result object after apply",
			"After the apply operation, the provider still indicated an unknown value for %s.%s. All values must be "+
				"known after apply.",
			step.address,
			pathText(path),
		)
		found.Path = pathText(path)
		diagnostics = append(diagnostics, found)
	}
	got.value = withoutUnknowns(got.value)
	got.identity = withoutUnknowns(got.identity)
	if !diagnostics.HasErrors() {
		diagnostics = append(diagnostics, step.problems(got.value)...)
	}
	a.report.add(diagnostics...)
	failed := diagnostics.HasErrors()
	if !failed {
		a.result.changed(step.address)
		return got, true
	}
	if got.absent() {
		return step.current, false
	}
	got.tainted = step.current != nil && step.current.tainted
	return got, false
}

// problems returns the violations in a result that the provider returned
// without an error.
func (s transition) problems(got tftypes.Value) Diagnostics {
	const summary = "Provider returned invalid result object after apply"
	switch {
	case s.destroying && !got.IsNull():
		return Diagnostics{
			failure(
				s.address,
				summary,
				"After applying a delete plan, the provider returned a non-null object for %s.",
				s.address,
			),
		}
	case s.destroying:
		return nil
	}
	var diagnostics Diagnostics
	for _, found := range resultProblems(s.kind, s.after.value, got) {
		diagnostics = append(
			diagnostics,
			found.diagnostic(s.address, "Provider produced inconsistent result after apply",
				"When applying changes, provider produced an unexpected new value: %s: %s."),
		)
	}
	return diagnostics
}
