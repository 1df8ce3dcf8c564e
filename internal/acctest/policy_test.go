package acctest_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// The policies read the plans of real CLIs.
func TestAccPolicies(t *testing.T) {
	t.Parallel()
	service := newExampleService(t)
	m := newTerminal(t, service, t.TempDir())
	configure := func(later, title, prompts, round string) {
		m.write("main.tf", fmt.Sprintf(versions+`
resource "terraform_data" "later" { input = %q }
resource "mediagen_generation_group" "g" {
  title   = %s
  prompts = { for key, text in %s : key => { prompt = text } }
}
resource "mediagen_body_lora_training" "t" {
  character_id = "char_lin"
  triggers     = { round = %q }
}
`, later, title, prompts, round))
	}
	const (
		g, tr    = "mediagen_generation_group.g", "mediagen_body_lora_training.t"
		titled   = `"Portraits"`
		output   = "terraform_data.later.output"
		two      = `{ a = "A", b = "B" }`
		unknowns = `{ for key in split(" ", ` + output + `) : key => key }`
	)
	shown := func(arguments ...string) string {
		t.Helper()
		_, _ = m.try(append([]string{"plan", "-out=plan"}, arguments...)...)
		return m.run("show", "-json", "plan")
	}
	want := func(what string, purchases any, bought map[string]any, arguments ...string) {
		t.Helper()
		t.Log(what)
		repotest.WantPolicies(t, shown(arguments...), repotest.Budget{Purchases: purchases, Bought: bought})
	}
	both := map[string]any{g: []any{"a", "b"}, tr: []any{"id"}}

	configure("1", output, two, "1")
	want("create with an unknown title", 3.0, both)
	configure("1 2", titled, unknowns, "1")
	want("create with unknown prompts", "unknown", map[string]any{g: "unknown", tr: []any{"id"}})
	configure("1", titled, two, "1")
	want("create", 3.0, both)
	m.run("apply", "plan")
	want("nothing", 0.0, nil)
	want("refresh only", 0.0, nil, "-refresh-only")
	want("destroy", 0.0, nil, "-destroy")
	want("replacement", 3.0, both, "-replace="+g, "-replace="+tr)

	configure("1", `"Faces"`, two, "1")
	want("a title", 0.0, nil)
	configure("1", titled, `{ a = "A", c = "B" }`, "1")
	want("a renamed key", 0.0, nil)
	configure("1", titled, `{ a = "A2", b = "B", c = "C" }`, "2")
	want("update", 3.0, map[string]any{g: []any{"a", "c"}, tr: []any{"id"}})
	configure("2", output, two, "1")
	want("an unknown title", 0.0, nil)
	configure("2", titled, `{ a = "A", b = `+output+` }`, "1")
	want("one unknown text", 1.0, map[string]any{g: []any{"b"}})
	configure("a b", titled, unknowns, "1")
	want("unknown prompts", "unknown", map[string]any{g: "unknown"})

	elsewhere := map[string]string{}
	for i, generation := range service.Groups()[0].Generations {
		elsewhere[fmt.Sprintf("i%d", i)] = generation.ID
	}
	id, err := json.Marshal(elsewhere)
	check.Must(t, err)
	configure("1", titled, two, "1")
	imports := func(more string) {
		m.write("imports.tf", fmt.Sprintf(`
import {
  to = mediagen_generation_group.i
  id = %q
}
resource "mediagen_generation_group" "i" {
  character_id = "char_ada"
  prompts = {
    i0 = { prompt = "Portrait in soft morning light" }
    i1 = { prompt = "On a stage in red light" }
    %s
  }
}
`, id, more))
	}
	imports("")
	want("import", 0.0, nil)
	imports(`i2 = { prompt = "In the rain" }`)
	want("import and add", 1.0, map[string]any{"mediagen_generation_group.i": []any{"i2"}})
	if !m.atLeast(tfversion.Version1_6_0) {
		return // it writes no plan that has failed
	}
	m.setenv("MEDIAGEN_MAX_PURCHASES", "0")
	if plan := shown(); !repotest.ByJQ(t, plan).IsUnknown() {
		t.Errorf("a plan that failed is not unknown: %v", repotest.ByJQ(t, plan))
	} else {
		repotest.WantPolicies(t, plan, repotest.ByJQ(t, plan))
	}
}
