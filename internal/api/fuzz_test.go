package api_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

func FuzzPhaseOfWord(f *testing.F) {
	for _, seed := range []string{"completed", "TIMED_OUT", " in progress ", "", "İ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		phase := api.PhaseOfWord(word)
		check.True(t, word, phase >= api.Running && phase <= api.Stopped && phase == api.PhaseOfWord(" _"+word+"- "), phase)
	})
}
