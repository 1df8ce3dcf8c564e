package framework_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func TestSeveral(t *testing.T) {
	t.Parallel()
	items := strings.Split("abcdefghijklm", "")
	for count, want := range map[int]string{
		0: "", 1: "a", 3: "a, b, c", 4: "a, b, c, and 1 more", 13: "a, b, c, and 10 more",
	} {
		check.Equal(t, fmt.Sprint(count, " items"), framework.Several(items[:count], ", "), want)
	}
	check.Equal(t, "the list's last item", items[3], "d")
}

func TestSummary(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"Media Will Be Deleted: group 900063": framework.Summary("Media Will Be Deleted", "group", "900063", `"a"`),
		`A Killed Run Has Bought This: group of "a"`: framework.Summary(
			"A Killed Run Has Bought This",
			"group",
			"",
			`"a"`,
		),
	} {
		check.Equal(t, "the summary", got, want)
	}
}

// What is pasted means the text itself, also where the language would read more
// into it.
func TestQuote(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain":         `"plain"`,
		`say "hi"\now`:  `"say \"hi\"\\now"`,
		"two\nlines":    `"two\nlines"`,
		"${path.root}":  `"$${path.root}"`,
		"%{ if true }":  `"%%{ if true }"`,
		"Zoë <b> & co.": `"Zoë \u003cb\u003e \u0026 co."`,
	} {
		check.Equal(t, text, framework.Quote(text), want)
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Said so", "Said so.", "Said so. ", "Said so...", "Said so.\n"} {
		check.Equal(t, text, framework.Sentence(text), "Said so.")
	}
}
