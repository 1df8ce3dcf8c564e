//go:build unix

package acctest_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

var approved = []string{"-var=approve=true", `-var=rejected=["image_000002"]`}

func newFromNothing(t *testing.T) *terminal {
	t.Helper()
	s := acctest.NewService(t, func(o *mockserver.Options) {
		o.GenerationTime = -1
		o.TrainingTime = -1
		o.DatasetTime = -1
		o.DatasetCost = 20
		o.Extended = true
		o.Variant = mockserver.ExtendedVariants()["body-needs-dataset"]
	})
	m := newTerminal(t, s, filepath.Join(examples, "from-nothing"))
	m.setenv("MEDIAGEN_PURCHASE_LOG", purchaseLog)
	return m
}

// From an empty organization to pictures, and back: each step buys and sends
// what its plan says.
func TestAccFromNothing(t *testing.T) {
	t.Parallel()
	m := newFromNothing(t)
	m.setenv("MEDIAGEN_PRICES", `{"training": 100, "dataset": 20, "generation": 1}`)
	planned := m.plan("first.plan")
	repotest.WantPolicies(
		t,
		planned.text,
		"mediagen_face_lora_training.mira: purchases 1, credits 100",
		"mediagen_dataset.mira: purchases 1, credits 20",
		"all: purchases 2, credits 120",
	)
	m.run("apply", "first.plan")
	m.wantBought(planned, 0, map[string]int{"training": 1, "dataset": 1})
	m.wantNoChanges()
	m.wantCounts(map[string]int{
		mockserver.RouteCreate: 1, mockserver.RouteUpload: 2, mockserver.RouteUploadBody: 2,
		mockserver.RouteStartFaceTraining: 1, mockserver.RouteGenerateDataset: 1,
	})

	planned = m.plan("second.plan", approved...)
	repotest.WantPolicies(
		t,
		planned.text,
		"mediagen_body_lora_training.mira[0]: purchases 1, credits 100",
		"mediagen_generation_group.mira[0]: purchases 3, credits 3",
		"all: purchases 4, credits 103",
	)
	check.Contains(t, "the cost of its life", m.run("show", "second.plan"), "~ cost     = 120 -> 223")
	m.run("apply", "second.plan")
	m.wantBought(planned, 2, map[string]int{"training": 1, "prompt": 3})
	m.wantNoChanges(approved...)
	m.wantCounts(
		map[string]int{
			mockserver.RouteApproval:       3,
			mockserver.RouteApproveDataset: 1,
			mockserver.RouteStartTraining:  1,
			mockserver.RouteBatch:          1,
		},
	)
	m.wantBooked()

	m.wantWarnings(map[string]int{
		"Character Will Be Deleted: character": 1,
		"Media Will Be Deleted: group":         1,
		"Face Images Will Be Forgotten":        1,
		"Body Images Will Be Forgotten":        1,
		"Datasets Will Be Forgotten":           1,
	}, append([]string{"plan", "-destroy"}, approved...)...)
	m.ResetJournal()
	account := m.Ledger().Entries
	m.run(append([]string{"destroy", "-auto-approve"}, approved...)...)
	m.wantCounts(map[string]int{mockserver.RouteDeleteGroup: 1, mockserver.RouteDeleteCharacter: 1})
	m.wantNothingLeft()
	left := m.State()
	check.True(
		t,
		"nothing is left",
		len(left.Characters)+len(left.Groups)+left.Media+len(m.objects()) == 0,
		left,
		m.objects(),
	)
	check.Equal(t, "what was bought before and after the destroy", m.Ledger().Entries, account)
}

func TestAccGuide_fromNothing(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := newFromNothing(t)
	m.installable()
	output := m.follow("from-nothing", t.TempDir())
	m.wantSays(
		output,
		"7 added, 0 changed, 0 destroyed",
		"Half profile, sitting on a chair",
		"view_url",
		"3 added, 0 changed, 0 destroyed",
		"10 destroyed",
	)
	m.shows("from-nothing")
	left := m.State()
	check.True(
		t,
		"what was bought, and is left",
		len(m.Ledger().Entries) == 4 && len(left.Characters)+len(left.Groups)+left.Media == 0,
		m.Ledger().Entries,
		left,
	)
}

func (m *terminal) wantCounts(want map[string]int) {
	m.t.Helper()
	got := map[string]int{}
	for _, request := range m.Journal() {
		if request.Method != http.MethodGet && request.Route != mockserver.RouteToken {
			got[request.Route]++
		}
	}
	check.True(m.t, "requests", maps.Equal(got, want), got, want, m.Story())
	m.ResetJournal()
}

func (m *terminal) wantBooked() {
	m.t.Helper()
	objects := m.objects()
	var booked, held, prompts []string
	for _, entry := range m.Ledger().Entries {
		if entry.Kind != "batch" {
			booked = append(booked, entry.ID)
		}
		prompts = append(prompts, entry.Prompts...)
	}
	generations := 0
	for address, object := range objects {
		kind, _, _ := strings.Cut(address, ".")
		kind = bookedAs[kind]
		if kind != "" && kind != "prompt" {
			held = append(held, object.Attributes.ID)
		}
		generations += len(object.generationIDs())
	}
	slices.Sort(booked)
	check.True(
		m.t,
		"the ledger and the state agree",
		slices.Equal(booked, slices.Sorted(slices.Values(held))) && generations == len(prompts),
		booked,
		prompts,
		held,
		generations,
	)
	logged := map[string]int{}
	for line := range strings.Lines(m.read(purchaseLog)) {
		var entry struct{ Type, Outcome string }
		check.Must(m.t, json.Unmarshal([]byte(line), &entry))
		logged[entry.Type+" "+entry.Outcome]++
	}
	want := map[string]int{
		"create_character sending": 1, "create_character answered": 1, // which costs nothing
		"apply returned": 4, // one of each object that is bought
	}
	for kind, count := range map[string]int{"training": 2, "dataset": 1, "batch": 1} {
		maps.Copy(want, map[string]int{kind + " sending": count, kind + " answered": count, kind + " stored": count})
	}
	check.Equal(m.t, "the purchase log", logged, want)
}

// A plan that buys more than a limit allows is refused, and so is one that buys
// what has no price; what they just allow is bought. Fault F28.
func TestAccFromNothing_limits(t *testing.T) {
	tier.Long(t, "the studio once more, with limits")
	t.Parallel()
	m := newFromNothing(t)
	for _, test := range []struct{ purchases, credits, prices, says string }{
		{"1", "", "", "max_purchases allows 1"},
		{"", "119", `{"training": 100, "dataset": 20}`, "max_credits allows 119"},
		{"", "200", `{"training": 100}`, "no dataset"},
		{"0", "", "", "max_purchases allows 0"},
	} {
		m.setenv("MEDIAGEN_MAX_PURCHASES", test.purchases)
		m.setenv("MEDIAGEN_MAX_CREDITS", test.credits)
		m.setenv("MEDIAGEN_PRICES", test.prices)
		m.refuses([]string{test.says}, "plan")
	}
	m.wantCounts(map[string]int{})
	m.setenv("MEDIAGEN_MAX_PURCHASES", "2")
	m.setenv("MEDIAGEN_MAX_CREDITS", "120")
	m.setenv("MEDIAGEN_PRICES", `{"training": 100, "dataset": 20, "generation": 1}`)
	m.run("apply", "-auto-approve")
	check.Equal(t, "credits spent", m.Ledger().Spent(), 120)
	m.refuses([]string{"max_purchases allows 2"}, append([]string{"plan"}, approved...)...)
}
