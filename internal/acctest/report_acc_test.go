package acctest_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// reports is the file of what a reviewer reads of the plans of a studio.
// REPORTS=write writes it.
var reports = filepath.Join("testdata", "reports.md")

// reviewed is a configuration of named blocks, with prices.
type reviewed struct {
	*terminal
	blocks map[string]string
	text   strings.Builder
}

func newReviewed(t *testing.T) *reviewed {
	t.Helper()
	s := &reviewed{
		terminal: newTerminal(t, newExampleService(t), t.TempDir()),
		blocks: map[string]string{
			"versions": strings.Replace(
				versions,
				`provider "mediagen" {}`,
				"provider \"mediagen\" {\n  prices = { generation = 1, training = 100 }\n}",
				1,
			),
		},
	}
	return s
}

// has sets blocks, or removes those that are empty.
func (s *reviewed) has(blocks map[string]string) {
	s.t.Helper()
	maps.Copy(s.blocks, blocks)
	var configuration strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.blocks)) {
		configuration.WriteString(s.blocks[name])
	}
	s.write("main.tf", configuration.String())
}

func portraitsOf(name, prompts, further string) string {
	return fmt.Sprintf(
		"resource \"mediagen_generation_group\" %q {\n  title   = \"Portraits\"\n  prompts = {\n%s  }\n%s}\n",
		name,
		prompts,
		further,
	)
}

// reports plans, and checks the three answers of the report's first line.
func (s *reviewed) reports(name string, answers [3]string, arguments ...string) {
	s.t.Helper()
	report := repotest.Report(s.t, s.plan("studio.plan", arguments...).text)
	first, _, _ := strings.Cut(report, "\n")
	check.Equal(s.t, name+": the first line", first, "**"+strings.Join(answers[:], " ")+"**")
	fmt.Fprintf(&s.text, "\n## %s\n\n%s\n", name, report)
}

func (s *reviewed) applies() {
	s.t.Helper()
	s.run("apply", "studio.plan")
}

// A reviewer finds in the first line of each plan of a studio whether it holds, what it buys
// for how much, and what is lost for good; and in the second what is free.
func TestAccReport(t *testing.T) {
	tier.Long(t, "a dozen plans of a studio")
	tier.OneCLI(t, "which fields a plan has")
	t.Parallel()
	s := newReviewed(t)
	const (
		holds       = "The plan holds."
		buysNothing = "It buys nothing."
		noLoss      = "Nothing is lost."
		a           = "    a = { prompt = \"At a window\" }\n"
		changedA    = "    a = { prompt = \"At a door\" }\n"
		retakenA    = "    a = { prompt = \"At a door\", take = 2 }\n"
		b           = "    b = { prompt = \"On a bridge\" }\n"
		c           = "    c = { prompt = \"In a garden\" }\n"
		keep        = "  deletion_policy = \"keep\"\n  labels = { client = \"acme\" }\n"
		training    = "resource \"mediagen_face_lora_training\" \"lin\" {\n  character_id = \"char_lin\"\n}\n"
	)
	s.has(map[string]string{"group": portraitsOf("portraits", a+b, ""), "training": training})
	s.reports("New", [3]string{holds, "It buys 2 prompts and 1 training for at most 102 credits.", noLoss})
	s.applies()

	s.has(map[string]string{"group": portraitsOf("portraits", changedA+b, "")})
	oneLost := "It deletes 1 generation with 1 picture for good."
	s.reports("Changed", [3]string{holds, "It buys 1 prompt for at most 1 credit.", oneLost})
	s.applies()

	s.has(map[string]string{"group": portraitsOf("portraits", changedA+c, "")})
	s.reports("Added and removed at once", [3]string{holds, "It buys 1 prompt for at most 1 credit.", oneLost})
	s.applies()

	s.has(map[string]string{"group": portraitsOf("portraits", retakenA+c, "")})
	s.reports("Retaken", [3]string{holds, "It buys 1 prompt for at most 1 credit.", oneLost})
	s.applies()

	s.has(map[string]string{"group": portraitsOf("people", retakenA+c, "")})
	twoLost := "It deletes 2 generations with 2 pictures for good."
	s.reports("Renamed", [3]string{holds, "It buys 2 prompts for at most 2 credits.", twoLost})
	s.has(map[string]string{
		"moved": "moved {\n  from = mediagen_generation_group.portraits\n" +
			"  to   = mediagen_generation_group.people\n}\n",
	})
	s.reports("Moved", [3]string{holds, buysNothing, noLoss})
	s.applies()

	s.has(map[string]string{"cast": s.existingCast(50)})
	s.reports("Imported", [3]string{holds, buysNothing, noLoss})
	s.has(map[string]string{
		"cast": "", "group": "",
		"removed": "removed {\n  from = mediagen_generation_group.people\n  lifecycle {\n    destroy = false\n  }\n}\n",
		"moved":   "",
	})
	s.reports("Forgotten", [3]string{holds, buysNothing, noLoss})

	s.has(map[string]string{"removed": "", "group": portraitsOf("people", retakenA+c, "")})
	s.reports(
		"Replaced",
		[3]string{holds, "It buys 2 prompts and 1 training for about 102 credits.", twoLost},
		"-replace=mediagen_face_lora_training.lin",
		"-replace=mediagen_generation_group.people",
	)
	s.reports("Destroyed", [3]string{holds, buysNothing, twoLost}, "-destroy")

	s.setenv("MEDIAGEN_MAX_PURCHASES", "0")
	s.has(map[string]string{"group": portraitsOf("people", retakenA+b+c, "")})
	s.reports("Failed", [3]string{
		"The plan has failed, and cannot be applied.",
		"As far as it tells, it buys nothing.",
		"As far as it tells, nothing is lost.",
	})
	s.setenv("MEDIAGEN_MAX_PURCHASES", "50")

	s.has(map[string]string{"group": portraitsOf("people", retakenA+c, keep)})
	s.reports("Kept from now on", [3]string{holds, buysNothing, noLoss})
	s.applies()
	s.has(map[string]string{"group": ""})
	s.reports("Kept", [3]string{holds, buysNothing, noLoss})
	s.wantGolden()
}

// existingCast imports characters that the service has.
func (s *reviewed) existingCast(count int) string {
	ids := make([]string, count)
	for i := range ids {
		ids[i] = fmt.Sprintf("%q", s.AddCharacter(mockserver.CharacterSeed{Name: fmt.Sprint("Character ", i)}))
	}
	return "locals {\n  cast = toset([" + strings.Join(ids, ", ") + "])\n}\n" + `
import {
  for_each = local.cast
  to       = mediagen_character.cast[each.key]
  id       = each.key
}
resource "mediagen_character" "cast" {
  for_each = local.cast
  id       = each.key
}
`
}

func (s *reviewed) wantGolden() {
	s.t.Helper()
	found := "# What report.jq writes of the plans of a studio\n" + s.text.String()
	if os.Getenv("REPORTS") == "write" {
		check.Must(s.t, os.WriteFile(reports, []byte(found), 0o600))
	}
	check.Equal(s.t, "the reports; REPORTS=write writes them", found, readFile(s.t, reports))
}
