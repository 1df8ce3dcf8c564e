package acctest_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Both stories check their own steps, and are short enough to be read; make prints a
// line too.
func TestAccDemo(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	bin := goBuild(t, mockserverCommand, "./internal/cmd/demo")
	if err := os.Symlink(filepath.Join(built, "terraform-provider-mediagen"), filepath.Join(bin, "terraform-provider-mediagen")); err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Abs(examples)
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []struct {
		what string
		says []string
	}{
		{"characters", []string{"\n  + resource \"mediagen_generation_group\"", "2 trainings, 5 prompts for 205 credits", "What stays at the service: 2 characters with images and LoRAs, no groups, no media"}},
		{"nothing", []string{"2 trainings, 1 dataset, 3 prompts for 203 credits", "Character Will Be Deleted", "What stays at the service: 0 characters, no groups, no media"}},
	} {
		output, code := m.execute(exec.CommandContext(context.WithoutCancel(t.Context()), filepath.Join(bin, "demo"), "-cli", m.cli, "-from", from.what,
			"-provider-dir", bin, "-examples", examples, "-generation-time", "1s", "-training-time", "1s", "-dataset-time", "1s"))
		if lines := strings.Count(output, "\n"); code != 0 || lines+1 >= 100 || strings.Contains(output, "@message") {
			t.Errorf("from %s: exit code %d, %d lines:\n%s", from.what, code, lines, output)
		}
		m.wantSays(output, from.says...)
	}
}
