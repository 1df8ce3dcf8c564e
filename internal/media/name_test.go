package media_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

func TestStem(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"beach": "beach", "Beach at night": "Beach at night", "морской-берег": "морской-берег", "浜辺": "浜辺", "50%#1": "50%#1",
		"a/b": "a_b", `a\b`: "a_b", "../../etc/passwd": "_.._etc_passwd", "..": "_", ".": "_", "": "_", " ": "_", ".hidden": "hidden",
		"trailing.": "trailing", "trailing. . ": "trailing", " a ": "a", "a.b": "a.b", `<>:"|?*`: "_______",
		"a\x00b": "a_b", "a\nb": "a_b", "a\tb": "a_b", "\u202egnp.exe": "_gnp.exe", "\xff": "_",
		"con": "_con", "CON": "_CON", "nul.txt": "_nul.txt", "Com1": "_Com1", "com¹": "_com¹", "LPT9.a.b": "_LPT9.a.b", "aux .x": "_aux .x", "conin$": "_conin$",
		"console": "console", "com10": "com10", "com": "com",
		"e\u0301": "\u00e9", // composed
	} {
		if got := media.Stems([]string{name})[name]; got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

func TestStemsThatAreAlike(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct{ names, unmarked []string }{
		"none":                  {names: []string{"a", "b", "a-b", "b-2x"}, unmarked: []string{"a", "b", "a-b", "b-2x"}},
		"case":                  {names: []string{"Ada", "ada", "b"}, unmarked: []string{"b"}},
		"case beyond ASCII":     {names: []string{"Ärger", "ärger", "straße", "STRASSE"}},
		"composition":           {names: []string{"\u00e9", "e\u0301"}},
		"what is replaced":      {names: []string{"a/b", "a:b", "a_b"}},
		"nothing left":          {names: []string{"", ".", "..", "_"}},
		"a second file":         {names: []string{"a", "a-2", "b-2"}, unmarked: []string{"a", "b-2"}},
		"a second file's case":  {names: []string{"A", "a-2"}, unmarked: []string{"A"}},
		"a second file's order": {names: []string{"a-3", "a"}, unmarked: []string{"a"}},
		"cut off":               {names: []string{strings.Repeat("x", 300) + "1", strings.Repeat("x", 300) + "2"}},
	} {
		stems := media.Stems(test.names)
		unmarked := map[string]bool{}
		for _, name := range test.unmarked {
			unmarked[name] = true
		}
		seen := map[string]string{}
		for name, stem := range stems {
			if other, again := seen[media.Folded(stem)]; again {
				t.Errorf("%s: %q and %q both become %q", what, name, other, stem)
			}
			seen[media.Folded(stem)] = name
			if (stem == name) != unmarked[name] {
				t.Errorf("%s: %q becomes %q", what, name, stem)
			}
		}
	}
}

// TestAnyStems: whatever the names, no file is written twice and each can be
// written anywhere.
func TestAnyStems(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{"a", "A", "-2", "-", "1", ".", " ", "/", "con", "ß", "ss", "\u0301", "\x00", "\xff", strings.Repeat("長", 50), "_"})
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(part, 0, 5).Draw(t, "parts"), "") })).Draw(t, "names")
		files := map[string]string{}
		for name, stem := range media.Stems(names) {
			if len(stem) > 120 || stem == "" || !utf8.ValidString(stem) || strings.ContainsFunc(stem, unicode.IsControl) || strings.ContainsAny(stem, `<>:"/\|?*`) || strings.Trim(stem, ". ") != stem {
				t.Fatalf("%q becomes %q", name, stem)
			}
			for _, n := range []int{1, 2, 3, 21} {
				file := media.Folded(media.FileName(stem, n))
				if other, taken := files[file]; taken {
					t.Fatalf("file %d of %q is %s, as one of %q is", n, name, file, other)
				}
				files[file] = name
			}
		}
	})
}
