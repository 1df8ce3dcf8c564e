package provider_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

// No line of a message begins with what a CI system takes for a command,
// wherever the CLI breaks it. Fault F36.
func TestMessagesHaveNoCommands(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"::error::all is lost":             ": :error::all is lost",
		"one\n  ::set-env name=A::b":       "one\n  : :set-env name=A::b",
		"said ::stop-commands::x":          "said : :stop-commands::x",
		"##[set-output name=a]b":           "## [set-output name=a]b",
		"x ##vso[task.setvariable]y":       "x ## vso[task.setvariable]y",
		"provider::mediagen::prompts, ::1": "provider::mediagen::prompts, : :1",
		"at http://[::1]:8080, ## a title": "at http://[::1]:8080, ## a title",
	} {
		check.Equal(t, text, provider.WithoutCommands(text), want)
	}
}
