package work_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const regeneration = "mediagen_dataset_image_regeneration.r"

// imageScenario is a character with five dataset images, and a workspace with a
// regeneration of the first.
type imageScenario struct {
	*acctest.Scenario
	character, image string
}

func newImageScenario(t *testing.T, change ...func(*mockserver.Options)) imageScenario {
	t.Helper()
	service, character := newDataset(t, change...)
	d := imageScenario{service.Scenario(t), character, service.DatasetImages(character)[0].ID}
	d.configure(nil)
	return d
}

func (d imageScenario) configure(more core.Object) {
	d.T.Helper()
	config := core.Object{"character_id": d.character, "image_id": d.image, "prompt": "in the rain"}
	maps.Copy(config, more)
	d.Resource(regeneration, config)
}

// sent checks how often the image was regenerated, and that it converges.
func (d imageScenario) sent(want int) {
	d.T.Helper()
	d.WantCount(d.T, mockserver.RouteRegenerate, want)
	d.ClearFaults()
	d.Plan().Must().WantEmpty()
}

func TestRegenerationFollowsTheApproval(t *testing.T) {
	t.Parallel()
	d := newImageScenario(t)
	for i, image := range d.DatasetImages(d.character)[1:] {
		d.Resource(fmt.Sprintf("mediagen_dataset_image_regeneration.r%d", i), core.Object{
			"character_id": d.character, "image_id": image.ID, "prompt": "in the sun",
		})
	}
	d.Parallel(10)
	d.Apply().Must()
	d.SetDatasetImage(d.character, d.image, func(image *mockserver.DatasetImage) { image.Approved = true })
	d.ResetJournal()
	d.Apply().Must()
	check.True(t, "approved", d.Value(regeneration, "approved") == true, d.State(regeneration))
	d.WantCount(t, mockserver.RouteDataset, 1)
	d.sent(0)
}

func TestRegenerationThatFails(t *testing.T) {
	t.Parallel()
	type row struct {
		config core.Object
		fault  mockserver.Fault
		at     string
	}
	check.Each(t, map[string]row{
		"no such image": {config: core.Object{"image_id": "image_999999"}, at: "image_id"},
		"refused": {
			fault: mockserver.Fault{Status: 422, Body: `{"detail":[{"loc":["body","prompt"],"msg":"too long"}]}`},
			at:    "prompt",
		},
	}, func(t *testing.T, test row) {
		d := newImageScenario(t)
		d.configure(test.config)
		if test.fault.Status != 0 {
			test.fault.Route = mockserver.RouteRegenerate
			d.Fault(test.fault)
		}
		result := d.Apply()
		errors := result.Diagnostics.Errors()
		check.True(t, "one error", len(errors) == 1 && errors[0].Path == test.at, test.at, result.Diagnostics)
		check.True(t, "nothing is in the state", d.State(regeneration) == nil)
		d.WantCount(t, mockserver.RouteRegenerate, 1)
	})
}

// What became of a regeneration is not known if its reply is lost: it is in the
// state, each plan says so, and only triggers, or an import, settle it. Fault F4.
func TestRegenerationUnconfirmed(t *testing.T) {
	t.Parallel()
	d := newImageScenario(t)
	d.configure(nil)
	d.Fault(mockserver.Fault{Route: mockserver.RouteRegenerate, DropAfterWork: true})
	sent := d.Clock.Now().UTC().Format(time.RFC3339)
	said := d.Apply().Must().Diagnostics
	image, _ := d.Value(regeneration, "image_id").(string)
	pasted := fmt.Sprintf("id = %q", d.character+"/"+image)
	wantUnconfirmed := func(said core.Diagnostics) {
		t.Helper()
		summary := "Regeneration Unconfirmed: regeneration " + image
		d.WantWarning(said, summary, "sent at "+sent, "change triggers", pasted)
	}
	wantUnconfirmed(said)
	d.ClearFaults()
	for range 2 {
		plan := d.Plan().Must()
		plan.WantEmpty()
		wantUnconfirmed(plan.Diagnostics)
		d.ApplyPlan(plan).Must()
	}
	d.WantCount(t, mockserver.RouteRegenerate, 1)
	destroying := d.Plan(core.Destroying()).Must()
	d.WantSilent(destroying.Diagnostics, "Regeneration Unconfirmed")

	d.configure(core.Object{"triggers": core.Object{"round": "2"}})
	d.WantSilent(d.Apply().Must().Diagnostics, "Regeneration Unconfirmed")
	d.WantCount(t, mockserver.RouteRegenerate, 2)
	d.WantSilent(d.Plan().Must().Diagnostics, "Regeneration Unconfirmed")
}

