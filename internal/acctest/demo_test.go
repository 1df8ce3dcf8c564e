package acctest_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The demo checks its own steps, and is short enough to be read; make prints a line
// too.
func TestAccDemo(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	bin := buildMockserver(t)
	if err := os.Symlink(filepath.Join(built, "terraform-provider-mediagen"), filepath.Join(bin, "terraform-provider-mediagen")); err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Abs(examples)
	if err != nil {
		t.Fatal(err)
	}
	demo := filepath.Join(bin, "demo")
	if output, err := exec.Command("go", "build", "-buildvcs=false", "-o", demo, "../cmd/demo").CombinedOutput(); err != nil {
		t.Fatalf("go build: %s\n%s", err, output)
	}
	output, code := m.execute(exec.CommandContext(context.WithoutCancel(t.Context()), demo, "-cli", m.cli,
		"-provider-dir", bin, "-examples", examples, "-generation-time", "1s", "-training-time", "1s"))
	lines := strings.Count(output, "\n")
	if _, plan, _ := strings.Cut(output, "A plan of the smallest example"); code != 0 || lines+1 >= 100 || strings.Contains(output, "@message") || !strings.Contains(plan, "\n  + resource \"mediagen_generation_group\"") {
		t.Errorf("exit code %d, %d lines:\n%s", code, lines, output)
	}
	m.wantSays(output, "2 trainings and 5 prompts for 205 credits", "No media are left at the service.")
}
