package acctest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is waited for is in the log of every CLI, and at INFO little else.
func TestAccPipeline_progressIsLogged(t *testing.T) {
	t.Parallel()
	m := newPipeline(t)
	file := filepath.Join(m.directory, "progress.log")
	m.setenv("TF_LOG_PROVIDER", "INFO")
	m.setenv("TF_LOG_PATH", file)
	m.run("apply", "-auto-approve")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var own []string
	for line := range strings.Lines(string(content)) {
		if strings.Contains(line, "provider.terraform-provider-mediagen") && strings.Contains(line, "@module=mediagen") {
			own = append(own, line)
		}
	}
	log := strings.Join(own, "")
	m.wantSays(log, "generations have ended", `of character "char_ada": completed, 100 percent`)
	for _, noise := range []string{"[DEBUG]", "[TRACE]", "Sent a request", "configuration not found"} {
		if strings.Contains(string(content), noise) {
			t.Errorf("%s is in the log at INFO:\n%s", noise, content)
		}
	}
	if len(own) > 8 {
		t.Errorf("%d lines:\n%s", len(own), log)
	}
}
