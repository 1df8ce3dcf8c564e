// Package check has the assertions of tests. Each is a single line that names
// the checked value.
package check

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everything lets cmp compare unexported fields too.
var everything = cmp.Exporter(func(reflect.Type) bool { return true })

// Equal fails the test unless got is want.
func Equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if cmp.Equal(got, want, everything) {
		return
	}
	switch reflect.ValueOf(want).Kind() {
	case reflect.Struct, reflect.Map, reflect.Slice, reflect.Pointer:
		t.Errorf("%s: got (+), want (-):\n%s", what, cmp.Diff(want, got, everything))
	default:
		t.Errorf("%s: got %s, want %s", what, shown(got), shown(want))
	}
}

func shown(value any) string {
	if text, isText := value.(string); isText {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprint(value)
}

// True fails the test unless a condition holds. It prints the values in seen.
func True(t testing.TB, what string, holds bool, seen ...any) {
	t.Helper()
	if !holds {
		t.Errorf("%s: not so: %s", what, strings.TrimSuffix(fmt.Sprintln(seen...), "\n"))
	}
}

// Contains fails the test unless text contains each of the parts.
func Contains(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: no %q in %s", what, part, text)
		}
	}
}

// NoError fails the test if there is an error.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// Must ends the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ErrorOf returns the error of a call whose value does not matter.
func ErrorOf[T any](_ T, err error) error { return err }
