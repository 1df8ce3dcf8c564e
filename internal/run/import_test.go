package run_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

func TestImportIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string][2]string{
		"char/asset":             {"char", "asset"},
		"char/a/b":               {"char", "a/b"},
		"char//b":                {"char", "/b"},
		"ch%2Far/as%2Fset":       {"ch/ar", "as/set"},
		"ch%2far/as%2fset/c%2Fd": {"ch/ar", "as/set/c/d"},
		"50%25/100%25":           {"50%", "100%"},
		"%252F/%25252F":          {"%2F", "%252F"},
		"%2F/%2f":                {"/", "/"},
		"a%20b/c%C3%A9":          {"a%20b", "c%C3%A9"},
		"100%/5%2":               {"100%", "5%2"},
		"%/%%":                   {"%", "%%"},
		"%2/%G1":                 {"%2", "%G1"},
		"%2%2F/%%252F":           {"%2/", "%%2F"},
		"ключ/臉":                 {"ключ", "臉"},
	} {
		character, own, ok := run.SplitImportID(id)
		check.True(t, id, ok && [2]string{character, own} == want, character, own, want)
	}
	for _, id := range []string{"", "char", "/", "char/", "/asset", " /asset", "char/\t", "a%2Fb", "%2F"} {
		character, own, ok := run.SplitImportID(id)
		check.True(t, id, !ok, character, own)
	}
}

func FuzzImportIDs(f *testing.F) {
	for _, seed := range [][2]string{
		{"char", "asset"},
		{"a/b", "c/d"},
		{"%2F", "%25"},
		{"%", "%2"},
		{"/", "//"},
		{"%252f", " x "},
		{"\xff", "a%"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, character, own string) {
		if strings.TrimSpace(character) == "" || strings.TrimSpace(own) == "" {
			return
		}
		encode := strings.NewReplacer("%", "%25", "/", "%2F").Replace
		first, second, ok := run.SplitImportID(encode(character) + "/" + encode(own))
		check.True(t, "what both became", ok && first == character && second == own, character, own, first, second, ok)
		// Without an escape nothing changes.
		raw := strings.NewReplacer("%", "", "/", "").Replace(character)
		first, second, ok = run.SplitImportID(raw + "/" + strings.ReplaceAll(own, "%", ""))
		check.True(
			t,
			"without an escape",
			!ok || (first == raw && second == strings.ReplaceAll(own, "%", "")),
			raw,
			own,
			first,
			second,
		)
	})
}
