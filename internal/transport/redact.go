package transport

import (
	"slices"
	"strings"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

const (
	// minSecret is the minimum length of a secret: redacting shorter ones
	// would mutilate every message.
	minSecret = 6
	// longSecret is how much of a secret is enough to recognise it.
	longSecret = 64
)

// secrets are removed from every external text: services and gateways repeat
// headers in their error pages.
type secrets struct {
	mutex sync.Mutex
	texts []string
}

// add adds texts, and the tokens of the run with them: a request may be answered
// after its token was renewed.
func (s *secrets) add(texts ...string) {
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

func (s *secrets) redact(text string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, secret := range s.texts {
		text = without(text, secret)
	}
	return text
}

// without removes the secret and, if it is a long one, also what is left of it
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
		clean.WriteString("[redacted]")
		text = text[len(before):]
		text = text[commonPrefix(text, secret):]
	}
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func redacted(redact func(string) string, err error) error {
	if text := redact(err.Error()); text != err.Error() {
		return reply.Reworded(text, err)
	}
	return err
}
