package prompts_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

func TestIsKnown_asksEveryInput(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]prompts.Prompt{
		"prompt":           {Text: prompts.Unknown[string]()},
		"face_swap":        {FaceSwap: prompts.Unknown[bool]()},
		"use_face_lora":    {UseFaceLoRA: prompts.Unknown[bool]()},
		"use_body_lora":    {UseBodyLoRA: prompts.Unknown[bool]()},
		"source_image_url": {SourceImageURL: prompts.Unknown[string]()},
		"take":             {Take: prompts.Unknown[int64]()},
	} {
		check.True(t, name+" is unknown, and so is the prompt", !p.IsKnown())
	}
	check.True(t, "what is null is known", prompts.Prompt{Text: prompts.Known("A")}.IsKnown())
}

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
	kept := wanted.Kept(stored)
	check.Equal(t, "the text", kept.Text, stored.Text)
	check.Equal(t, "the address", kept.SourceImageURL, stored.SourceImageURL)
	check.Equal(t, "what is no text", kept.Take, wanted.Take)
	wanted.Text = prompts.Unknown[string]()
	check.Equal(t, "what is not known", wanted.Kept(stored).Text, wanted.Text)
}

// An import knows at most the text: what it could not read is taken over, what
// it has is compared.
func TestCompare_takesOverWhatAnImportCouldNotRead(t *testing.T) {
	t.Parallel()
	yes := prompts.Known(true)
	no := prompts.Known(false)
	url := prompts.Known("https://x/1")
	text := prompts.Known("A")
	for name, test := range map[string]struct {
		former, want prompts.Prompt
		key          string // of the configuration
		buys         bool
	}{
		"every option":          {prompts.Prompt{Text: text}, prompts.Prompt{Text: text, FaceSwap: yes, UseFaceLoRA: yes, UseBodyLoRA: no, SourceImageURL: url, Take: prompts.Known(int64(3))}, "a", false},
		"another face_swap":     {prompts.Prompt{Text: text, FaceSwap: no}, prompts.Prompt{Text: text, FaceSwap: yes}, "a", true},
		"another use_face_lora": {prompts.Prompt{Text: text, UseFaceLoRA: no}, prompts.Prompt{Text: text, UseFaceLoRA: yes}, "a", true},
		"another use_body_lora": {prompts.Prompt{Text: text, UseBodyLoRA: no}, prompts.Prompt{Text: text, UseBodyLoRA: yes}, "a", true},
		"another photo":         {prompts.Prompt{Text: text, SourceImageURL: url}, prompts.Prompt{Text: text}, "a", true},
		"another take":          {prompts.Prompt{Text: text, Take: prompts.Known(int64(1))}, prompts.Prompt{Text: text, Take: prompts.Known(int64(2))}, "a", true},
		"a photo for its text":  {prompts.Prompt{Text: url}, prompts.Prompt{SourceImageURL: url}, "a", false},
		"no text, not known":    {prompts.Prompt{}, prompts.Prompt{Text: prompts.Unknown[string]()}, "b", true},
		"renamed":               {prompts.Prompt{Text: text}, prompts.Prompt{Text: prompts.Known("a"), FaceSwap: yes}, "b", false},
	} {
		prior := prompts.New()
		prior.Prompts["a"] = test.former
		prior.Set("a", prompts.NewGeneration("g1"))
		diff := prompts.Compare(&prior, map[string]prompts.Prompt{test.key: test.want}, 1, true)
		check.Equal(t, name+": buys", len(diff.Buy) > 0, test.buys)
	}
}

// What an import has found to have failed counts as tried max_attempts times:
// raising that later buys it again, the update that ends the import does not.
func TestCarryOver_countsImportedFailuresAsTried(t *testing.T) {
	t.Parallel()
	failed := prompts.NewGeneration("g1")
	done := prompts.NewGeneration("g2")
	failed.Succeeded = prompts.Known(false)
	done.Succeeded = prompts.Known(true)
	prior := prompts.New()
	prior.Prompts = wanted(map[string]string{"a": "A", "b": "B"})
	prior.Set("a", failed)
	prior.Set("b", done)
	prior.Open = []string{"g2"}
	for _, times := range []prompts.Value[int64]{prompts.Known(int64(3)), prompts.Unknown[int64]()} {
		diff := prompts.Compare(&prior, prior.Prompts, 3, true)
		check.Equal(t, "bought", len(diff.Buy), 0)
		g := prompts.New()
		g.Prompts = prior.Prompts
		g.CarryOver(&prior, diff, times)
		check.Equal(t, "attempts of what has failed", g.Generations["a"].Attempts, times)
		check.Equal(t, "attempts of what has results", g.Generations["b"].Attempts, prompts.Known(int64(1)))
		check.Equal(t, "open", len(g.OpenKeys(g.HeldKeys())), 1)
	}
}

// What the service had rendered before a purchase is in no state, and never
// deleted.
func TestCarryOver_leavesImportedGenerationsBehind(t *testing.T) {
	t.Parallel()
	prior := prompts.New()
	prior.Prompts = wanted(map[string]string{"a": "A"})
	prior.Set("a", prompts.NewGeneration("g1"))
	for _, imported := range []bool{true, false} {
		g := prompts.New()
		g.Prompts = wanted(map[string]string{"a": "B"})
		diff := prompts.Compare(&prior, g.Prompts, 1, imported)
		g.CarryOver(&prior, diff, prompts.Known(int64(1)))
		check.Equal(t, "is superseded, and will be deleted", g.Has("g1"), !imported)
		check.Equal(t, "is left behind", len(diff.Leftover(&prior)) > 0, imported)
	}
}

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
