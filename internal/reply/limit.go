package reply

import (
	"regexp"
	"strings"
)

// limitWords matches words about a limit of requests, also in a code. Words
// about credits, a balance or a quota do not match.
var limitWords = regexp.MustCompile(`(?i)\brate[\s_-]*limit|_rate_limit|(?-i:RateLimit)|too[\s_-]*many[\s_-]*requests`)

// limitCode is the code of an error about a limit of requests.
const limitCode = "429"

// SpeaksOfLimit reports whether an error says that too many requests are sent:
// by the code 429 anywhere, or in words. The words of a validation error do not
// count, because they are about a field.
func SpeaksOfLimit(body Object) bool {
	said := &Answer{}
	said.Describe(func(text string) string { return text }, body, nil)
	nested := body.Object("error")
	for _, object := range []Object{body, nested} {
		for _, name := range []string{"code", "status", "status_code", "statusCode"} {
			if strings.TrimSpace(value(object.Text(name))) == limitCode {
				return true
			}
		}
	}
	words := []string{said.Code, said.Message, value(nested.Text("type")), value(nested.Text("code"))}
	return said.Code == limitCode || len(said.Fields) == 0 && limitWords.MatchString(strings.Join(words, "\n"))
}

// heading matches the headings of a page.
var heading = regexp.MustCompile(`(?is)<(?:title|h1)\b[^>]*>([^<]*)`)

// SpeaksOfLimit is the same question about an error that is not JSON. For a
// page only its headings count, because the rest may describe a whole site.
func (a *Answer) SpeaksOfLimit(content []byte) bool {
	if !isMarkup(string(content)) {
		return limitWords.MatchString(a.Message)
	}
	for _, found := range heading.FindAllSubmatch(content, -1) {
		if limitWords.Match(found[1]) {
			return true
		}
	}
	return false
}

// isMarkup reports whether a text is a page, of HTML or a similar language.
func isMarkup(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(text, byteOrderMark)), "<")
}
