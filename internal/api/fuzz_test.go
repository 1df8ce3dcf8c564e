package api_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

func FuzzPhaseOfWord(f *testing.F) {
	for _, seed := range []string{"completed", "TIMED_OUT", " in progress ", "", "İ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		phase := api.PhaseOfWord(word)
		if phase < api.Running || phase > api.Stopped || phase != api.PhaseOfWord(" _"+word+"- ") {
			t.Errorf("%q: %d", word, phase)
		}
	})
}
