package reply

import (
	"crypto/tls"
	"errors"
	"net/http"
)

// IsNotFound reports whether the reply was a 404 or 410, or showed the object
// as deleted. It only helps to blame an attribute; Judge decides whether
// something is gone.
func IsNotFound(err error) bool {
	failure := ErrorOf(err)
	return failure != nil && failure.NotFound != NotFoundUnsaid
}

// IsMissing reports whether the service may lack the endpoint, and so has done
// nothing.
func IsMissing(err error) bool {
	failure := ErrorOf(err)
	return failure != nil && failure.Missing
}

// IsUnauthorized reports whether the service, or what issues its tokens,
// rejected the credential.
func IsUnauthorized(err error) bool { return Status(err) == http.StatusUnauthorized }

// IsTokenNotFound reports whether there is no such address as that of the token.
func IsTokenNotFound(err error) bool {
	return Status(err) == http.StatusNotFound && root(err).Credential != ""
}

// IsUnreachable reports whether the host gave no answer, or that of a gateway
// for it. Of a POST that may have been processed, nobody knows.
func IsUnreachable(err error) bool {
	failure := root(err)
	return failure != nil && failure.Unanswered && !IsEffectUnknown(err) && (failure.Status == 0 || failure.Status > http.StatusNotImplemented)
}

// IsEffectUnknown reports whether a POST may have been processed.
func IsEffectUnknown(err error) bool {
	failure := ErrorOf(err)
	return failure != nil && failure.Effect == EffectUnknown
}

// IsRefused reports whether the service itself refused a POST, which is all
// that anybody knows about it. What was not sent was not refused.
func IsRefused(err error) bool {
	failure := ErrorOf(err)
	return failure != nil && failure.Effect == EffectRefused && (failure.Sent || failure.Status != 0)
}

// Status is that of the last reply, which may be to the request for a token; 0 means
// there was none.
func Status(err error) int {
	if failure := root(err); failure != nil {
		return failure.Status
	}
	return 0
}

// ErrorOf returns the outermost *Error, nil if there is none.
func ErrorOf(err error) *Error {
	failure, _ := errors.AsType[*Error](err)
	return failure
}

// root returns the innermost *Error, nil if there is none: why there is no token,
// if that is the reason.
func root(err error) (innermost *Error) {
	for failure := ErrorOf(err); failure != nil; failure = ErrorOf(failure.Err) {
		innermost = failure
	}
	return innermost
}

// IsUntrusted reports whether the peer's certificate could not be verified, so
// that nothing was sent.
func IsUntrusted(err error) bool {
	_, is := errors.AsType[*tls.CertificateVerificationError](err)
	return is
}
