package repotest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

const (
	hush = acctest.Hush
	png  = acctest.PNG
)

type subject = acctest.Subject

var newReplanService = acctest.NewForSubjects

var root = filepath.Join("..", "..")

func readFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	check.Must(t, err)
	return string(content)
}

func glob(t *testing.T, pattern ...string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no %s: %v", filepath.Join(pattern...), err)
	}
	return files
}

func TestMain(m *testing.M) { acctest.Main(m) }
