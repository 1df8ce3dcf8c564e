package prompts_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// A text that a service repeats in its own way is the same; an edited one is
// another.
func TestEchoes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long portrait ", 20)
	for name, test := range map[string]struct {
		text, echo string
		want       bool
	}{
		"equal":                      {"A portrait", "A portrait", true},
		"other case and white space": {" A  Portrait\n", "a portrait", true},
		"more behind it":             {"A portrait, smiling", "A portrait", false},
		"more before it":             {"Smiling, a portrait", "a portrait", false},
		"less":                       {"A portrait", "A portrait, smiling", false},
		"visibly cut off":            {"A portrait, smiling", "A portrait, sm…", true},
		"cut off with dots":          {"A portrait, smiling", "A portrait, ...", true},
		"cut off after a long text":  {long, long[:120], true},
		"another long text":          {long, "x" + long[:120], false},
		"JSON, written anew":         {`{"a":[1,2.5],"b":"<A>"}`, "{\"b\": \"<A>\",\n \"a\": [1, 2.50]}", true},
		"other JSON":                 {`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		"no JSON":                    {"{a} and {b}", "{a}  and {b}", true},
		"nothing but dots":           {"A portrait", "…", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := prompts.Echoes(test.text, test.echo); got != test.want {
				t.Errorf("Echoes(%q, %q) is %t", test.text, test.echo, got)
			}
		})
	}
}
