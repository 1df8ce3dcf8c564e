package acctest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func everyVariant() map[string]mockserver.Variant {
	all := mockserver.Variants()
	maps.Copy(all, mockserver.ExtendedVariants())
	return all
}

// about are parts of the addresses that variants are about, by beginnings of
// their names.
var about = map[string]string{
	"token-":           "r.made",
	"pages-":           "character.x",
	"denied":           "training dataset.x _group",
	"dataset-":         "dataset.x",
	"body-":            "body_lora",
	"asset-":           "_image.x",
	"storage-":         "_image.x",
	"files-":           "_image.x",
	"filters-":         "_image.x _regeneration",
	"signed-":          "_image.x _group",
	"media-":           "_image.x _group",
	"clock-":           "training",
	"index-":           "_group",
	"results-":         "_group",
	"reordered-":       "_group",
	"slow-":            "_group",
	"empty-":           "_group",
	"equal-":           "_group",
	"previews":         "_group",
	"attempts-":        "_group",
	"failed-":          "_group",
	"group":            "_group",
	"lists-":           "_group",
	"texts-escaped":    "character.x _group dataset",
	"texts-cut":        "character.x _group dataset",
	"texts-decomposed": "character.x _group dataset",
}

func isAbout(variant, address string) bool {
	for name, parts := range about {
		if strings.HasPrefix(variant, name) {
			return slices.ContainsFunc(
				strings.Fields(parts),
				func(part string) bool { return strings.Contains(address, part) },
			)
		}
	}
	return true
}

// What is made was announced, plans become empty, and a destroy leaves nothing.
// Fault F5. Fault F12. Fault F14.
func TestEveryVariant(t *testing.T) {
	t.Parallel()
	schemas := acctest.Schemas(t)
	variants := everyVariant()
	names := slices.Sorted(maps.Keys(variants))
	addresses := slices.Sorted(maps.Keys(acctest.EverySubject(t)))
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for i, name := range names {
			if !isAbout(name, address) {
				continue
			}
			variant := variants[name]
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if !isInTheShortThird(addresses, i, name, address) {
					tier.Long(t, "two thirds of the pairs of a variant and a type")
				}
				w := acctest.NewForSubjects(t, func(o *mockserver.Options) { o.Variant = variant }).Scenario(t)
				varied{w, of, address, variant, schemas}.live()
			})
		}
	})
}

// isInTheShortThird chooses a third of the pairs, so that each variant and each
// type is in one. Nth is the variant's place among their names.
func isInTheShortThird(addresses []string, nth int, variant, address string) bool {
	var about []string
	for _, candidate := range addresses {
		if isAbout(variant, candidate) {
			about = append(about, candidate)
		}
	}
	return slices.Index(about, address)%3 == nth%min(3, len(about))
}

// Runs with -short leave out no variant and no type.
func TestEveryVariant_shortThirdCovers(t *testing.T) {
	t.Parallel()
	addresses := slices.Sorted(maps.Keys(acctest.EverySubject(t)))
	pairs := 0
	chosen := 0
	covered := map[string]bool{}
	for i, name := range slices.Sorted(maps.Keys(everyVariant())) {
		for _, address := range addresses {
			if !isAbout(name, address) {
				continue
			}
			pairs++
			isChosen := isInTheShortThird(addresses, i, name, address)
			covered[name] = covered[name] || isChosen
			covered[address] = covered[address] || isChosen
			if isChosen {
				chosen++
			}
		}
	}
	for what, is := range covered {
		check.True(t, what+" is covered", is)
	}
	check.True(t, "a third is chosen", chosen < pairs*2/5, chosen, pairs)
}

type varied struct {
	*acctest.Scenario
	acctest.Subject
	address string
	variant mockserver.Variant
	schemas *tfprotov6.GetProviderSchemaResponse
}

