package acctest_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

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
	want := func(what, sum string, objects []string, arguments ...string) {
		t.Helper()
		t.Log(what)
		repotest.WantPolicies(t, shown(arguments...), append(objects, "all: "+sum)...)
	}
	const (
		none    = "purchases 0, credits 0"
		unknown = "purchases unknown, credits unknown"
		once    = tr + ": purchases 1, credits 100"
	)
	both := []string{g + ": purchases 2, credits 0.2", once}
	m.setenv("MEDIAGEN_PRICES", `{"generation": 0.1, "training": 100}`)

	configure("1", output, two, "1")
	want("create with an unknown title", "purchases 3, credits 100.2", both)
	configure("1 2", titled, unknowns, "1")
	want("create with unknown prompts", unknown, []string{g + ": " + unknown, once})
	configure("1", titled, two, "1")
	want("create", "purchases 3, credits 100.2", both)
	m.run("apply", "plan")
	want("nothing", none, nil)
	want("refresh only", none, nil, "-refresh-only")
	want("destroy", none, nil, "-destroy")
	want("replacement", "purchases 3, credits unknown", []string{g + ": purchases 2, credits unknown", tr + ": purchases 1, credits unknown"}, "-replace="+g, "-replace="+tr)

	configure("1", `"Faces"`, two, "1")
	want("a title", none, nil)
	configure("1", titled, `{ a = "A", c = "B" }`, "1")
	want("a renamed key", none, nil)
	configure("1", titled, `{ a = "A2", b = "B", c = "C" }`, "2")
	want("update", "purchases 3, credits unknown", []string{g + ": purchases 2, credits 0.2", tr + ": purchases 1, credits unknown"})
	configure("2", output, two, "1")
	want("an unknown title", none, nil)
	configure("2", titled, `{ a = "A", b = `+output+` }`, "1")
	want("one unknown text", unknown, []string{g + ": " + unknown})
	configure("a b", titled, unknowns, "1")
	want("unknown prompts", unknown, []string{g + ": " + unknown})

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
	want("import", none, nil)
	imports(`i2 = { prompt = "In the rain" }`)
	want("import and add", "purchases 1, credits 0.1", []string{"mediagen_generation_group.i: purchases 1, credits 0.1"})
	if !m.atLeast(tfversion.Version1_6_0) {
		return // it writes no plan that has failed
	}
	m.setenv("MEDIAGEN_MAX_PURCHASES", "0")
	check.Equal(t, "of a plan that failed", repotest.ByJQ(t, shown(), 50).Denied, repotest.NotTold)
}
