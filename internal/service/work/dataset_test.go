package work_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const generated = "mediagen_dataset.d"

// making is a character that a dataset can be generated for, and a workspace
// with a dataset.
type making struct {
	*acctest.Scenario
	character string
}

func newMaking(t *testing.T, change ...func(*mockserver.Options)) making {
	t.Helper()
	extended := func(o *mockserver.Options) {
		o.Extended = true
		o.DatasetCost = 5
	}
	s := acctest.NewScenario(t, append([]func(*mockserver.Options){extended}, change...)...)
	m := making{
		s,
		s.AddCharacter(
			mockserver.CharacterSeed{Name: "Ada", DatasetStatus: "not_started", FaceImages: 1, BodyImages: 2},
		),
	}
	m.configure(nil)
	return m
}

func (m making) configure(more core.Object) {
	m.T.Helper()
	config := core.Object{"character_id": m.character, "prompts": []any{"in the rain", "in the sun", "at night"}}
	maps.Copy(config, more)
	m.Resource(generated, config)
}

func (m making) wantBought(asked, bought int) {
	m.T.Helper()
	m.WantCount(m.T, mockserver.RouteGenerateDataset, asked)
	check.Equal(m.T, "datasets bought", len(m.Ledger().Entries), bought)
}

// wantKept checks that the dataset is in the state, complete and untainted.
func (m making) wantKept() {
	m.T.Helper()
	id, _ := m.Value(generated, "id").(string)
	check.True(m.T, "in the state, and not tainted", id != "" && !m.Tainted(generated), m.State(generated))
}

func TestDatasetIsGenerated(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	plan := m.Plan().Must()
	check.True(
		t,
		"one unknown id and no word",
		len(plan.UnknownIDs(generated)) == 1 && len(plan.Diagnostics) == 0,
		plan,
	)
	m.ApplyPlan(plan).Must()
	m.Want(
		generated,
		core.Object{
			"id":           m.Ledger().Entries[0].ID,
			"status":       "generated",
			"total_images": 3,
			"min_required": 3,
			"max_allowed":  30,
		},
	)
	m.wantBought(1, 1)
	m.ResetJournal()
	m.Plan().Must().WantEmpty()
	m.WantCount(t, mockserver.RouteDatasetStatus, 1)
	m.WantCount(t, "", 2) // and the token

	destroy := m.Plan(core.Destroying())
	m.WantWarning(destroy.Diagnostics, "Datasets Will Be Forgotten")
	m.ResetJournal()
	said := m.ApplyPlan(m.Plan(core.Destroying(), core.Refresh(false))).Must().Diagnostics
	check.True(t, "the plan has said it", len(said) == 0, said)
	m.WantCount(t, mockserver.RouteDatasetStatus, 0)
	check.Equal(t, "images that stay", len(m.DatasetImages(m.character)), 3)
}

func TestDatasetIsGeneratedAgain(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]core.Object{
		"prompts":             {"prompts": []any{"in the rain"}},
		"no prompts":          {"prompts": nil},
		"use_default_prompts": {"use_default_prompts": true},
		"triggers":            {"triggers": core.Object{"round": "2"}},
	}, func(t *testing.T, config core.Object) {
		m := newMaking(t)
		m.Apply().Must()
		m.configure(config)
		plan := m.Plan().Must()
		check.True(
			t,
			"a replacement",
			plan.Action(generated) == core.Replace && len(plan.UnknownIDs(generated)) == 1,
			plan,
		)
		m.WantWarning(plan.Diagnostics, "Dataset Exists Already", "3 images")
		m.ApplyPlan(plan).Must()
		m.wantBought(2, 2)
		m.Plan().Must().WantEmpty()
	})
}

func TestDatasetWithoutWaiting(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	m.configure(core.Object{"wait_for_completion": false})
	m.Apply().Must()
	m.Want(generated, core.Object{"status": nil, "total_images": 3, "min_required": 3})
	m.WantCount(t, mockserver.RouteDatasetStatus, 3) // by plan and replan, and before the request
	m.Plan().Must().WantEmpty()
	m.configure(nil)
	plan := m.Plan().Must()
	check.True(
		t,
		"an update that buys nothing",
		plan.Action(generated) == core.Update && len(plan.UnknownIDs(generated)) == 0,
		plan,
	)
	m.ApplyPlan(plan).Must()
	m.Want(generated, core.Object{"status": "generated", "total_images": 3})
	m.wantBought(1, 1)
	m.Plan().Must().WantEmpty()
}