func (v varied) live() {
	v.T.Helper()
	v.write(v.Config)
	v.Apply().Must()
	if v.Value(v.address, "status") == "unconfirmed" { // and so not awaited
		v.Clock.Advance(time.Hour)
	}
	v.destroyed()
	v.converges(v.With(nil))
	v.Want(v.address, v.Ended)
	if v.variant.LateVisibility == 0 && v.variant.FlapEvery == 0 { // or an import may miss what was listed
		v.isListed()
	}
	if more := v.Updates["prompts"]; more != nil {
		v.converges(v.With(more))
	}
	v.FailNextTraining()
	for _, name := range slices.Sorted(maps.Keys(v.Replaces))[:min(len(v.Replaces), 1)] {
		v.converges(v.With(v.Replaces[name]))
		if v.variant.Vocabulary != mockserver.WordsUnknown { // whose words do not tell
			v.Want(v.address, v.Failed)
		}
	}
	if show := shown[v.address]; show != nil {
		show(v)
	}
	v.destroyed()
}

var shown = map[string]func(varied){
	"mediagen_face_image.x": func(v varied) {
		for kind, want := range map[any]int{nil: 12, "face_image": 10} {
			v.wantLength(
				v.reads("mediagen_assets", core.Object{"character_id": "bob", "asset_type": kind})["assets"],
				want,
			)
		}
	},
	"mediagen_dataset_image_regeneration.x": func(v varied) {
		v.AddDatasetImages("bob", 3)
		for approved, want := range map[any]int{nil: 5, false: 5, true: 3} {
			v.wantLength(
				v.reads(
					"mediagen_dataset_images",
					core.Object{"character_id": "bob", "approved_only": approved},
				)["images"],
				want,
			)
		}
	},
	"mediagen_body_lora_training.x": func(v varied) {
		job := core.Object{"character_id": "bob", "job_id": v.StartTrainingElsewhere("bob")}
		got := core.Lookup(
			v.reads("mediagen_training_status", core.Object{"character_id": "bob"}),
			"character_training.job_id",
		)
		check.True(
			v.T,
			"the status",
			got == job["job_id"] || v.variant.LateVisibility+v.variant.FlapEvery != 0,
			got,
			job,
		)
		v.does("mediagen_await_training", job, "has succeeded")
		v.ResetJournal()
		job["job_id"] = v.StartTrainingElsewhere("bob")
		v.does("mediagen_cancel_training", job, "it was cancelled")
		v.does("mediagen_cancel_training", job, "nothing was cancelled")
		v.WantCount(v.T, mockserver.RouteCancel, 1)
	},
	"mediagen_generation_group.x": func(v varied) {
		theirs := v.GenerateElsewhere("ada", "Theirs", "dawn", "dusk")
		ids := []any{theirs.Generations[0].ID, theirs.Generations[1].ID}
		v.does("mediagen_await_generations", core.Object{"generation_ids": ids}, "2 of 2 generations have ended")
		v.does(
			"mediagen_download_generations",
			core.Object{"generation_ids": core.Object{"a": ids[0], "b": ids[1]}, "directory": v.T.TempDir()},
			"2 of 2 generations done",
		)
		v.DeleteGroupBehindTheBack(theirs.ID)
	},
}

func (v varied) reads(name string, config core.Object) core.Object {
	v.T.Helper()
	got, said := v.DataSource(name, config)
	check.True(v.T, name+" says nothing", len(said) == 0, said)
	return got
}

// does invokes an action, again if what it needs is not shown for a moment.
func (v varied) does(action string, config core.Object, says string) {
	v.T.Helper()
	lines, said := v.Invoke(action, config)
	for tries := 1; tries < 3 && len(said) > 0 && v.variant.FlapEvery > 0; tries++ {
		lines, said = v.Invoke(action, config)
	}
	check.True(v.T, action, len(said) == 0 && strings.Contains(lines[len(lines)-1], says), lines, said)
}

func (v varied) wantLength(list any, want int) {
	v.T.Helper()
	items, _ := list.([]any)
	check.True(v.T, "what is shown", len(items) == want, len(items), want)
}

func (v varied) write(config core.Object) {
	v.T.Helper()
	config = maps.Clone(config)
	if config["image_id"] != nil {
		config["image_id"] = v.DatasetImages("ada")[0].ID
	}
	if config["image_ids"] != nil {
		config["image_ids"] = []any{v.DatasetImages(config["character_id"].(string))[1].ID}
	}
	v.Resource(v.address, config)
}

