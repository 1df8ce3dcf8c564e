package transport

import (
	"errors"
	"net"
	"regexp"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Replies of the token routes are not quoted: in any shape, they may contain
// the live token, which cannot be redacted while it is unknown.

// harmless is redact for a text of such a reply.
func (s *secrets) harmless(text string) string {
	if text = s.redact(text); mayBeToken(text) {
		return "(not shown, since it may hold a token)"
	}
	return text
}

const (
	// minRun is the length from which an unbroken run of characters may be a
	// token, unless it is a word; minCoded is that of runs with digits.
	minRun   = 12
	minCoded = 8
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

// unquoted removes what an error quotes of a reply, as errors about HTTP syntax
// do.
func unquoted(err error) error {
	_, network := errors.AsType[*net.OpError](err)
	_, name := errors.AsType[*net.DNSError](err)
	if network || name || reply.IsUntrusted(err) || !mayBeToken(err.Error()) {
		return err
	}
	return reply.Reworded("the reply cannot be read as HTTP; it is not shown, since it may hold a token", err)
}
