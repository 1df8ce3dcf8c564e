package framework_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func TestSummary(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"Media Will Be Deleted: group 900063":        framework.Summary("Media Will Be Deleted", "group", "900063", `"a"`),
		`A Killed Run Has Bought This: group of "a"`: framework.Summary("A Killed Run Has Bought This", "group", "", `"a"`),
	} {
		check.Equal(t, "the summary", got, want)
	}
}

// A destroy does not know what the rest of its plan deletes: what stays is told so that
// it holds in any order.
func TestForgotten(t *testing.T) {
	t.Parallel()
	about := func(what string) string { return framework.Summary(what, "dataset", "", "character ada") }
	for done, want := range map[bool][2]string{
		false: {"Dataset Will Be Forgotten: dataset of character ada", "It is only forgotten. It may go."},
		true:  {"Dataset Was Forgotten: dataset of character ada", "It was only forgotten. It may go."},
	} {
		said := framework.Forgotten("Dataset", "It", "It may go.", done, about)
		check.Equal(t, "what is said", [2]string{said.Summary(), said.Detail()}, want)
	}
}

// The plan of a character names what the run has seen of it, and of no other.
func TestCharacterPlans_objects(t *testing.T) {
	t.Parallel()
	var plans framework.CharacterPlans
	plans.Note("ada", "training")
	plans.Note("ada", "group")
	plans.Note("ada", "group")
	plans.Note("bea", "image")
	plans.Note("", "of no character")
	plans.Makes("ada", framework.Images)
	check.Equal(t, "the objects of ada", plans.Objects("ada"), []string{"group", "training"})
	check.Equal(t, "the objects of nobody", len(plans.Objects(""))+len(plans.Objects("eve")), 0)
}