func (v varied) destroyed() {
	v.T.Helper()
	v.Destroy().Must()
	check.True(v.T, "nothing is left", len(v.Addresses()) == 0 && v.Media() == 0, v.Addresses(), v.Media())
	for _, job := range append(v.Trainings("ada"), v.Trainings("bob")...) {
		check.True(v.T, job.JobID+" has ended", job.Status != "training")
	}
}

func (v varied) converges(config core.Object) {
	v.T.Helper()
	v.write(config)
	for range 6 {
		plan := v.Plan().Must()
		before := v.made()
		v.ApplyPlan(plan).Must()
		made := v.made() - before
		announced := announcedBy(plan, v.address)
		check.True(v.T, "what was made was announced", made == announced, made, announced, plan)
		v.Clock.Advance(time.Hour)
		if v.Plan().Must().Empty() && v.variant.LateVisibility == 0 {
			break
		}
	}
	v.Plan().Must().WantEmpty()
	if !v.variant.SignedURLs {
		return
	}
	settled := v.State(v.address)
	v.Apply().Must()
	check.Equal(v.T, "an apply of nothing", v.State(v.address), settled)
}

func (v varied) made() (count int) {
	if v.Makes == mockserver.RouteBatch {
		for _, entry := range v.Ledger().Entries {
			if entry.Kind == "batch" {
				count += len(entry.Prompts)
			}
		}
		return count
	}
	return len(slices.DeleteFunc(v.Journal(), func(entry mockserver.Entry) bool { return entry.Route != v.Makes }))
}

// isListed: lists return what an import reads, and a configuration of that
// plans nothing.
func (v varied) isListed() {
	v.T.Helper()
	typeName, _, _ := strings.Cut(v.address, ".")
	list, ok := v.schemas.ListResourceSchemas[typeName]
	if !ok {
		return
	}
	further := core.Object{"base_url": v.URL, "api_key": acctest.APIKey, "extended_reads": true}
	v.Workspace.Provider(further) // from here on
	config := core.Object{}
	for _, attribute := range list.Block.Attributes {
		if attribute.Required {
			config[attribute.Name] = "ada"
		}
	}
	v.ResetJournal()
	results, said := v.Query(typeName, core.Query{Config: config, IncludeResource: true})
	if len(said) > 0 || len(results) == 0 {
		v.T.Fatalf("%d are listed:\n%s", len(results), said)
	}
	if v.Makes != mockserver.RouteBatch && v.variant.Vocabulary != mockserver.WordsUnknown {
		requests := 2 // and the token
		if v.variant.RefuseFilters && typeName == "mediagen_face_image" {
			requests++
		}
		v.WantCount(v.T, "", requests)
	}
	w := v.Service.Scenario(v.T)
	w.Workspace.Provider(further)
	for _, listed := range results {
		w.ImportIdentity(v.address, listed.Identity).Must()
		check.True(v.T, "it is listed with a name", listed.DisplayName != "")
		imported := w.State(v.address)
		if _, deletes := imported["deletion_policy"]; deletes {
			check.Equal(v.T, "what is listed keeps its media", listed.Resource["deletion_policy"], any("keep"))
			imported["deletion_policy"] = "keep" // an import of it does not, before its first apply
		}
		diff := cmp.Diff(imported, listed.Resource, withoutSignatures)
		check.True(v.T, "listed is what is imported", diff == "", diff)
		written := core.Object{}
		for _, attribute := range v.schemas.ResourceSchemas[typeName].Block.Attributes {
			if attribute.Required || attribute.Optional {
				written[attribute.Name] = listed.Resource[attribute.Name]
			}
		}
		w.Resource(v.address, written)
		if v.Makes == mockserver.RouteBatch {
			w.ResetJournal()
			w.Apply().Must() // of deletion_policy alone
			w.WantCount(v.T, mockserver.RouteBatch, 0)
		}
		w.Plan().Must().WantEmpty()
		w.Forget(v.address)
	}
}

// withoutSignatures: an address is signed anew at each read.
var withoutSignatures = cmp.Transformer("address", func(text string) string {
	address, _, _ := strings.Cut(text, "?")
	return address
})
