package core

import (
	"slices"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Workspace is a configuration and a state, like a directory of a real
// Terraform. Only the test's goroutine may call its methods, except Interrupt,
// Kill and Snapshot, which a fault hook may call.
type Workspace struct {
	t       testing.TB
	serve   func() (tfprotov6.ProviderServer, error)
	schemas *schemas

	provider  *block
	resources []*resource
	state     *state
	serial    int
	parallel  int
	blocked   string

	createsFirst bool

	mutex     sync.Mutex
	operation *operation
	finish    func() // ends a provider process; nil does nothing
}

// block is a part of the configuration. Once an apply has resolved its pending
// values they stay known.
type block struct {
	kind     *kind
	config   Object
	resolved bool
}

type resource struct {
	block
	address             string
	createBeforeDestroy bool
	dependsOn           []string
	beforeDestroy       *trigger
}

// trigger is an action, and its configuration for an object of the state.
type trigger struct {
	action string
	config func(caller Object) Object
}

// ResourceOption is a lifecycle setting of a resource.
type ResourceOption func(*resource)

// CreateBeforeDestroy makes replacements create the new object first.
func CreateBeforeDestroy() ResourceOption {
	return func(r *resource) { r.createBeforeDestroy = true }
}

// BeforeDestroy invokes an action before the object is destroyed or replaced,
// in the same provider process. The object is destroyed even if the action
// fails, as under `terraform destroy`.
func BeforeDestroy(action string, config func(caller Object) Object) ResourceOption {
	return func(r *resource) { r.beforeDestroy = &trigger{action: action, config: config} }
}

// DependsOn makes the change of a resource wait for the change of an earlier
// resource in the configuration, and skips it if the earlier change fails. It
// is only for workspaces that process one resource at a time.
func DependsOn(address string) ResourceOption {
	return func(r *resource) { r.dependsOn = append(r.dependsOn, address) }
}

// New returns an empty workspace. serve starts a provider process, one for each
// walk, like the CLI. config is the provider block.
func New(t testing.TB, serve func() (tfprotov6.ProviderServer, error), config Object) *Workspace {
	t.Helper()
	server, err := serve()
	if err != nil {
		t.Fatalf("provider: %s", err)
	}
	schemas, err := readSchemas(t.Context(), server)
	if err != nil {
		t.Fatalf("provider: %s", err)
	}
	w := &Workspace{
		t:        t,
		serve:    serve,
		schemas:  schemas,
		state:    newState(),
		parallel: 1,
	}
	w.Provider(config)
	return w
}

// Finish sets the function that ends each provider process.
func (w *Workspace) Finish(finish func()) { w.finish = finish }

func (w *Workspace) finishProcess() {
	if w.finish != nil {
		w.finish()
	}
}

// Provider replaces the provider block.
func (w *Workspace) Provider(config Object) {
	w.t.Helper()
	w.provider = &block{kind: w.schemas.provider, config: config}
	w.check("provider", w.provider)
}

// Resource adds a resource to the configuration, or replaces it. The address
// has the form "toy_thing.one"; attributes that are left out are null.
func (w *Workspace) Resource(address string, config Object, options ...ResourceOption) {
	w.t.Helper()
	known := w.kindOf(address)
	written := &resource{block: block{kind: known, config: config}, address: address}
	for _, option := range options {
		option(written)
	}
	w.check(address, &written.block)
	if i := slices.IndexFunc(w.resources, func(r *resource) bool { return r.address == address }); i >= 0 {
		w.resources[i] = written
		return
	}
	w.resources = append(w.resources, written)
}

// Remove removes a resource from the configuration: the next plan destroys it.
func (w *Workspace) Remove(address string) {
	w.resources = slices.DeleteFunc(slices.Clone(w.resources), func(r *resource) bool { return r.address == address })
}

// Forget removes a resource from the state, like `terraform state rm`.
func (w *Workspace) Forget(address string) {
	next := w.state.clone()
	delete(next.current, address)
	delete(next.deposed, address)
	w.write(next)
}

// Snapshot is an earlier state file.
type Snapshot struct{ state *state }

// Snapshot returns the present state; a fault hook may call it during a
// command.
func (w *Workspace) Snapshot() Snapshot { return Snapshot{w.state.clone()} }

// Restore brings an earlier state back, like a backend that later states never
// reached.
func (w *Workspace) Restore(was Snapshot) { w.write(was.state.clone()) }

// Parallel makes walks process n resources at a time; Terraform's default is
// 10. Without Parallel they process one at a time, in the order of the
// configuration, so that a test knows which request is the nth.
func (w *Workspace) Parallel(n int) { w.parallel = n }

// CreatesFirst makes applies create and update objects before they destroy
// objects that do not depend on the former. The CLI has no fixed order.
func (w *Workspace) CreatesFirst() { w.createsFirst = true }

// Block makes applies fail before they reach an address, as if a dependency had
// failed; "" ends the block.
func (w *Workspace) Block(address string) { w.blocked = address }

// kindOf returns the type of an address. If there is none, the test is wrong.
func (w *Workspace) kindOf(address string) *kind {
	w.t.Helper()
	known, err := w.schemas.resource(address)
	if err != nil {
		w.t.Fatal(err)
	}
	return known
}

// State returns a resource's attributes in the state; nil if the state does not
// have it.
func (w *Workspace) State(address string) Object {
	w.t.Helper()
	file := w.state.get(address)
	if file == nil {
		return nil
	}
	known := w.kindOf(address)
	return w.plain(file.attributes, known.typ)
}

// Value returns an attribute in the state, as in `parts["a"].id`; nil if there
// is none.
func (w *Workspace) Value(address, path string) any {
	w.t.Helper()
	return Lookup(w.State(address), path)
}

// Identity returns a resource's identity in the state; nil if it has none.
func (w *Workspace) Identity(address string) Object {
	w.t.Helper()
	file := w.state.get(address)
	known := w.kindOf(address)
	if file == nil || file.identity == nil || known.identity == nil {
		return nil
	}
	return w.plain(file.identity, known.identity)
}

// Tainted reports whether the next plan replaces a resource because its
// creation failed.
func (w *Workspace) Tainted(address string) bool {
	file := w.state.get(address)
	return file != nil && file.tainted
}

// Taint makes the next plan replace a resource, like `terraform taint` and an
// action_trigger with on_failure = taint.
func (w *Workspace) Taint(address string) {
	next := w.state.clone()
	tainted := *next.current[address]
	tainted.tainted = true
	next.current[address] = &tainted
	w.write(next)
}

// Deposed returns how many objects of an address must still be destroyed after
// a replacement that failed halfway.
func (w *Workspace) Deposed(address string) int { return len(w.state.deposedAt(address)) }

// Addresses returns the resources in the state, sorted.
func (w *Workspace) Addresses() []string { return w.state.addresses() }

func (w *Workspace) plain(content []byte, typ tftypes.Type) Object {
	w.t.Helper()
	value, err := tfprotov6.RawState{JSON: content}.Unmarshal(typ)
	if err != nil {
		w.t.Fatalf("state: %s", err)
	}
	return plainObject(value)
}

// check fails the test at once if a block does not match its schema, which is a
// mistake in the test.
func (w *Workspace) check(address string, written *block) {
	w.t.Helper()
	for _, resolved := range []bool{false, true} {
		_, err := encoder{resolved}.encode(written.kind.typ, written.config, tftypes.NewAttributePath())
		if err != nil {
			w.t.Fatalf("configuration of %s: %s", address, err)
		}
	}
}

// value returns the block's value. In a plan pending values are unknown, unless
// an apply has resolved them before.
func (b *block) value(resolved bool) tftypes.Value {
	value, err := encoder{resolved}.encode(b.kind.typ, b.config, tftypes.NewAttributePath())
	if err != nil {
		panic(err)
	}
	return value
}

// write saves the state file.
func (w *Workspace) write(next *state) {
	w.state = next
	w.serial++
}

func plainObject(value tftypes.Value) Object {
	content, _ := decode(value).(Object)
	return content
}