func TestDatasetFails(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	m.FailNextDataset()
	m.WantWarning(m.Apply().Diagnostics, "Dataset Failed", `status "failed"`)
	m.wantKept()
	plan := m.Plan().Must()
	plan.WantEmpty()
	m.WantWarning(plan.Diagnostics, "Dataset Failed", "Change the triggers")
	m.configure(core.Object{"triggers": core.Object{"round": "2"}})
	m.Apply().Must()
	m.wantBought(2, 2)
	plan = m.Plan().Must()
	plan.WantEmpty()
	check.True(t, "no word", len(plan.Diagnostics) == 0, plan)
}

// The word of the dataset before is no failure of the one that was started since.
func TestDatasetHasNotFailedWithTheOneBefore(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	m.Fault(mockserver.Fault{Route: mockserver.RouteDatasetStatus, Times: 1000, Rewrite: func(status map[string]any) {
		maps.Copy(status, map[string]any{"dataset_status": "failed", "total_images": 0.0, "generation_complete": false})
	}})
	m.configure(core.Object{"wait_for_completion": false})
	m.Apply().Must()
	check.True(t, "no word", len(m.Plan().Must().Diagnostics) == 0)
	m.Clock.Advance(time.Hour)
	m.WantWarning(m.Plan().Must().Diagnostics, "Dataset Failed", `status "failed"`)
}

// Words that mean nothing say nothing about a failure: the wait runs out.
func TestDatasetFailsInUnknownWords(t *testing.T) {
	t.Parallel()
	m := newMaking(t, func(o *mockserver.Options) { o.Variant = mockserver.Variants()["words-unknown"] })
	m.FailNextDataset()
	m.WantWarning(m.Apply().Diagnostics, "Dataset Still Being Generated", "nadir", "timeouts.create")
	m.wantKept()
	m.wantBought(1, 1)
}

// A status may lag behind: one that is still that from before is no end.
func TestDatasetIsNotEndedByTheOneBefore(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	m.GenerateDatasetElsewhere(m.character, "one")
	m.Clock.Advance(time.Hour)
	m.Fault(mockserver.Fault{
		Route: mockserver.RouteDatasetStatus,
		After: mockserver.RouteGenerateDataset,
		Times: 3,
		Rewrite: func(status map[string]any) {
			maps.Copy(
				status,
				map[string]any{"dataset_status": "generated", "total_images": 1.0, "generation_complete": true},
			)
		},
	})
	m.Apply().Must()
	m.Want(generated, core.Object{"total_images": 4})
}

// A status that is new ends the wait at once; one that never is, as where the
// new images replace as many, after the two minutes that a status may lag
// behind.
func TestDatasetIsEndedByAStatusLikeTheOneBefore(t *testing.T) {
	t.Parallel()
	for total, same := range map[float64]bool{1: true, 4: false} {
		m := newMaking(t)
		m.GenerateDatasetElsewhere(m.character, "one")
		m.Clock.Advance(time.Hour)
		m.Fault(
			mockserver.Fault{
				Route: mockserver.RouteDatasetStatus,
				After: mockserver.RouteGenerateDataset,
				Rewrite: func(status map[string]any) {
					maps.Copy(
						status,
						map[string]any{
							"dataset_status":      "generated",
							"total_images":        total,
							"generation_complete": true,
						},
					)
				},
			},
		)
		began := m.Clock.Now()
		m.Apply().Must()
		m.Want(generated, core.Object{"total_images": int64(total), "status": "generated"})
		waited := m.Clock.Now().Sub(began)
		check.True(t, "how long it waits", waited < time.Minute != same && waited < 5*time.Minute, same, waited)
	}
}

// What was refused is an error, and nothing is in the state.
// Fault F22.
func TestDatasetIsRefused(t *testing.T) {
	t.Parallel()
	t.Run("no body images", func(t *testing.T) {
		t.Parallel()
		m := newMaking(t)
		m.character = m.AddCharacter(mockserver.CharacterSeed{Name: "Eve"})
		m.configure(nil)
		m.WantError(m.Apply().Diagnostics, "Unable to Generate Dataset", "front")
		m.wantBought(1, 0)
	})
	t.Run("no such character", func(t *testing.T) {
		t.Parallel()
		m := newMaking(t)
		m.configure(core.Object{"character_id": "nobody"})
		errors := m.Apply().Diagnostics.Errors()
		check.True(t, "an error at character_id", len(errors) == 1 && errors[0].Path == "character_id", errors)
		m.wantBought(0, 0)
	})
}

