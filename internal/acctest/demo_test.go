package acctest_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// Both stories check their own steps, and are short enough to be read; make prints a line too.
func TestAccDemo(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	bin := goBuild(t, mockserverCommand, "./internal/cmd/demo")
	check.Must(t, os.Symlink(filepath.Join(built, "terraform-provider-mediagen"), filepath.Join(bin, "terraform-provider-mediagen")))
	examples, err := filepath.Abs(examples)
	check.Must(t, err)
	for _, from := range []struct {
		what string
		says []string
	}{
		{"characters", []string{"\n  + resource \"mediagen_generation_group\"", "2 trainings, 5 prompts for 205 credits", "What stays at the service: 2 characters with images and LoRAs, no groups, no media"}},
		{"nothing", []string{"2 trainings, 1 dataset, 3 prompts for 203 credits", "Character Will Be Deleted", "What stays at the service: 0 characters, no groups, no media"}},
	} {
		output, code := m.execute(exec.CommandContext(context.WithoutCancel(t.Context()), filepath.Join(bin, "demo"), "-cli", m.cli, "-from", from.what,
			"-provider-dir", bin, "-examples", examples, "-generation-time", "1s", "-training-time", "1s", "-dataset-time", "1s"))
		lines := strings.Count(output, "\n")
		check.True(t, "from "+from.what, code == 0 && lines+1 < 100 && !strings.Contains(output, "@message"), code, lines, output)
		m.wantSays(output, from.says...)
	}
}
