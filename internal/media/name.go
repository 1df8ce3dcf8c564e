package media

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxStem bounds, in bytes, a name without number and extension.
const maxStem = 120

var (
	// reserved are Windows device names, with any extension.
	reserved = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(\.|$)`)
	numbered = regexp.MustCompile(`^(.+)-[0-9]+$`)
)

// Stems turns names into stems: valid on every file system, and unique even where
// case and Unicode normalisation are ignored. Names with the same stem all get a
// suffix from their hash, so that stems do not depend on an order.
func Stems(names []string) map[string]string {
	stems, alike := map[string]string{}, map[string]int{}
	for _, name := range names {
		if _, again := stems[name]; !again {
			stems[name] = safe(name)
			alike[folded(stems[name])]++
		}
	}
	for name, stem := range stems {
		own := folded(stem)
		// The second file of "a" is a-2.
		base := numbered.FindStringSubmatch(own)
		if alike[own] > 1 || base != nil && alike[base[1]] > 0 {
			stems[name] = marked(stem, name)
		}
	}
	return stems
}

// fileName returns the name of the nth file of a stem.
func fileName(stem string, n int, extension string) string {
	if n > 1 {
		stem = fmt.Sprintf("%s-%d", stem, n)
	}
	return stem + extension
}

func safe(name string) string {
	stem := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return '_'
		}
		return r
	}, norm.NFC.String(name))
	stem = strings.TrimFunc(stem, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
	if stem == "" || reserved.MatchString(stem) {
		stem = "_" + stem
	}
	if len(stem) > maxStem {
		return marked(stem, name)
	}
	return stem
}

// marked returns a stem with a suffix from the hash of its name.
func marked(stem, name string) string {
	mark := fmt.Sprintf("_%x", sha256.Sum256([]byte(name)))[:1+8]
	for len(stem) > maxStem-len(mark) {
		_, last := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-last]
	}
	return strings.TrimSuffix(stem, mark) + mark
}

func folded(stem string) string { return norm.NFC.String(cases.Fold().String(stem)) }
