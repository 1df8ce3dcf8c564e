package core_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
)

type stage struct {
	name string
	// body and config are the resource one; "" is none.
	body    string
	config  core.Object
	options []core.ResourceOption
	// reference adds a resource two, whose id becomes the name of one.
	reference bool
	importID  string
	fails     string
	destroy   bool
	unordered bool // Terraform works on several objects at a time
	elsewhere func(*toy)
}

var newFirst = []core.ResourceOption{core.CreateBeforeDestroy()}

const lifecycle = "\nlifecycle { create_before_destroy = true }"

var stages = []stage{
	{name: "create fails", body: `name = "n"`, config: core.Object{"name": "n"}, fails: "create"},
	{
		name: "replace what is tainted",
		body: `name = "n"
			weight = 0.1
			parts = { a = { text = "A" }, b = { text = "B", note = "kept" } }`,
		config: core.Object{
			"name":   "n",
			"weight": 0.1,
			"parts":  core.Object{"a": core.Object{"text": "A"}, "b": core.Object{"text": "B", "note": "kept"}},
		},
	},
	{
		name: "change some parts",
		body: `name = "n"
			label   = "l"
			parts   = { b = { text = "B" }, c = { text = "C" } }
			options = { fast = true }`,
		config: core.Object{
			"name":    "n",
			"label":   "l",
			"parts":   parts(map[string]string{"b": "B", "c": "C"}),
			"options": core.Object{"fast": true},
		},
	},
	{
		name: "make lists and sets", body: `name = "n"
			rows  = [{ text = "A" }, { text = "B", note = "kept" }]
			marks = [{ text = "A" }, { text = "B", note = "kept" }, { text = "C" }]`,
		config: core.Object{"name": "n", "rows": []core.Object{{"text": "A"}, {"text": "B", "note": "kept"}},
			"marks": []core.Object{{"text": "A"}, {"text": "B", "note": "kept"}, {"text": "C"}}},
	},
	{
		name: "change lists and sets", body: `name = "n"
			rows  = [{ text = "B" }, { text = "B" }, { text = "C" }]
			marks = [{ text = "B" }, { text = "C" }, { text = "D" }]
			options = {}`,
		config: core.Object{"name": "n", "rows": []core.Object{{"text": "B"}, {"text": "B"}, {"text": "C"}},
			"marks": []core.Object{{"text": "B"}, {"text": "C"}, {"text": "D"}}, "options": core.Object{}},
	},
	{name: "update fails", body: `name = "n"`, config: core.Object{"name": "n"}, fails: "update"},
	{name: "replace", body: `name = "m"`, config: core.Object{"name": "m"}},
	{
		name:      "gone elsewhere",
		body:      `name = "m"`,
		config:    core.Object{"name": "m"},
		elsewhere: func(y *toy) { clear(y.things) },
	},
	{
		name:    "replace, the new one first",
		body:    `name = "o"` + lifecycle,
		config:  core.Object{"name": "o"},
		options: newFirst,
	},
	{
		name:    "the new one fails",
		body:    `name = "p"` + lifecycle,
		config:  core.Object{"name": "p"},
		options: newFirst,
		fails:   "create",
	},
	{
		name:      "both are left",
		body:      `name = "p"` + lifecycle,
		config:    core.Object{"name": "p"},
		options:   newFirst,
		unordered: true,
	},
	{name: "not configured any more"},
	{
		name:      "import",
		body:      `name = "i"`,
		config:    core.Object{"name": "i"},
		importID:  "t90",
		elsewhere: func(y *toy) { y.put(newThing("t90", "i", "l")) },
	},
	{name: "update what was imported", body: `name = "i"
		label = "k"`, config: core.Object{"name": "i", "label": "k"}},
	{name: "destroy", body: `name = "i"`, config: core.Object{"name": "i"}, destroy: true},
	{name: "refer to another", body: `name = toy_thing.two.id`, reference: true},
}

func (s stage) fail(y *toy) {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	y.hooks = map[string]func(context.Context, any){}
	if s.fails != "" {
		y.fail(s.fails)
	}
}

func (s stage) prepare(y *toy, record *recording) {
	record.begin(s.name)
	if s.elsewhere != nil {
		s.elsewhere(y)
	}
	s.fail(y)
}

// One story on the CLI and on the core: every call that the provider got is
// compared. Older CLIs and OpenTofu differ in details, such as what a
// replacement is told about the old identity.
func TestAccTheCoreCallsLikeTheCLI(t *testing.T) {
	tier.Long(t, "each step on the core and on the CLI")
	t.Parallel()
	cli := &recording{}
	playOnCLI(t, cli)
	own := &recording{}
	playOnCore(t, own)
	for _, s := range stages {
		if s.unordered {
			cli.sort(s.name)
			own.sort(s.name)
		}
	}
	check.Equal(t, "calls of the CLI and of the core", own.stages, cli.stages)
}

func playOnCLI(t *testing.T, record *recording) {
	t.Helper()
	toy := newToy()
	var steps []resource.TestStep
	for _, s := range stages {
		step := resource.TestStep{
			Config:    "provider \"toy\" {\n  region = \"north\"\n}\n",
			Destroy:   s.destroy,
			PreConfig: func() { s.prepare(toy, record) },
		}
		if s.reference {
			step.Config += "resource \"toy_thing\" \"two\" {\nname = \"two\"\n}\n"
		}
		if s.body != "" {
			step.Config += "resource \"toy_thing\" \"one\" {\n" + s.body + "\n}\n"
		}
		if s.fails != "" {
			step.ExpectError = regexp.MustCompile("It failed")
		}
		if s.importID != "" {
			step.ResourceName = one
			step.ImportState = true
			step.ImportStatePersist = true
			step.ImportStateId = s.importID
		}
		steps = append(steps, step)
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_15_0)},
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){"toy": record.served(toy)},
		Steps:                    steps,
	})
}

// playOnCore does what plugin-testing does for each step: plan, apply the saved
// plan, plan without and with a refresh; and at the end destroy.
func playOnCore(t *testing.T, record *recording) {
	t.Helper()
	toy := newToy()
	w := core.New(t, record.served(toy), core.Object{"region": "north"})
	for _, s := range stages {
		s.prepare(toy, record)
		s.write(w, toy)
		if s.importID != "" {
			w.Import(one, s.importID).Must()
			continue
		}
		var options []core.PlanOption
		if s.destroy {
			options = append(options, core.Destroying())
		}
		result := w.ApplyPlan(w.Plan(options...).Must())
		if s.fails != "" {
			check.Equal(t, s.name+" fails", result.Diagnostics.HasErrors(), true)
			continue
		}
		result.Must()
		w.Plan(append(options, core.Refresh(false))...).WantEmpty()
		w.Plan(options...).WantEmpty()
	}
	w.Apply(core.Destroying(), core.Refresh(false)).Must()
}

func (s stage) write(w *core.Workspace, y *toy) {
	w.Remove(one)
	w.Remove(two)
	config := core.Object{}
	maps.Copy(config, s.config)
	if s.reference {
		w.Resource(two, core.Object{"name": "two"})
		config["name"] = core.UnknownUntilApply(fmt.Sprintf("t%d", y.last+1))
	}
	if s.body != "" {
		w.Resource(one, config, s.options...)
	}
}
