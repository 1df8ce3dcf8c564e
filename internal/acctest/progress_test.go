package acctest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

func TestAccPipeline_progressIsLogged(t *testing.T) {
	t.Parallel()
	m := newPipeline(t)
	file := filepath.Join(m.directory, "progress.log")
	m.setenv("TF_LOG_PROVIDER", "INFO")
	m.setenv("TF_LOG_PATH", file)
	m.run("apply", "-auto-approve")
	content := readFile(t, file)
	var own []string
	for line := range strings.Lines(content) {
		if strings.Contains(line, "provider.terraform-provider-mediagen") && strings.Contains(line, "@module=mediagen") {
			own = append(own, line)
		}
	}
	log := strings.Join(own, "")
	m.wantSays(log, "generations have ended", `of character "char_ada": completed, 100 percent`)
	for _, noise := range []string{"[DEBUG]", "[TRACE]", "Sent a request", "configuration not found"} {
		check.True(t, "the log at INFO is without noise", !strings.Contains(content, noise), noise, content)
	}
	check.True(t, "the lines", len(own) <= 8, len(own), log)
}