// An import in place of it settles it, and buys nothing. Fault F4.
func TestRegenerationUnconfirmed_imported(t *testing.T) {
	t.Parallel()
	d := newImageScenario(t)
	d.configure(nil)
	d.Fault(mockserver.Fault{Route: mockserver.RouteRegenerate, DropAfterWork: true})
	d.Apply().Must()
	d.ClearFaults()
	image, _ := d.Value(regeneration, "image_id").(string)
	d.Forget(regeneration)
	d.Import(regeneration, d.character+"/"+image).Must()
	d.Apply().Must()
	plan := d.Plan().Must()
	plan.WantEmpty()
	d.WantSilent(plan.Diagnostics, "Regeneration Unconfirmed")
	d.WantCount(t, mockserver.RouteRegenerate, 1)
}

func TestRegenerationDisappears(t *testing.T) {
	t.Parallel()
	t.Run("with its character", func(t *testing.T) {
		t.Parallel()
		d := newImageScenario(t)
		d.Apply().Must()
		d.Apply().Must() // which shows the image
		d.RemoveCharacter(d.character)
		d.WantMessage(d.Plan().Diagnostics.Errors(), "character_id", "An image of its dataset is regenerated")
		d.WantCount(t, mockserver.RouteRegenerate, 1)
	})
	t.Run("never shown", func(t *testing.T) {
		t.Parallel()
		d := newImageScenario(t)
		d.Apply().Must()
		d.RemoveCharacter(d.character)
		plan := d.Plan()
		plan.WantEmpty()
		check.True(
			t,
			"a warning",
			len(plan.Diagnostics.Warnings().Find("Dataset Image Not Shown")) == 1,
			plan.Diagnostics,
		)
	})
	t.Run("from an incomplete list", func(t *testing.T) {
		t.Parallel()
		d := newImageScenario(t)
		d.Apply().Must()
		d.Apply().Must()
		d.Fault(
			mockserver.Fault{
				Route:   mockserver.RouteDataset,
				Rewrite: func(list map[string]any) { list["images"] = []any{} },
			},
		)
		d.Plan().WantEmpty()
	})
}

// The dataset shows the prompt of an imported image: another one is a change.
func TestRegenerationImportWithAnotherPrompt(t *testing.T) {
	t.Parallel()
	d := newImageScenario(t)
	d.Import(regeneration, d.character+"/"+d.image).Must()
	check.Equal(t, "the plan", d.Plan().Must().Action(regeneration), core.Replace)
	d.Apply().Must()
	d.sent(1)
}

// Without a prompt in the dataset there is nothing to compare: that of the
// configuration is taken over.
func TestRegenerationImportWithoutAPrompt(t *testing.T) {
	t.Parallel()
	d := newImageScenario(t)
	d.Fault(mockserver.Fault{Route: mockserver.RouteDataset, Times: 1000, Rewrite: func(list map[string]any) {
		for _, image := range list["images"].([]any) {
			delete(image.(map[string]any), "prompt")
		}
	}})
	d.Import(regeneration, d.character+"/"+d.image).Must()
	check.Equal(t, "the plan", d.Plan().Must().Action(regeneration), core.Update)
	d.Apply().Must()
	d.sent(0)
}

