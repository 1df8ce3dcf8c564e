package story_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// anotherRun is the refusal of what the purchase log says that another run has
// bought.
const anotherRun = "Another Run Has Bought This"

var keysSaid = regexp.MustCompile(`has (?:sent|bought) the prompts? ((?:"\w+"(?:, | and )?)+)`)

// buyAgain does what a refusal advises to whoever wants the purchase all the
// same: it changes the triggers of a training, or take of the prompts that the
// refusal names, which it returns.
func (c configuration) buyAgain(t testing.TB, said core.Diagnostic) (keys []string) {
	if wanted := c.trainings[said.Address]; wanted != nil {
		wanted.round++
		return nil
	}
	keys = keysOf(t, said)
	for _, key := range keys {
		wanted := c.groups[said.Address].prompts[key]
		wanted.take = max(wanted.take, 1) + 1
		c.groups[said.Address].prompts[key] = wanted
	}
	return keys
}

// keysOf are the keys of the prompts that a refusal names.
func keysOf(t testing.TB, said core.Diagnostic) []string {
	t.Helper()
	found := keysSaid.FindStringSubmatch(said.Detail)
	if found == nil {
		t.Fatalf("the refusal names no prompts: %s", said)
	}
	return regexp.MustCompile(`\w+`).FindAllString(strings.ReplaceAll(found[1], " and ", " "), -1)
}
