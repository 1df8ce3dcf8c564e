package media_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

func TestStem(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"beach": "beach", "Beach at night": "Beach at night", "морской-берег": "морской-берег", "浜辺": "浜辺",
		"50%#1": "50%#1",
		"a/b":   "a_b", `a\b`: "a_b", "../../etc/passwd": "_.._etc_passwd", "..": "_", ".": "_", "": "_", " ": "_",
		".hidden":   "hidden",
		"trailing.": "trailing", "trailing. . ": "trailing", " a ": "a", "a.b": "a.b", `<>:"|?*`: "_______",
		"a\x00b": "a_b", "a\nb": "a_b", "a\tb": "a_b", "\u202egnp.exe": "_gnp.exe", "\xff": "_",
		"con": "_con", "CON": "_CON", "nul.txt": "_nul.txt", "Com1": "_Com1", "com¹": "_com¹", "LPT9.a.b": "_LPT9.a.b",
		"aux .x": "_aux .x", "conin$": "_conin$",
		"console": "console", "com10": "com10", "com": "com",
		"e\u0301": "\u00e9", // composed
	} {
		check.Equal(t, name, media.BaseNames([]string{name})[name], want)
	}
}

func TestBaseNamesThatAreAlike(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct{ names, unmarked []string }{
		"none": {
			names:    []string{"a", "b", "a-b", "b-2x"},
			unmarked: []string{"a", "b", "a-b", "b-2x"},
		},
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
		bases := media.BaseNames(test.names)
		unmarked := map[string]bool{}
		for _, name := range test.unmarked {
			unmarked[name] = true
		}
		seen := map[string]string{}
		for name, base := range bases {
			other, again := seen[media.Folded(base)]
			check.True(t, what+": no other has the base name", !again, name, other, base)
			seen[media.Folded(base)] = name
			check.True(t, what+": base name", (base == name) == unmarked[name], name, base)
		}
	}
}

// TestAnyBaseNames: whatever the names, no file is written twice and each can
// be written anywhere.
func TestAnyBaseNames(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom(
		[]string{
			"a",
			"A",
			"-2",
			"-",
			"1",
			".",
			" ",
			"/",
			"con",
			"ß",
			"ss",
			"\u0301",
			"\x00",
			"\xff",
			strings.Repeat("長", 50),
			"_",
		},
	)
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.Custom(
			func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(part, 0, 5).Draw(t, "parts"), "") },
		)).
			Draw(t, "names")
		files := map[string]string{}
		for name, base := range media.BaseNames(names) {
			if len(base) > 120 || base == "" || !utf8.ValidString(base) ||
				strings.ContainsFunc(base, unicode.IsControl) ||
				strings.ContainsAny(base, `<>:"/\|?*`) ||
				strings.Trim(base, ". ") != base {
				t.Fatalf("%q becomes %q", name, base)
			}
			for _, n := range []int{1, 2, 3, 21} {
				file := media.Folded(media.FileName(base, n))
				if other, taken := files[file]; taken {
					t.Fatalf("file %d of %q is %s, as one of %q is", n, name, file, other)
				}
				files[file] = name
			}
		}
	})
}
