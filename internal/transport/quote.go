package transport

import (
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Replies of the token routes are not quoted: in any shape, they may contain
// the live token, which cannot be redacted while it is unknown.

var (
	errNotToken   = errors.New("the reply is neither a JSON object nor a JWT")
	errNoToken    = errors.New("the reply has no accessToken")
	errNoSuccess  = errors.New("the reply says that there is no token")
	errUnquotable = errors.New("the reply cannot be read as HTTP; it is not shown, since it may hold a token")
)

// receiveToken judges a reply of a token route. The returned reply has only the
// token.
func (s *sender) receiveToken(response *http.Response, content []byte, limit int64, err error, now *attempt) {
	failure := s.answer(response)
	failure.Message = s.quote(response, content, limit)
	now.err, now.outcome = failure, refused
	switch {
	case isRedirect(response.StatusCode):
		failure.Err = errNotFollowed
	case !isSuccess(response.StatusCode):
		now.outcome = outcomeOf(response.StatusCode)
	case int64(len(content)) > limit:
		failure.Err = errTooLarge
	case err != nil:
		now.outcome, failure.Err = cutOff, unquoted(err)
	default:
		text, err := readToken(content)
		if failure.Err = err; err == nil {
			now.outcome, now.err, now.reply = succeeded, nil, Object{"accessToken": text}
		}
	}
}

// quote returns what may be shown of a reply: its message, type and size, and
// the names of its fields.
func (s *sender) quote(response *http.Response, content []byte, limit int64) string {
	size := fmt.Sprintf("%d bytes", len(content))
	if int64(len(content)) > limit {
		size = fmt.Sprintf("more than %d bytes", limit)
	}
	shape := mediaType(response.Header.Get("Content-Type")) + ", " + size
	reply, _ := DecodeObject(content)
	if len(reply) == 0 {
		return shape
	}
	redact := s.client.secrets.redact
	said := []string{}
	for _, name := range []string{"error", "message"} {
		text := reply.Text(name)
		if text == nil {
			text = reply.Object(name).Text("message", "code")
		}
		if text != nil && *text != "" {
			said = append(said, harmless(redact(*text), "(its "+name+" is not shown, since it may hold a token)", maxExcerpt))
		}
	}
	names := []string{}
	for name := range reply {
		names = append(names, harmless(redact(name), "(one that may hold a token)", maxCode))
	}
	slices.Sort(names)
	said = append(said, shape+", its keys are: "+Sanitize(strings.Join(slices.Compact(names), ", "), maxExcerpt))
	return strings.Join(said, "; ")
}

func harmless(text, otherwise string, limit int) string {
	if mayBeToken(text) {
		return otherwise
	}
	return Sanitize(text, limit)
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
	types = regexp.MustCompile(`^(?:application|text|image|multipart)/[a-z]{1,12}(?:[.+-][a-z]{1,12}){0,3}$`)
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

func mediaType(header string) string {
	kind, _, err := mime.ParseMediaType(header)
	switch {
	case header == "":
		return "no content type"
	case err != nil || !types.MatchString(kind):
		return "an unusual content type"
	default:
		return kind
	}
}

// unquoted removes what an error quotes of a reply, as errors about HTTP syntax
// do.
func unquoted(err error) error {
	_, network := errors.AsType[*net.OpError](err)
	_, name := errors.AsType[*net.DNSError](err)
	if network || name || IsUntrusted(err) || !mayBeToken(err.Error()) {
		return err
	}
	return &rewordedError{text: errUnquotable.Error(), cause: err}
}

// readToken returns the token of a reply: an object that contains it, or the
// bare JWT, possibly quoted.
func readToken(content []byte) (string, error) {
	reply, err := DecodeObject(content)
	if err != nil {
		bare := strings.Trim(strings.TrimPrefix(string(content), "\ufeff"), " \t\r\n\"")
		if !isJWT(bare) {
			return "", errNotToken
		}
		return bare, nil
	}
	if success := reply.Flag("success"); success != nil && !*success {
		return "", errNoSuccess
	}
	return tokenOf(reply)
}

// isJWT reports whether a text has the form of a JWT, with any algorithm.
func isJWT(text string) bool {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return false
	}
	for _, part := range parts {
		if _, err := base64.RawURLEncoding.DecodeString(part); part == "" || err != nil {
			return false
		}
	}
	header, _ := base64.RawURLEncoding.DecodeString(parts[0])
	_, err := DecodeObject(header)
	return err == nil
}