func TestRegenerationImportsThatFail(t *testing.T) {
	t.Parallel()
	type row struct {
		id, summary string
		requests    int
	}
	check.Each(t, map[string]row{
		"unknown image":     {"char_000001/image_999999", "Dataset Image Not Found", 1},
		"unknown character": {"char_999999/image_000001", "Unable to Read Dataset Image", 1},
	}, func(t *testing.T, test row) {
		d := newImageScenario(t)
		d.WantError(d.Import(regeneration, test.id).Diagnostics, test.summary)
		check.True(t, "nothing was imported", d.State(regeneration) == nil)
		d.WantCount(t, mockserver.RouteDataset, test.requests)
	})
}

// A regeneration counts as an image: a limit holds at plan, and before the
// request of a plan that was made without one. Fault F28.
func TestRegenerationIsCounted(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]core.Object{
		"max_purchases": {"max_purchases": int64(0)},
		"max_credits":   {"max_credits": 1.0, "prices": core.Object{"image": 2.0}},
	}, func(t *testing.T, limit core.Object) {
		d := newImageScenario(t)
		d.Resource(
			"mediagen_dataset_image_regeneration.s",
			core.Object{
				"character_id": d.character,
				"image_id":     d.DatasetImages(d.character)[1].ID,
				"prompt":       "in the sun",
			},
		)
		before := d.DatasetImages(d.character)
		plan := d.Plan().Must()
		d.Set(limit)
		d.WantError(
			d.Plan().Diagnostics,
			"Purchase Limit Exceeded",
			fmt.Sprintf("regeneration of image %q of character %q", d.image, d.character),
		)
		d.ApplyPlan(plan)
		d.WantCount(t, mockserver.RouteRegenerate, 0)
		check.Equal(t, "the images", d.DatasetImages(d.character), before)
		d.Set(core.Object{"max_purchases": int64(2), "max_credits": 4.0, "prices": core.Object{"image": 2.0}})
		d.Apply().Must()
		d.sent(2)
		d.configure(core.Object{"prompt": "in the snow"})
		d.Set(core.Object{"max_purchases": int64(1)})
		d.Apply().Must()
		d.sent(3)
	})
	t.Run("during the apply", func(t *testing.T) {
		t.Parallel()
		d := newImageScenario(t)
		d.Resource(
			"mediagen_dataset_image_regeneration.s",
			core.Object{
				"character_id": d.character,
				"image_id":     d.DatasetImages(d.character)[1].ID,
				"prompt":       "in the sun",
			},
		)
		plan := d.Plan().Must()
		d.Set(core.Object{"max_purchases": int64(1)})
		d.WantError(
			d.ApplyPlan(plan).Diagnostics,
			"Unable to Regenerate Dataset Image",
			"max_purchases",
		)
		d.WantCount(t, mockserver.RouteRegenerate, 1)
	})
}

// A deployment that refuses approved_only may show approved images alone: that
// an image is missing there does not prove that it is gone. Fault F41.
func TestRegenerationWithoutAFilter(t *testing.T) {
	t.Parallel()
	d := newImageScenario(t, func(o *mockserver.Options) { o.Variant.RefuseFilters = true })
	d.Apply().Must()
	d.sent(1)
	images, messages := d.DataSource(
		"mediagen_dataset_images",
		core.Object{"character_id": d.character, "approved_only": true},
	)
	check.True(t, "the approved images", len(images["images"].([]any)) == 2 && len(messages) == 0, images, messages)
	d.ResetJournal()
	d.Fault(mockserver.Fault{Route: mockserver.RouteDataset, Rewrite: func(list map[string]any) {
		if list["images"] != nil { // refused with the filter
			list["images"] = []any{}
			list["total"] = 0
		}
	}})
	plan := d.Plan()
	check.True(t, "nothing is bought again", plan.Empty(), plan, plan.Diagnostics)
	d.WantCount(t, mockserver.RouteDataset, 2)
	check.True(t, "it stays in the state", d.State(regeneration) != nil)
}
