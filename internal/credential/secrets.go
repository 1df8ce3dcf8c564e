package credential

import (
	"errors"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

const (
	minSecret  = 6  // redacting shorter ones would mutilate every message
	longSecret = 64 // how much of a secret is enough to recognise it
)

// Secrets are removed from every external text: services and gateways repeat headers in their error
// pages. They are safe for concurrent use.
type Secrets struct {
	mutex sync.Mutex
	texts []string
}

// Add adds texts. They stay: a request may be answered after its token was renewed.
func (s *Secrets) Add(texts ...string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, text := range texts {
		if len(text) >= minSecret && !slices.Contains(s.texts, text) {
			s.texts = append(s.texts, text)
		}
	}
	// Longest first, since one secret may be part of another.
	slices.SortFunc(s.texts, func(a, b string) int { return len(b) - len(a) })
}

// Redact removes the secrets from a text.
func (s *Secrets) Redact(text string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, secret := range s.texts {
		text = without(text, secret)
	}
	return text
}

// without removes the secret, and of a long one also what is left where the text was cut off.
func without(text, secret string) string {
	start := secret[:min(len(secret), longSecret)]
	var clean strings.Builder
	for {
		before, _, found := strings.Cut(text, start)
		clean.WriteString(before)
		if !found {
			return clean.String()
		}
		clean.WriteString("[redacted]")
		text = text[len(before):]
		n := 0
		for n < min(len(text), len(secret)) && text[n] == secret[n] {
			n++
		}
		text = text[n:]
	}
}

// Harmless is Redact for a text of the reply to a request for a token. In any shape, it may contain
// the live token, which cannot be redacted while it is unknown.
func (s *Secrets) Harmless(text string) string {
	if text = s.Redact(text); mayBeToken(text) {
		return "(not shown, since it may hold a token)"
	}
	return text
}

const (
	// From these lengths an unbroken run of characters may be a token, unless it is a word.
	minRun   = 12
	minCoded = 8 // with digits
)

var (
	runs = regexp.MustCompile(`[!#-&*-+\--:=?-Z\\^-z|~]+`)
	// words matches plain words, and names in the usual notations.
	words = regexp.MustCompile(`^(?:[A-Z]?[a-z]{1,15}|[A-Z]{1,15}|[a-z]{1,14}(?:_[a-z]{1,14}){1,4}|[A-Z]{1,14}(?:_[A-Z]{1,14}){1,4}|[a-z]{2,14}(?:[A-Z][a-z]{1,14}){1,4})$`)
)

// mayBeToken reports whether a text has an unbroken run that is not a word.
func mayBeToken(text string) bool {
	for _, run := range runs.FindAllString(text, -1) {
		run = strings.Trim(run, ".:!?")
		coded := strings.ContainsAny(run, "0123456789")
		if len(run) >= minRun && !words.MatchString(run) || coded && len(run) >= minCoded {
			return true
		}
	}
	return false
}

// Unquoted removes what an error quotes of such a reply, as errors about HTTP syntax do.
func Unquoted(err error) error {
	_, network := errors.AsType[*net.OpError](err)
	_, name := errors.AsType[*net.DNSError](err)
	if network || name || reply.IsUntrusted(err) || !mayBeToken(err.Error()) {
		return err
	}
	return reply.Reworded("the reply cannot be read as HTTP; it is not shown, since it may hold a token", err)
}
