package prompts_test

import (
	"fmt"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// endsByWord says how a generation has ended, in every combination: by its
// word; by its progress, which is missing, below 100, or 100; and without
// addresses and error, with an error, with addresses, with both. R is running,
// S succeeded, F failed, X stopped.
var endsByWord = map[prompts.Word][3]string{
	prompts.WordRunning: {"RFSS", "RRRR", "RFSS"},
	prompts.WordRetry:   {"RRRR", "RRRR", "RFSS"},
	prompts.WordFailure: {"FFSF", "FFSF", "FFSF"},
	prompts.WordStopped: {"XXSS", "XXSS", "XXSS"},
	prompts.WordSuccess: {"SFSS", "SFSS", "SFSS"},
	prompts.WordOther:   {"RFSS", "RFSS", "SFSS"},
}

var endLetters = map[prompts.End]string{
	prompts.EndNone: "R", prompts.EndSucceeded: "S", prompts.EndFailed: "F", prompts.EndStopped: "X",
}

func TestEnd_ofEveryCombination(t *testing.T) {
	t.Parallel()
	progresses := [3][]*int64{
		{nil},
		{new(int64(-1)), new(int64(0)), new(int64(99))},
		{new(int64(100)), new(int64(200))},
	}
	for word, rows := range endsByWord {
		for i, want := range rows {
			for _, progress := range progresses[i] {
				got := ""
				for _, addresses := range []bool{false, true} {
					for _, hasError := range []bool{false, true} {
						shown := prompts.Shown{
							Word:         word,
							Progress:     progress,
							HasAddresses: addresses,
							HasError:     hasError,
						}
						got += endLetters[shown.End()]
					}
				}
				check.Equal(t, fmt.Sprintf("word %d, progress %d", word, i), got, want)
			}
		}
	}
}

// A list shows neither progress nor error: of what they could make another end,
// it proves none.
func TestSureEnd_isThatOfEveryStatus(t *testing.T) {
	t.Parallel()
	for word, want := range map[prompts.Word]string{ // without addresses, and with some
		prompts.WordRunning: "RR", prompts.WordRetry: "RR", prompts.WordFailure: "FR",
		prompts.WordStopped: "XS", prompts.WordSuccess: "RS", prompts.WordOther: "RS",
	} {
		got := ""
		for _, addresses := range []bool{false, true} {
			got += endLetters[prompts.Shown{Word: word, HasAddresses: addresses}.ListedEnd()]
		}
		check.Equal(t, fmt.Sprint("word ", word), got, want)
	}
}

func TestIsFinal_withResultsAlone(t *testing.T) {
	t.Parallel()
	results := []string{"https://x/1"}
	for name, test := range map[string]struct {
		generation prompts.Generation
		want       bool
	}{
		"results":               {prompts.Generation{Succeeded: prompts.Known(true), ResultURLs: results}, true},
		"a success without any": {prompts.Generation{Succeeded: prompts.Known(true)}, false},
		"a failure":             {prompts.Generation{Succeeded: prompts.Known(false), ResultURLs: results}, false},
		"what runs":             {prompts.Generation{ResultURLs: results}, false},
	} {
		check.Equal(t, name, test.generation.IsFinal(), test.want)
	}
}

// Whether stored results give way to those of a later status, in every
// combination: by the word stored; with progress below 100 or none, and at 100;
// to a status of each word in the order of the words, which shows as many
// others, and no progress. Y is yes. A retry that shows no progress has not ended.
var giveWay = map[prompts.Word][2]string{
	//                    other, running, retry, success, failure, stopped
	prompts.WordOther:   {"YY.YYY", "......"},
	prompts.WordRunning: {"YY.YYY", "...Y.."},
	prompts.WordRetry:   {"YY.YYY", "YY.YYY"},
	prompts.WordSuccess: {"......", "......"},
	prompts.WordFailure: {"YY.YYY", "YY.YYY"},
	prompts.WordStopped: {"YY.YYY", "......"},
}

func TestGiveWayTo_ofEveryCombination(t *testing.T) {
	t.Parallel()
	for word, rows := range giveWay {
		for i, want := range rows {
			stored := prompts.Results{
				Count:          2,
				Word:           word,
				AtFullProgress: i == 1,
			}
			got := ""
			more := ""
			for later := prompts.WordOther; later <= prompts.WordStopped; later++ {
				shown := prompts.Shown{Word: later, HasAddresses: true}
				got += map[bool]string{true: "Y", false: "."}[stored.GiveWayTo(shown, 2)]
				more += map[bool]string{true: "Y", false: "."}[stored.GiveWayTo(shown, 3)]
				check.True(t, "none", !stored.GiveWayTo(prompts.Shown{Word: later}, 0), word, later)
			}
			check.Equal(t, fmt.Sprintf("word %d, full progress %t", word, stored.AtFullProgress), got, want)
			check.Equal(t, "more results", more, "YY.YYY")
		}
	}
}
