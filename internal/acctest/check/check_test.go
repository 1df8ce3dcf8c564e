package check_test

import (
	"errors"
	"fmt"
	"regexp"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper()                             {}
func (f *failing) Error(values ...any)                 { f.said += fmt.Sprint(values...) }
func (f *failing) Fatal(values ...any)                 { f.said += "fatal: " + fmt.Sprint(values...) }
func (f *failing) Errorf(format string, values ...any) { f.said += fmt.Sprintf(format, values...) }

func TestCheck(t *testing.T) {
	t.Parallel()
	type pair struct{ a, b any }
	broken := errors.New("broken")
	for want, assert := range map[string]func(testing.TB){
		"": func(t testing.TB) {
			check.Equal(t, "pair", pair{1, nil}, pair{1, nil})
			check.True(t, "truth", true)
			check.Contains(t, "text", "abc", "a", "bc")
			check.NoError(t, nil)
			check.Must(t, nil)
		},
		"count: got 1, want 2":      func(t testing.TB) { check.Equal(t, "count", 1, 2) },
		`text: got "a", want ""`:    func(t testing.TB) { check.Equal(t, "text", "a", "") },
		"any: got <nil>, want true": func(t testing.TB) { check.Equal[any](t, "any", nil, true) },
		"truth: not so: 1 x":        func(t testing.TB) { check.True(t, "truth", false, 1, "x") },
		`text: no "c" in ab`:        func(t testing.TB) { check.Contains(t, "text", "ab", "a", "c") },
		"broken":                    func(t testing.TB) { check.NoError(t, broken) },
		"fatal: broken":             func(t testing.TB) { check.Must(t, broken) },
	} {
		f := &failing{TB: t}
		assert(f)
		check.Equal(t, "said", f.said, want)
	}
	f := &failing{TB: t}
	check.Equal(f, "pairs", []pair{{1, 2}}, []pair{{1, 3}})
	check.Contains(t, "a difference", f.said, "pairs: got (+), want (-):\n")
	for _, differs := range []string{`(?m)^\+.*2`, `(?m)^-.*3`} {
		check.True(t, "it shows "+differs, regexp.MustCompile(differs).MatchString(f.said), f.said)
	}
}
