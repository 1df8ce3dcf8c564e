package acctest

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// What tests use of the core in process.
type (
	// Workspace is a configuration and a state, planned and applied in process.
	Workspace = core.Workspace
	// Object is a block of configuration or an object of state.
	Object = core.Object
	// Plan is what an apply would do.
	Plan = core.Plan
	// Change is what a plan does to one resource.
	Change = core.Change
	// Action is what a plan does to a resource.
	Action = core.Action
	// Result is what an apply did.
	Result = core.Result
	// Entry is an object in the state file.
	Entry = core.Entry
	// Diagnostics are messages to a person.
	Diagnostics = core.Diagnostics
	// Diagnostic is one of them.
	Diagnostic = core.Diagnostic
	// PlanOption is a flag of a plan.
	PlanOption = core.PlanOption
	// ResourceOption is a lifecycle setting of a resource.
	ResourceOption = core.ResourceOption
)

// The actions of a plan, and the value that is known after apply.
const (
	NoOp    = core.NoOp
	Create  = core.Create
	Update  = core.Update
	Delete  = core.Delete
	Replace = core.Replace
	Unknown = core.Unknown
)

// The options of resources and plans.
var (
	UnknownUntilApply   = core.UnknownUntilApply
	CreateBeforeDestroy = core.CreateBeforeDestroy
	Refresh             = core.Refresh
	Destroying          = core.Destroying
	Replacing           = core.Replacing
	Lookup              = core.Lookup
)

// Workspace is an empty Terraform workspace whose provider block names this
// service and its key.
func (s *Service) Workspace(t testing.TB) *Workspace {
	t.Helper()
	return core.New(t, s.Provider, Object{"base_url": s.URL, "api_key": APIKey})
}