// wantUnconfirmed checks that the state takes nothing from the status, and that
// each plan says what that shows, and generates nothing.
func (m making) wantUnconfirmed(now string) {
	m.T.Helper()
	id, _ := m.Value(generated, "id").(string)
	check.True(
		m.T,
		"unconfirmed, and not tainted",
		strings.HasPrefix(id, "unconfirmed-") && !m.Tainted(generated),
		m.State(generated),
	)
	m.Want(generated, core.Object{"status": "unconfirmed", "total_images": nil})
	m.Apply().Must()
	for _, refresh := range []bool{true, false} {
		plan := m.Plan(core.Refresh(refresh))
		plan.WantEmpty()
		m.WantWarning(
			plan.Diagnostics,
			"Dataset Unconfirmed",
			now,
			"terraform state rm ADDRESS",
			fmt.Sprintf("id = %q", m.character+"/JOB_ID"),
			"change triggers",
		)
	}
}

// The status names no job: what it shows is told, whether it is ours or not,
// and a person imports it or generates again. Nothing is sent by itself.
// Fault F4.
func TestDatasetWhoseReplyIsLost(t *testing.T) {
	t.Parallel()
	type row struct {
		fault mockserver.Fault
		done  int
	}
	check.Each(t, map[string]row{
		"done, connection dropped": {mockserver.Fault{DropAfterWork: true}, 1},
		"not done, 500":            {mockserver.Fault{Status: 500}, 0},
	}, func(t *testing.T, test row) {
		m := newMaking(t)
		test.fault.Route = mockserver.RouteGenerateDataset
		m.Fault(test.fault)
		m.WantWarning(
			m.Apply().Must().Diagnostics,
			"Dataset Unconfirmed",
			`before the request it was status "not_started"`,
		)
		m.wantBought(1, test.done)
		m.ClearFaults()
		m.Clock.Advance(time.Hour)
		if test.done == 0 {
			m.wantUnconfirmed(`it is status "not_started"`)
			m.configure(core.Object{"triggers": core.Object{"round": "2"}})
			m.Apply().Must()
			m.wantBought(2, 1)
			m.Plan().Must().WantEmpty()
			return
		}
		m.wantUnconfirmed(`"generated", 3 images`)
		m.Forget(generated)
		m.Import(generated, m.character+"/JOB_ID").Must()
		m.Apply().Must()
		m.Want(generated, core.Object{"total_images": 3, "status": "generated"})
		m.wantBought(1, 1)
		m.Plan().Must().WantEmpty()
	})
}

// Somebody's dataset that was begun after our 500 was called ours.
// Fault F4.
func TestDatasetOfAStrangerIsNotTakenForTheLostOne(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	m.Fault(mockserver.Fault{Route: mockserver.RouteGenerateDataset, Status: 500})
	m.Fault(
		mockserver.Fault{
			Route: mockserver.RouteDatasetStatus,
			After: mockserver.RouteGenerateDataset,
			Nth:   1,
			Reached: func() {
				m.GenerateDatasetElsewhere(m.character, "a", "b", "c")
				m.Clock.Advance(time.Hour)
			},
		},
	)
	said := m.Apply().Must().Diagnostics
	m.WantWarning(said, "Dataset Unconfirmed", "3 images now")
	m.wantUnconfirmed("3 images now")
	m.wantBought(1, 0)
}

// A dataset that was accepted is no matter of doubt, though nobody has named
// its job.
func TestDatasetWithoutAJob(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	m.Fault(
		mockserver.Fault{
			Route:   mockserver.RouteGenerateDataset,
			Rewrite: func(reply map[string]any) { delete(reply, "job_id") },
		},
	)
	said := m.Apply().Must().Diagnostics
	check.True(t, "no word", len(said) == 0, said)
	id, _ := m.Value(generated, "id").(string)
	check.True(t, "no id", strings.HasPrefix(id, "unconfirmed-"), id)
	m.Want(generated, core.Object{"total_images": 3, "status": "generated"})
	plan := m.Plan().Must()
	plan.WantEmpty()
	check.True(t, "no word", len(plan.Diagnostics) == 0, plan)
}

