package reply

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
)

// InWords says in plain words why a connection failed. The error stays the
// cause: what it proves depends on its type.
func InWords(err error) error {
	var dns *net.DNSError
	var network net.Error
	var text string
	switch {
	case errors.As(err, &dns):
		text = fmt.Sprintf("the host %q cannot be found", dns.Name)
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, errWSARefused):
		text = "the connection was refused" + peer(err)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		text = "the connection was reset" + peer(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		text = "the connection was closed before the whole answer had come"
	case errors.As(err, &network) && network.Timeout():
		text = "there was no answer in time"
	case IsUntrusted(err):
		text = "the certificate could not be verified: " + strings.TrimPrefix(err.Error(), "tls: failed to verify certificate: ")
	case strings.Contains(err.Error(), "gave HTTP response to HTTPS client"):
		text = "the server answers in http, and the address is https"
	default:
		return err
	}
	return Reworded(text, err)
}

// errWSARefused is Windows' ECONNREFUSED.
const errWSARefused = syscall.Errno(10061)

// IsNobodyThere reports a refused connection or an unknown host.
func IsNobodyThere(err error) bool {
	lookup, unknown := errors.AsType[*net.DNSError](err)
	return unknown && lookup.IsNotFound || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, errWSARefused)
}

// peer is the other end of a connection, if the error tells.
func peer(err error) string {
	if failed, is := errors.AsType[*net.OpError](err); is && failed.Addr != nil {
		return " by " + failed.Addr.String()
	}
	return ""
}

// Reworded returns an error that shows its cause in other words: without the secrets
// that it may repeat, or in plain ones.
func Reworded(text string, cause error) error { return &rewordedError{text, cause} }

type rewordedError struct {
	text  string
	cause error
}

func (e *rewordedError) Error() string { return e.text }
func (e *rewordedError) Unwrap() error { return e.cause }
