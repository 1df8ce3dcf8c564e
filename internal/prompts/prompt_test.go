package prompts_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

func TestIsRespelled_isTextAlone(t *testing.T) {
	t.Parallel()
	former := prompts.Prompt{Text: prompts.Known("a portrait")}
	now := prompts.Prompt{Text: prompts.Known(" a\nPortrait "), Take: prompts.Known(int64(1))}
	check.True(t, "other white space and case", now.IsRespelled(former))
	now.FaceSwap = prompts.Known(true)
	check.True(t, "another option too", !now.IsRespelled(former))
	check.True(t, "another text", !prompts.Prompt{Text: prompts.Known("a portrai")}.IsRespelled(former))
	check.True(t, "the same text", !prompts.Prompt{Text: prompts.Known("a portrait\r\n")}.IsRespelled(former))
}

func TestIsRequeried_isTheAddressAlone(t *testing.T) {
	t.Parallel()
	of := func(address string) prompts.Prompt {
		return prompts.Prompt{Text: prompts.Known("a"), SourceImageURL: prompts.Known(address)}
	}
	former := of("https://x/1?w=1&sig=a")
	check.True(t, "another width", of("https://x/1?w=2&sig=a").IsRequeried(former))
	check.True(t, "another signature", !of("https://x/1?w=1&sig=b").IsRequeried(former))
	check.True(t, "another photo", !of("https://x/2?w=1&sig=a").IsRequeried(former))
	now := of("https://x/1?w=2")
	now.Text = prompts.Known("b")
	check.True(t, "another text too", !now.IsRequeried(former))
}

// What is stored stays, as far as it is the same.
func TestKept_isStoredWhereItIsTheSame(t *testing.T) {
	t.Parallel()
	stored := prompts.Prompt{Text: prompts.Known("a"), SourceImageURL: prompts.Known("https://x/1?sig=a")}
	wanted := prompts.Prompt{
		Text: prompts.Known("a\n"), SourceImageURL: prompts.Known("https://x/1?sig=b"), Take: prompts.Known(int64(1)),
	}
	kept := wanted.AsStored(stored)
	check.Equal(t, "the text", kept.Text, stored.Text)
	check.Equal(t, "the address", kept.SourceImageURL, stored.SourceImageURL)
	check.Equal(t, "a default for none: a CLI refuses none where it is configured", kept.Take, wanted.Take)
	stored.Take = prompts.Known(int64(1))
	check.Equal(t, "none for the default", prompts.Prompt{Text: stored.Text}.AsStored(stored).Take, stored.Take)
	wanted.Text = prompts.Unknown[string]()
	check.Equal(t, "what is not known", wanted.AsStored(stored).Text, wanted.Text)
}

// A key is made of a prompt's words where nothing else has the same.
func TestDeriveKeys(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 20)
	for name, test := range map[string]struct {
		texts []string // in the order of creation
		want  string
	}{
		"slugs": {
			[]string{"Ada, at dawn", "Eve: 100 %!", "Über  Grün", "夜の橋"},
			"ada-at-dawn eve-100 über-grün 夜の橋",
		},
		"equal":           {[]string{"Twins", "Ada", "twins!", "TWINS"}, "p1 ada p3 p4"},
		"two are equal":   {[]string{"Twins", "Ada", "twins!"}, "p1 ada p3"},
		"nothing to read": {[]string{"!?", "", "Ada"}, "p1 p2 ada"},
		"like a number":   {[]string{"Ada", "p1", "P 1", "p001", "p1 and more"}, "ada p2 p-1 p4 p1-and-more"},
		"long": {
			[]string{long + "one", "Ada", strings.Repeat("x", 90)},
			strings.TrimSuffix(strings.Repeat("word-", 12), "-") + " ada " + strings.Repeat("x", 60),
		},
		"not too long": {
			[]string{"a " + strings.Repeat("x", 58), "b " + strings.Repeat("x", 58) + " c"},
			"a-" + strings.Repeat("x", 58) + " b-" + strings.Repeat("x", 58),
		},
		"equal beginning": {[]string{long + "one", long + "two", "Ada"}, "p1 p2 ada"},
		"composed":        {[]string{"Cafe\u0301", "Ada"}, "caf\u00e9 ada"},
		"composed twice":  {[]string{"Cafe\u0301", "Caf\u00e9"}, "p1 p2"},
	} {
		check.Equal(t, name, strings.Join(prompts.DeriveKeys(test.texts), " "), test.want)
	}
}

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
		"escaped":                    {`Ada & "Eve" <3`, "Ada &amp; &#34;Eve&quot; &lt;3", true},
		"escaped and visibly cut":    {"Ada & Eve, smiling", "Ada &amp; Eve, sm…", true},
		"not escaped, but written":   {"Ada &amp; Eve", "Ada & Eve", false},
		"decomposed":                 {"Caf\u00e9", "Cafe\u0301", true},
	} {
		check.Equal(t, name, prompts.Echoes(test.text, test.echo), test.want)
	}
}
