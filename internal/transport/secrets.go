package transport

import (
	"encoding/base64"
	"errors"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

const (
	minSecret  = 6  // removing shorter secrets would mutilate every message
	longSecret = 64 // enough to recognise a secret
	// A part of a secret is recognised if it is at least half as long, in
	// characters of the plain form. Parts shorter than minPart may be ordinary
	// words; maxPart characters are enough for any secret.
	minPart, maxPart = 8, 32
	// maxPlain bounds the search in other encodings: no real token is longer.
	maxPlain = 4 << 10
)

// Secrets removes secrets from every text that leaves the provider. Services
// and gateways repeat headers in their error pages, unchanged or encoded.
// Secrets is safe for concurrent use.
type Secrets struct {
	mutex sync.Mutex
	known []secret
}

// secret is a secret in three forms: unchanged, in the plainest form that
// reply.PlainForms finds, and in base64 at any place in a text. For isToken see
// mayBeToken.
type secret struct {
	text    string
	plain   string
	coded   []string
	isToken bool
}

func newSecret(text string) secret {
	start := text[:min(len(text), maxPlain)]
	forms := reply.PlainForms(start)
	return secret{
		text:    text,
		plain:   forms[len(forms)-1],
		coded:   inBase64(start),
		isToken: mayBeToken(text),
	}
}

// inBase64 returns the forms that a text takes within a longer base64 text, in
// both alphabets. Three bytes are four characters, so there are three forms.
// Characters at the ends that depend on the neighbouring bytes are left out.
func inBase64(text string) (coded []string) {
	for before := range 3 {
		padded := make([]byte, before, before+len(text))
		padded = append(padded, text...)
		first := (before*8 + 5) / 6
		last := len(padded) * 8 / 6
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			part := encoding.EncodeToString(padded)[first:last]
			if !slices.Contains(coded, part) {
				coded = append(coded, part)
			}
		}
	}
	return coded
}

// Add adds secrets. They stay, because a request may be answered after its
// token was renewed.
func (s *Secrets) Add(texts ...string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, text := range texts {
		isKnown := slices.ContainsFunc(s.known, func(known secret) bool { return known.text == text })
		if len(text) >= minSecret && !isKnown {
			s.known = append(s.known, newSecret(text))
		}
	}
	// Longer secrets come first, because a secret may be part of a longer secret.
	slices.SortFunc(s.known, func(a, b secret) int { return len(b.text) - len(a.text) })
}

// Redact removes the secrets from a text. It withholds the whole text if the
// text contains an encoded secret or half of a secret, because nobody can say
// where such a secret begins.
func (s *Secrets) Redact(text string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, secret := range s.known {
		text = without(text, secret.text)
	}
	if s.areIn(text, secret.isAny, maxPart) {
		return reply.NotShown
	}
	return text
}

// AreIn reports whether a body contains a secret that Withhold would remove.
func (s *Secrets) AreIn(body string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.areIn(body, secret.mayBeToken, maxPlain)
}

// Withhold is Redact for a text that is stored. It looks only for secrets that
// look like tokens, and for complete halves of them. A prompt may contain a
// word that somebody has chosen as a header's value, and an address may contain
// a signature with the usual beginning of a token.
func (s *Secrets) Withhold(text string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.areIn(text, secret.mayBeToken, maxPlain) {
		return text
	}
	for _, known := range s.known {
		if known.isToken {
			text = without(text, known.text)
		}
	}
	if s.areIn(text, secret.mayBeToken, maxPlain) {
		return reply.NotShown
	}
	return text
}

// Screen withholds the lines of the provider's own message that contain a
// secret. It is the last check before a person or a log sees the message. It
// looks only for secrets that look like tokens, because a message may contain a
// word that somebody has chosen as a header's value.
func (s *Secrets) Screen(message string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.areIn(message, secret.mayBeToken, maxPart) {
		return message
	}
	lines := strings.Split(message, "\n")
	isClean := true
	for i, line := range lines {
		if s.areIn(line, secret.mayBeToken, maxPart) {
			lines[i] = reply.NotShown
			isClean = false
		}
	}
	if isClean { // the secret is spread over several lines
		return reply.NotShown
	}
	return strings.Join(lines, "\n")
}

