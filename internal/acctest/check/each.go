package check

import "testing"

// Each runs a parallel test for each row of a table, by its name.
func Each[T any](t *testing.T, rows map[string]T, test func(t *testing.T, row T)) {
	t.Helper()
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, row)
		})
	}
}
