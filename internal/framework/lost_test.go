package framework_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// What a lost request has made was not there before, and was created since, by a
// clock that may differ by five minutes, or by the list's own.
// Fault F4.
func TestOriginOfWhatALostRequestMayHaveMade(t *testing.T) {
	t.Parallel()
	asked := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(after time.Duration) *string { return new(asked.Add(after).Format(time.RFC3339)) }
	lost := framework.Lost{Before: []string{"old"}, Asked: asked}
	const ahead = time.Hour // of ours is the service's clock
	listed := asked.Add(30 * time.Second)
	exact := framework.Lost{Before: lost.Before, Asked: asked.Add(-ahead)}.ByClockOf(listed, listed.Add(-ahead))
	silent := lost.ByClockOf(time.Time{}, listed)
	for name, test := range map[string]struct {
		lost    framework.Lost
		id      string
		created *string
		want    framework.Origin
	}{
		"since":                        {lost, "new", at(time.Second), framework.Ours},
		"there before":                 {lost, "old", at(time.Second), framework.Others},
		"no time":                      {lost, "new", nil, framework.InDoubt},
		"by a slow clock":              {lost, "new", at(-4 * time.Minute), framework.Ours},
		"too early":                    {lost, "new", at(-6 * time.Minute), framework.Others},
		"too late":                     {lost, "new", at(6 * time.Minute), framework.Others},
		"since, exactly":               {exact, "new", at(-5 * time.Second), framework.Ours},
		"too early, exactly":           {exact, "new", at(-6 * time.Second), framework.Others},
		"the list says nothing of now": {silent, "new", at(0), framework.InDoubt},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := test.lost.Origin(test.id, test.created, listed); got != test.want {
				t.Errorf("it is %v, want %v", got, test.want)
			}
		})
	}
}

// Of two, neither is certain; one that is certainly another's does not count.
// Fault F4.
func TestOneAloneIsCertain(t *testing.T) {
	t.Parallel()
	lost := framework.Lost{Before: []string{"old"}, Asked: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	for name, test := range map[string]struct {
		listed, candidates []string
		certain            bool
	}{
		"none":             {[]string{"old"}, nil, false},
		"one":              {[]string{"old", "new"}, []string{"new"}, true},
		"two":              {[]string{"new", "newer"}, []string{"new", "newer"}, false},
		"one, and a doubt": {[]string{"new", ""}, []string{"new", ""}, false},
		"a doubt":          {[]string{""}, []string{""}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			candidates, certain := framework.MadeBy(lost, test.listed, lost.Asked, func(id string) (string, *string) {
				if id == "" {
					return id, nil
				}
				return id, new(lost.Asked.Format(time.RFC3339))
			})
			if !slices.Equal(candidates, test.candidates) || certain != test.certain {
				t.Errorf("candidates %q, certain %t", candidates, certain)
			}
		})
	}
}

// Private state has had these names since the first build.
func TestLostIsStored(t *testing.T) {
	t.Parallel()
	const stored = `{"before":["a"],"asked":"2030-01-02T03:04:05Z"}`
	var lost framework.Lost
	if err := json.Unmarshal([]byte(stored), &lost); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(lost); err != nil || string(again) != stored {
		t.Errorf("it is stored as %s, %v", again, err)
	}
}
