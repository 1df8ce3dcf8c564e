package framework_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func TestUnconfirmedIDsAreAllDifferent(t *testing.T) {
	t.Parallel()
	first, second := framework.UnconfirmedID(), framework.UnconfirmedID()
	if first.Equal(second) || !framework.IsUnconfirmedID(first) || !strings.HasPrefix(first.ValueString(), "unconfirmed-") {
		t.Errorf("the ids are %s and %s", first, second)
	}
	if framework.IsUnconfirmedID(types.StringNull()) || framework.IsUnconfirmedID(types.StringValue("job_1")) {
		t.Error("an id of the service counts as unconfirmed")
	}
}

// What a message says to paste means the text itself, also where the configuration
// language would read more into it.
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
		if got := framework.Quote(text); got != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
	}
}
