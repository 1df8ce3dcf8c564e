package check

import (
	"errors"
	"io/fs"
	"os"
	"testing"
)

// Refusal returns this system's message about a path that cannot be read,
// because systems differ.
func Refusal(t testing.TB, path string) string {
	t.Helper()
	_, err := os.ReadFile(path)
	var refused *fs.PathError
	if !errors.As(err, &refused) {
		t.Fatalf("%s can be read: %v", path, err)
	}
	return refused.Err.Error()
}