// areIn reports whether a text contains a secret, or half of a secret, in any
// encoding. counts selects the secrets. For a long secret, a part with the
// length most is enough.
func (s *Secrets) areIn(text string, counts func(secret) bool, most int) bool {
	forms := reply.PlainForms(text)
	for _, known := range s.known {
		isIn := func(form string) bool { return known.isIn(form, most) }
		if counts(known) && slices.ContainsFunc(forms, isIn) {
			return true
		}
	}
	return false
}

func (s secret) isAny() bool      { return true }
func (s secret) mayBeToken() bool { return s.isToken }

// isIn reports whether a decoded text has the secret, or half of it.
func (s secret) isIn(text string, most int) bool {
	return hasHalf(text, s.plain, most) ||
		slices.ContainsFunc(s.coded, func(coded string) bool { return hasHalf(text, coded, most) })
}

// hasHalf reports whether a text contains half of a secret. For a long secret,
// a part with the length most is enough.
func hasHalf(text, secret string, most int) bool {
	size := min(max((len(secret)+1)/2, minPart), most)
	if len(secret) <= size {
		return secret != "" && strings.Contains(text, secret)
	}
	// Every part of this size contains at least one of these blocks completely.
	block := size / 2
	for start := 0; start+block <= len(secret); start += block {
		for at := indexFrom(text, secret[start:start+block], 0); at >= 0; {
			if sharedLength(text, secret, at, start) >= size {
				return true
			}
			at = indexFrom(text, secret[start:start+block], at+1)
		}
	}
	return false
}

// indexFrom is strings.Index from an offset on.
func indexFrom(text, part string, from int) int {
	if from > len(text) {
		return -1
	}
	if at := strings.Index(text[from:], part); at >= 0 {
		return from + at
	}
	return -1
}

// sharedLength returns the length of the common part of a and b around an
// offset in each.
func sharedLength(a, b string, inA, inB int) int {
	before := 0
	after := 0
	for before < min(inA, inB) && a[inA-before-1] == b[inB-before-1] {
		before++
	}
	for after < min(len(a)-inA, len(b)-inB) && a[inA+after] == b[inB+after] {
		after++
	}
	return before + after
}

// without removes a secret. For a long secret it also removes the remainder
// where the text was cut off.
func without(text, secret string) string {
	start := secret[:min(len(secret), longSecret)]
	var clean strings.Builder
	for {
		before, _, found := strings.Cut(text, start)
		clean.WriteString(before)
		if !found {
			return clean.String()
		}
		clean.WriteString(reply.Redacted)
		text = text[len(before):]
		n := 0
		for n < min(len(text), len(secret)) && text[n] == secret[n] {
			n++
		}
		text = text[n:]
	}
}

// RedactTokenReply is Redact for a text in the reply to a request for a token.
// A reply in any form may contain the new token, which cannot be removed while
// it is unknown.
func (s *Secrets) RedactTokenReply(text string) string {
	text = s.Redact(text)
	if text != reply.NotShown && mayBeToken(text) {
		return "(not shown, since it may hold a token)"
	}
	return text
}

const (
	// An unbroken run of at least this length may be a token, unless it is a
	// word.
	minRun     = 12
	minEncoded = 8 // with digits
)

var (
	runs = regexp.MustCompile(`[!#-&*-+\--:=?-Z\\^-z|~]+`)
	// words matches plain words, and names in the usual notations.
	words = regexp.MustCompile(
		`^(?:[A-Z]?[a-z]{1,15}|[A-Z]{1,15}|` +
			`[a-z]{1,14}(?:_[a-z]{1,14}){1,4}|[A-Z]{1,14}(?:_[A-Z]{1,14}){1,4}|` +
			`[a-z]{2,14}(?:[A-Z][a-z]{1,14}){1,4})$`,
	)
)

// mayBeToken reports whether a text has a long unbroken run that is not a word.
func mayBeToken(text string) bool {
	for _, run := range runs.FindAllString(text, -1) {
		run = strings.Trim(run, ".:!?")
		coded := strings.ContainsAny(run, "0123456789")
		if len(run) >= minRun && !words.MatchString(run) || coded && len(run) >= minEncoded {
			return true
		}
	}
	return false
}

// withoutQuotes replaces an error that may quote the reply to a request for a
// token. Errors about HTTP syntax contain quotations.
func withoutQuotes(err error) error {
	_, network := errors.AsType[*net.OpError](err)
	_, name := errors.AsType[*net.DNSError](err)
	if network || name || reply.IsUntrusted(err) || !mayBeToken(err.Error()) {
		return err
	}
	return reply.WithText("the reply cannot be read as HTTP; it is not shown, since it may hold a token", err)
}
