package bucket

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"gocloud.dev/gcerrors"
	"google.golang.org/api/googleapi"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// maxReason is the size of the longest reason that a message shows.
const maxReason = 300

// failed is an error in one line. The clients' errors have several lines, with
// addresses that may be signed, and numbers of requests. errors.Is and
// errors.As still find the client's error.
type failed struct {
	doing string
	err   error
}

func failure(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case isDenied(err):
		return fmt.Errorf("%w: %w", purchases.ErrDenied, &failed{doing, err})
	default:
		return &failed{doing, err}
	}
}

// isDenied reports whether the caller lacks the right. gocloud's code for
// Google's 403 is NotFound.
func isDenied(err error) bool {
	said, isGoogles := errors.AsType[*googleapi.Error](err)
	if isGoogles {
		return said.Code == http.StatusForbidden || said.Code == http.StatusUnauthorized
	}
	return gcerrors.Code(err) == gcerrors.PermissionDenied
}

func (f *failed) Error() string { return f.doing + ": " + reply.Shown(reason(f.err), maxReason) }

func (f *failed) Unwrap() error { return f.err }

// apiError is the part of an Amazon client's error that this package needs. The
// package links no client.
type apiError interface {
	error
	ErrorCode() string
	ErrorMessage() string
}

func reason(err error) string {
	if said, is := errors.AsType[apiError](err); is {
		return fmt.Sprintf("%s: %s", said.ErrorCode(), said.ErrorMessage())
	}
	text := err.Error()
	for _, cut := range cuts {
		text = cut.pattern.ReplaceAllString(text, cut.by)
	}
	return strings.TrimSpace(text)
}

// cuts remove the parts that nobody reads from the errors of gocloud and the
// clients. They only shorten a text: no decision depends on it.
var cuts = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(`blob( \(key "[^"]*"\))? \(code=\w+\): `), ""},
	{regexp.MustCompile(`(https?://[^/?#\s"]+)[^\s"]*`), "$1"},
	// Without credentials, Google's driver continues with an empty key.
	{regexp.MustCompile(`private key should be a PEM.*`), "there are no usable Application Default Credentials"},
	// Amazon's errors
	{regexp.MustCompile(`operation error S3: \w+, |https response error StatusCode: 0, `), ""},
	{regexp.MustCompile(`\b(RequestID|HostID): [^,\s]*, ?`), ""},
	// Azure's errors, which repeat the request and the body of the reply
	{regexp.MustCompile(`(?m)^[A-Z]+ https?://\S+\n-+\nRESPONSE \d+: `), ""},
	{regexp.MustCompile(`\nERROR CODE: `), ", "},
	{regexp.MustCompile(`-{10,}|<Code>[^<]*</Code>|<[^<>]*>|\b(RequestId|Time):\S+`), " "},
}
