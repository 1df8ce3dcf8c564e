package core

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Action is the planned action for a resource.
type Action string

// The actions of a plan.
const (
	NoOp    Action = "no-op"
	Create  Action = "create"
	Update  Action = "update"
	Delete  Action = "delete"
	Replace Action = "replace"
)

// Change is the planned change of an object.
type Change struct {
	Address string
	Action  Action
	// Deposed says that a replacement left the object behind.
	Deposed bool
	// Before and After are the object; nil means absent, and Unknown means
	// known after apply.
	Before, After Object
	// Replaces are the attributes that force the replacement.
	Replaces []string

	kind     *kind
	resource *resource
	leftover *stored
	before   tftypes.Value
	after    object
}

// Plan is the plan of an apply.
type Plan struct {
	// Diagnostics are the plan's messages.
	Diagnostics Diagnostics
	// Changes are in the order of the configuration, followed by objects that
	// are no longer in it. They include changes with the action NoOp.
	Changes []*Change
	// Drifted are the resources that the refresh found changed.
	Drifted []string
	// Deferred are the resources that the provider left to a later plan, with
	// the values that it knows.
	Deferred map[string]Object

	t      testing.TB
	prior  *state
	serial int
}

// Empty reports whether the plan has neither errors nor changes.
func (p *Plan) Empty() bool {
	return !p.Diagnostics.HasErrors() &&
		!slices.ContainsFunc(p.Changes, func(c *Change) bool { return c.Action != NoOp })
}

// Change returns the change of the object at an address. If the plan does not
// know the address, its action is NoOp.
func (p *Plan) Change(address string) *Change {
	for _, change := range p.Changes {
		if change.Address == address && !change.Deposed {
			return change
		}
	}
	return &Change{Address: address, Action: NoOp}
}

// Action returns the planned action for the resource at an address.
func (p *Plan) Action(address string) Action { return p.Change(address).Action }

// Warnings returns the warnings of the plan.
func (p *Plan) Warnings() Diagnostics { return p.Diagnostics.Warnings() }

// UnknownIDs returns the paths of the attributes named id that are known after
// apply, of the object and of its map elements, as in `id` and `parts["a"].id`.
// If a map of objects with an id, or an element of such a map, is unknown as a
// whole, its own path is returned.
func (p *Plan) UnknownIDs(address string) []string {
	after := p.Change(address).after.value
	if after.IsNull() {
		return nil
	}
	return unknownIDs(after)
}

// Must fails the test at once if the plan has errors.
func (p *Plan) Must() *Plan {
	p.t.Helper()
	if p.Diagnostics.HasErrors() {
		p.t.Fatalf("the plan failed:\n%s", p.Diagnostics)
	}
	return p
}

// WantEmpty fails the test if the plan has errors or changes.
func (p *Plan) WantEmpty() {
	p.t.Helper()
	if !p.Empty() {
		p.t.Errorf("the plan is not empty:\n%s", p)
	}
}

// String returns the plan for people: the changes and the messages.
func (p *Plan) String() string {
	var text strings.Builder
	for _, change := range p.Changes {
		if change.Action != NoOp {
			text.WriteString(change.String())
		}
	}
	text.WriteString(p.Diagnostics.String())
	return text.String()
}

// String returns the change for people.
func (c *Change) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s\n", c.Address, c.Action)
	for _, path := range c.Replaces {
		fmt.Fprintf(&text, "  # %s forces replacement\n", path)
	}
	if c.Before == nil || c.After == nil {
		return text.String()
	}
	difference(&text, "", c.Before, c.After)
	return text.String()
}

func difference(text *strings.Builder, path string, before, after any) {
	old, isObject := before.(Object)
	next, staysObject := after.(Object)
	if !isObject || !staysObject {
		was := showPlain(before)
		is := showPlain(after)
		if was != is {
			fmt.Fprintf(text, "  ~ %s: %s -> %s\n", path, was, is)
		}
		return
	}
	names := sortedKeys(old)
	for _, name := range sortedKeys(next) {
		if _, ok := old[name]; !ok {
			names = append(names, name)
		}
	}
	for _, name := range names {
		difference(text, strings.TrimPrefix(path+"."+name, "."), old[name], next[name])
	}
}

// planOptions are the flags of a plan.
type planOptions struct {
	skipRefresh bool
	deferring   bool
	destroy     bool
	reversed    bool
	replace     []string
}

// PlanOption is a flag of a plan or an apply.
type PlanOption func(*planOptions)

// Refresh says whether the plan reads every resource first, which is the
// default.
func Refresh(refresh bool) PlanOption { return func(o *planOptions) { o.skipRefresh = !refresh } }

// Deferring lets the provider leave resources to a later plan, like the plans
// of Terraform Stacks. Without this option a plan must not defer, and an apply
// fails if a resource is deferred.
func Deferring() PlanOption { return func(o *planOptions) { o.deferring = true } }

// Destroying plans to destroy everything.
func Destroying() PlanOption { return func(o *planOptions) { o.destroy = true } }

// Reversed reads and plans the objects in the reverse order, beginning with
// deposed and removed resources. The CLI has no fixed order.
func Reversed() PlanOption { return func(o *planOptions) { o.reversed = true } }

// Replacing plans to replace a resource, like -replace.
func Replacing(address string) PlanOption {
	return func(o *planOptions) { o.replace = append(o.replace, address) }
}

// Plan refreshes and plans, and does not change the state.
func (w *Workspace) Plan(options ...PlanOption) *Plan {
	o, done := w.start(context.Background())
	defer done()
	return o.plan(options)
}

func (o *operation) plan(options []PlanOption) *Plan {
	var flags planOptions
	for _, option := range options {
		option(&flags)
	}
	o.deferring = flags.deferring
	failed := &Plan{t: o.workspace.t, serial: o.workspace.serial}
	failed.Diagnostics = o.validateUsed()
	if failed.Diagnostics.HasErrors() {
		return failed
	}
	if flags.destroy {
		return o.planDestruction(flags)
	}
	return o.planWalk(flags, o.workspace.state, false)
}

// Validate checks the configuration, without configuring the provider.
func (w *Workspace) Validate() Diagnostics {
	o, done := w.start(context.Background())
	defer done()
	return o.validate()
}

// validateUsed validates before a plan. A provider that no resource uses is not
// started at all.
func (o *operation) validateUsed() Diagnostics {
	if len(o.workspace.resources) == 0 {
		return nil
	}
	return o.validate()
}

func (o *operation) validate() Diagnostics {
	k, ok := o.begin(false, false)
	if !ok {
		return k.report.all()
	}
	k.report.add(k.provider.validateProvider(o.ctx, o.workspace.provider.value(false))...)
	for _, r := range o.workspace.resources {
		k.report.add(k.provider.validate(o.ctx, r.address, r.kind, r.value(false))...)
	}
	return k.report.all()
}