// One dataset of a character is made in an apply; the plan warns of two, as far
// as it knows the character. Faults F10 and F28.
func TestDatasetsOfOneCharacter(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	m.Resource("mediagen_dataset.e", core.Object{"character_id": m.character})
	m.Parallel(10)
	plan := m.Plan().Must()
	m.WantWarning(plan.Diagnostics, "Two Datasets of One Character", m.character, "refuses")
	m.WantError(m.ApplyPlan(plan).Diagnostics, "Dataset Generated Already", m.character, "nothing was bought")
	m.wantBought(1, 1)
	check.Equal(t, "datasets in the state", len(m.Addresses()), 1)
	unknown := newMaking(t)
	for _, name := range []string{generated, "mediagen_dataset.e"} {
		unknown.Resource(name, core.Object{"character_id": core.UnknownUntilApply(unknown.character)})
	}
	unknown.WantError(unknown.Apply().Diagnostics, "Dataset Generated Already")
	unknown.wantBought(1, 1)
}

// Of a dataset that was refused nothing is made: another may be.
func TestDatasetsOfOneCharacter_refused(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	m.Resource("mediagen_dataset.e", core.Object{"character_id": m.character})
	m.Fault(
		mockserver.Fault{Route: mockserver.RouteGenerateDataset, Nth: 1, Status: 402, Body: `{"error":"no_credits"}`},
	)
	m.WantError(m.Apply().Diagnostics, "Not Enough Credits (402)")
	m.wantBought(2, 1)
}

// No dataset is generated while one is being generated: the plan says so, and so
// does an apply whose plan was made before.
// Fault F28.
func TestDatasetWhileOneIsGenerated(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	plan := m.Plan().Must()
	m.GenerateDatasetElsewhere(m.character, "of another")
	const summary = "Dataset Is Being Generated"
	m.WantError(m.ApplyPlan(plan).Diagnostics, summary, m.character, "Nothing was bought")
	m.WantError(m.Plan().Diagnostics, summary, m.character)
	m.wantBought(0, 0)
	m.Clock.Advance(time.Hour)
	m.Apply().Must()
	m.wantBought(1, 1)
	check.Equal(t, "images of both datasets", len(m.DatasetImages(m.character)), 4)

	own := newMaking(t)
	own.configure(core.Object{"wait_for_completion": false})
	own.Apply().Must()
	own.WantError(own.Plan(core.Replacing(generated)).Diagnostics, summary)
	own.configure(core.Object{"wait_for_completion": false, "triggers": core.Object{"round": "2"}})
	own.WantError(own.Apply().Diagnostics, summary)
	own.wantBought(1, 1)
	own.wantKept()
}

// A word that may be that of a character without a dataset prevents nothing.
func TestDatasetOfAWaitingCharacter(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"pending", "new", "accepted", "ready", ""} {
		m := newMaking(t)
		m.Fault(
			mockserver.Fault{
				Route:   mockserver.RouteDatasetStatus,
				Times:   2,
				Rewrite: func(reply map[string]any) { reply["dataset_status"] = word },
			},
		)
		m.Apply().Must()
		m.wantBought(1, 1)
	}
}

// Fault F28.
func TestDatasetIsCounted(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	m.Set(core.Object{"max_purchases": 0})
	m.WantError(m.Plan().Diagnostics, "Purchase Limit Exceeded", "dataset of character")
	m.wantBought(0, 0)
}

// max_credits needs the price of a dataset, which nobody documents.
// Fault F28.
func TestDatasetHasAPrice(t *testing.T) {
	t.Parallel()
	type row struct {
		limit  float64
		prices core.Object
		says   string
	}
	check.Each(t, map[string]row{
		"none":      {10, core.Object{"training": 1.0}, "Missing Price"},
		"too dear":  {4, core.Object{"dataset": 5.0}, "Purchase Limit Exceeded"},
		"no money":  {0, core.Object{"dataset": 0.0}, "Purchase Limit Exceeded"},
		"free":      {1, core.Object{"dataset": 0.0}, ""},
		"for money": {5, core.Object{"dataset": 5.0}, ""},
	}, func(t *testing.T, test row) {
		m := newMaking(t)
		m.Set(core.Object{"max_credits": test.limit, "prices": test.prices})
		result := m.Apply()
		if test.says == "" {
			result.Must()
			m.wantBought(1, 1)
			return
		}
		m.WantError(result.Diagnostics, test.says, "dataset")
		m.wantBought(0, 0)
	})
	t.Run("another", func(t *testing.T) {
		t.Parallel()
		m := newMaking(t)
		m.Set(core.Object{"max_credits": 10.0, "prices": core.Object{"dataset": 1.0}})
		m.Fault(
			mockserver.Fault{
				Route:   mockserver.RouteGenerateDataset,
				Rewrite: func(reply map[string]any) { reply["credits_deducted"] = 5.0 },
			},
		)
		m.WantWarning(m.Apply().Diagnostics, "Price Differs", "5 instead of 1")
		m.wantKept()
	})
}

