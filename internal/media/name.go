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

const maxBase = 120 // bytes of a name without number and extension

var (
	// reserved are Windows device names, with any extension.
	reserved = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(\.|$)`)
	numbered = regexp.MustCompile(`^(.+)-[0-9]+$`)
)

// BaseNames turns names into base names that are valid on every file system,
// and unique even if case and Unicode normalisation are ignored. Names with
// equal base names all get a suffix from their hash, so that their order does
// not matter.
func BaseNames(names []string) map[string]string {
	bases := map[string]string{}
	alike := map[string]int{}
	for _, name := range names {
		if _, again := bases[name]; !again {
			bases[name] = safe(name)
			alike[folded(bases[name])]++
		}
	}
	for name, base := range bases {
		own := folded(base)
		other := numbered.FindStringSubmatch(own) // the second file of "a" is a-2
		if alike[own] > 1 || other != nil && alike[other[1]] > 0 {
			bases[name] = marked(base, name)
		}
	}
	return bases
}

// fileName returns the name of the nth result. Results after the first are
// numbered.
func fileName(base string, n int, extension string) string {
	if n > 1 {
		base = fmt.Sprintf("%s-%d", base, n)
	}
	return base + extension
}

// safe replaces characters with a special meaning to a file system, a shell or
// a terminal.
func safe(name string) string {
	base := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) ||
			r == utf8.RuneError {
			return '_'
		}
		return r
	}, norm.NFC.String(name))
	base = strings.TrimFunc(base, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
	if base == "" || reserved.MatchString(base) {
		base = "_" + base
	}
	if len(base) > maxBase {
		return marked(base, name)
	}
	return base
}

// marked adds a hash of the name, so that names with equal replacements stay
// different.
func marked(base, name string) string {
	mark := fmt.Sprintf("_%x", sha256.Sum256([]byte(name)))[:1+8]
	base = strings.ToValidUTF8(base[:min(len(base), maxBase-len(mark))], "") // without a part of a character
	return strings.TrimSuffix(base, mark) + mark
}

func folded(base string) string { return norm.NFC.String(cases.Fold().String(base)) }
