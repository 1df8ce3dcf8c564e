package prompts_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// A key is made of a prompt's words where nothing else has the same.
func TestDeriveKeys(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 20)
	for name, test := range map[string]struct {
		texts []string // in the order of creation
		want  string
	}{
		"slugs":           {[]string{"Ada, at dawn", "Eve: 100 %!", "Über  Grün", "夜の橋"}, "ada-at-dawn eve-100 über-grün 夜の橋"},
		"equal":           {[]string{"Twins", "Ada", "twins!", "TWINS"}, "p1 ada p3 p4"},
		"two are equal":   {[]string{"Twins", "Ada", "twins!"}, "p1 ada p3"},
		"nothing to read": {[]string{"!?", "", "Ada"}, "p1 p2 ada"},
		"like a number":   {[]string{"Ada", "p1", "P 1", "p001", "p1 and more"}, "ada p2 p-1 p4 p1-and-more"},
		"long":            {[]string{long + "one", "Ada", strings.Repeat("x", 90)}, strings.TrimSuffix(strings.Repeat("word-", 12), "-") + " ada " + strings.Repeat("x", 60)},
		"not too long":    {[]string{"a " + strings.Repeat("x", 58), "b " + strings.Repeat("x", 58) + " c"}, "a-" + strings.Repeat("x", 58) + " b-" + strings.Repeat("x", 58)},
		"equal beginning": {[]string{long + "one", long + "two", "Ada"}, "p1 p2 ada"},
		"composed":        {[]string{"Cafe\u0301", "Ada"}, "caf\u00e9 ada"},
		"composed twice":  {[]string{"Cafe\u0301", "Caf\u00e9"}, "p1 p2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, "keys", strings.Join(prompts.DeriveKeys(test.texts), " "), test.want)
		})
	}
}