func TestDatasetInThePurchaseLog(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	file := filepath.Join(t.TempDir(), "purchases.jsonl")
	m.Set(core.Object{"purchase_log": file})
	m.Apply().Must()
	content, err := os.ReadFile(file)
	check.Must(t, err)
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `"type":"dataset","outcome":"sending"`) ||
		!strings.Contains(lines[0], `"inputs":"`) ||
		!strings.Contains(lines[1], `"outcome":"answered"`) ||
		!strings.Contains(lines[1], m.Ledger().Entries[0].ID) ||
		!strings.Contains(lines[2], `"outcome":"returned"`) ||
		strings.Contains(string(content), "rain") {
		t.Errorf("the log is:\n%s", content)
	}
}

func TestDatasetImports(t *testing.T) {
	t.Parallel()
	t.Run("that runs", func(t *testing.T) {
		t.Parallel()
		m := newMaking(t)
		job := m.GenerateDatasetElsewhere(m.character, "one", "two")
		m.Import(generated, m.character+"/"+job).Must()
		m.Apply().Must()
		m.Want(generated, core.Object{"total_images": 2, "status": "generated"})
		m.Plan().Must().WantEmpty()
		m.wantBought(0, 0)
	})
	t.Run("whose images vanish before the first update", func(t *testing.T) {
		t.Parallel()
		m := newMaking(t)
		m.GenerateDatasetElsewhere(m.character, "one")
		m.Clock.Advance(time.Hour)
		m.Import(generated, m.character+"/job").Must()
		m.Fault(
			mockserver.Fault{Route: mockserver.RouteDatasetStatus, Times: 1000, Rewrite: func(status map[string]any) {
				maps.Copy(
					status,
					map[string]any{"dataset_status": "not_started", "total_images": 0.0, "generation_complete": false},
				)
			}},
		)
		m.Refresh().Must()
		m.Want(generated, core.Object{"total_images": 0})
	})
	t.Run("of nothing", func(t *testing.T) {
		t.Parallel()
		m := newMaking(t)
		m.WantError(m.Import(generated, m.character+"/job").Diagnostics, "Dataset Not Found", "Nothing was imported")
		m.WantError(m.Import(generated, "nobody/job").Diagnostics, "Unable to Read Dataset")
		m.WantError(m.Import(generated, "nobody").Diagnostics, "Invalid Import Id")
	})
}

// The service shows the dataset of its character: another one in the
// configuration is an error that names both. Fault F28.
func TestImportOfAnotherCharacter_dataset(t *testing.T) {
	t.Parallel()
	m := newMaking(t)
	m.GenerateDatasetElsewhere(m.character)
	m.Clock.Advance(time.Hour)
	m.Import(generated, m.character+"/job").Must()
	image := m.DatasetImages(m.character)[0]
	m.Resource(regeneration, core.Object{"character_id": m.character, "image_id": image.ID, "prompt": image.Prompt})
	m.Import(regeneration, m.character+"/"+image.ID).Must()
	other := m.AddCharacter(
		mockserver.CharacterSeed{Name: "Eve", DatasetStatus: "not_started", FaceImages: 1, BodyImages: 2},
	)
	m.configure(core.Object{"character_id": other})
	m.Resource(regeneration, core.Object{"character_id": other, "image_id": image.ID, "prompt": image.Prompt})
	refused := m.Apply().Diagnostics.Errors().Find("Import of Another Character")
	for _, says := range []string{other, m.character, "imported dataset of", "regeneration of image"} {
		check.True(
			t,
			"two errors that say",
			len(refused) == 2 && strings.Contains(refused.String(), says),
			says,
			refused,
		)
	}
	m.wantBought(0, 0)
	m.WantCount(t, mockserver.RouteRegenerate, 0)
}
