package acctest_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// textedConfiguration has all that compares a text, as JSON; each reads a file
// of its own, as checkouts and editors change them. It returns the names of the
// files by address.
func (m *terminal) textedConfiguration() (files map[string]string) {
	m.t.Helper()
	files = map[string]string{}
	resources := core.Object{}
	for address, config := range texted {
		typ, name, _ := strings.Cut(address, ".")
		if resources[typ] == nil {
			resources[typ] = core.Object{}
		}
		files[address] = typ + "-" + name + ".txt"
		resources[typ].(core.Object)[name] = config(`${file("${path.module}/` + files[address] + `")}`)
	}
	needed := core.Object{"mediagen": core.Object{"source": "mediagen/mediagen"}}
	content, err := json.Marshal(core.Object{
		"terraform": core.Object{"required_providers": needed},
		"provider":  core.Object{"mediagen": core.Object{}},
		"resource":  resources,
	})
	check.Must(m.t, err)
	m.write("main.tf.json", string(content))
	return files
}

// newReachable is for a CLI: what tests in process use has no address.
func newReachable(t *testing.T) *acctest.Service {
	t.Helper()
	s := acctest.NewService(t, func(o *mockserver.Options) {
		o.Extended = true
		o.GenerationTime = -1
		o.TrainingTime = -1
		o.DatasetTime = -1
	})
	s.AddAda()
	return s
}

// wantChange expects a plan that changes one object.
func (m *terminal) wantChange(address string) {
	m.t.Helper()
	output, code := m.try("plan", "-detailed-exitcode", "-no-color")
	isIt := strings.Contains(output, "# "+address+" ") && strings.Count(output, "  # mediagen_") == 1
	check.True(m.t, "the plan changes it alone", code == 2 && isIt, code, address, output)
}

// Another checkout plans nothing, wherever a text is compared, and another text
// plans its own change. Fault F35.
func TestAccSame_everywhere(t *testing.T) {
	tier.Long(t, "texts that differ in notation, through all outputs")
	t.Parallel()
	s := newReachable(t)
	s.AddReady("bob")
	s.AddReady("lin")
	m := newTerminal(t, s, t.TempDir())
	files := m.textedConfiguration()
	for _, file := range files {
		m.write(file, written)
	}
	m.run("apply", "-auto-approve")
	m.wantNoChanges()
	bought := len(s.Ledger().Entries)
	s.ResetJournal()
	same := check.SameTexts(written)
	other := check.OtherTexts(written)
	addresses := make([]string, 0, len(files))
	for address := range files {
		addresses = append(addresses, address)
	}
	slices.Sort(addresses)
	for seed := range 3 {
		for i, address := range addresses {
			m.write(files[address], same.Example(seed*len(addresses)+i))
		}
		m.wantNoChanges()
		for i := seed; i < len(addresses); i += 3 {
			address := addresses[i]
			m.write(files[address], other.Example(i))
			m.wantChange(address)
			m.write(files[address], written)
		}
	}
	m.run("apply", "-auto-approve")
	m.wantNothingDone()
	m.wantRequests(map[string]int{
		mockserver.RouteChat: 0, mockserver.RouteImage: 0, mockserver.RouteUpdate: 0,
	})
	check.Equal(t, "purchases", len(s.Ledger().Entries), bought)
}

// A job is imported by an id in another case, and then has the service's, by id
// and by identity. Fault F38.
func TestAccImport_jobInAnotherCase(t *testing.T) {
	tier.Long(t, "a further story of imports")
	t.Parallel()
	for name, by := range map[string]string{
		"id":       `id = "ada/JOB_000001"`,
		"identity": `identity = { character_id = "ada", id = "JOB_000001" }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newReachable(t)
			job := s.StartTrainingElsewhere("ada")
			m := newTerminal(t, s, t.TempDir())
			if name == "identity" {
				m.needs(tfversion.Version1_12_0, "imports by identity")
			}
			m.write("main.tf", versions+`
import {
  to = mediagen_body_lora_training.t
  `+by+`
}

resource "mediagen_body_lora_training" "t" {
  character_id = "ada"
}

output "job" {
  value = { id = mediagen_body_lora_training.t.id }
}
`)
			m.adopts("1 imported, 0 added")
			var shown struct{ ID string }
			m.output("job", &shown)
			check.Equal(t, "the id", shown.ID, job)
		})
	}
}

// The cure that the message names for a file that the same configuration makes.
// Fault F38.
func TestAccImage_fileOfTheSameApply(t *testing.T) {
	tier.Long(t, "a further story of images")
	t.Parallel()
	s := newReachable(t)
	m := newTerminal(t, s, t.TempDir())
	m.needs(tfversion.Version1_4_0, "terraform_data")
	m.write("origin.png", acctest.PNG)
	m.write("main.tf", versions+`
resource "terraform_data" "made" {
  provisioner "local-exec" {
    command = "cp origin.png front.png"
  }
}

resource "mediagen_face_image" "front" {
  character_id = "ada"
  source       = "front.png"
  depends_on   = [terraform_data.made]
}
`)
	m.refuses([]string{
		"Unreadable Source File", "have it made first, as by an apply with -target=ADDRESS of what makes it",
	}, "apply", "-auto-approve")
	m.wantRequests(map[string]int{mockserver.RouteUpload: 0})
	m.run("apply", "-auto-approve", "-target=terraform_data.made")
	m.run("apply", "-auto-approve")
	m.wantNoChanges()
	m.wantRequests(map[string]int{mockserver.RouteUpload: 1})
}
