package reply_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Errors speak no Go.
func TestConnectionErrorsInWords(t *testing.T) {
	t.Parallel()
	address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8780}
	for want, err := range map[string]error{
		"the connection was refused by 127.0.0.1:8780":               &net.OpError{Op: "dial", Net: "tcp", Addr: address, Err: syscall.ECONNREFUSED},
		"the connection was reset":                                   fmt.Errorf("write: %w", syscall.ECONNRESET),
		"the connection was closed before the whole answer had come": io.ErrUnexpectedEOF,
		`the host "api.example.com" cannot be found`:                 &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "api.example.com"}},
		"there was no answer in time":                                &net.OpError{Op: "dial", Net: "tcp", Addr: address, Err: syscall.ETIMEDOUT},
		"something else":                                             errors.New("something else"),
	} {
		if got := reply.InWords(err); got.Error() != want || !errors.Is(got, err) {
			t.Errorf("%v: got %q, want %q", err, got, want)
		}
	}
}
