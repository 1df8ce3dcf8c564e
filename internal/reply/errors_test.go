package reply_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// readError reads an error body, which may name a group_id or a thing_id.
func readError(contentType string, body []byte) *reply.Error {
	failure := &reply.Error{}
	failure.Read(func(text string) string { return text }, contentType, body, []string{"group_id", "thing_id"})
	failure.Said.Form = ""
	return failure
}

// Fault F2.
func TestErrorBodiesOfAllShapes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		contentType, body string
		want              reply.Error
	}{
		"the interface's": {
			"",
			`{"error":"insufficient_credits","message":"Buy more","character_id":"ch1","group_id":"grp1"}`,
			reply.Error{
				Said: reply.Answer{
					Code:    "insufficient_credits",
					Message: "Buy more",
					Named:   map[string]string{"group_id": "grp1"},
				},
			},
		},
		"nested": {
			"",
			`{"error":{"code":42,"message":"Buy more"}}`,
			reply.Error{Said: reply.Answer{Code: "42", Message: "Buy more"}},
		},
		"a sentence as error": {
			"",
			`{"error":"Something went wrong"}`,
			reply.Error{Said: reply.Answer{Message: "Something went wrong"}},
		},
		"a gateway's": {
			"",
			`{"message":"no Route matched"}`,
			reply.Error{Said: reply.Answer{Message: "no Route matched"}},
		},
		"a code beside": {
			"",
			`{"code":"E1","message":"x"}`,
			reply.Error{Said: reply.Answer{Code: "E1", Message: "x"}},
		},
		"detail": {
			"",
			`{"detail":"Face not sharp"}`,
			reply.Error{Said: reply.Answer{Message: "Face not sharp"}},
		},
		"detail object": {
			"",
			`{"detail":{"msg":"Face not sharp"}}`,
			reply.Error{Said: reply.Answer{Message: "Face not sharp"}},
		},
		"detail list": {
			"",
			`{"detail":[{"loc":["body","prompts",0,"prompt"],"msg":"field required"},` +
				`{"loc":["body","name"],"msg":"too long"}]}`,
			reply.Error{
				Said: reply.Answer{
					Fields: []reply.FieldError{
						{Path: []string{"body", "prompts", "0", "prompt"}, Message: "field required"},
						{Path: []string{"body", "name"}, Message: "too long"},
					},
				},
			},
		},
		"detail list of texts": {"", `{"detail":["a","b"]}`, reply.Error{Said: reply.Answer{Message: "a; b"}}},
		"errors": {
			"",
			`{"errors":[{"message":"a"},"b"]}`,
			reply.Error{Said: reply.Answer{Message: "a; b"}},
		},
		"unknown fields": {"", `{"b":2,"a":"x"}`, reply.Error{Said: reply.Answer{Message: `{"a":"x","b":2}`}}},
		"a JSON text":    {"", `"no"`, reply.Error{Said: reply.Answer{Message: "no"}}},
		"BOM":            {"", "\ufeff" + `{"message":"x"}`, reply.Error{Said: reply.Answer{Message: "x"}}},
		"plain": {
			"text/plain",
			"upstream\n\tconnect  error\x00\x1b[31m",
			reply.Error{Said: reply.Answer{Message: "upstream connect error<U+0000><U+001B>[31m"}},
		},
		"HTML": {
			"text/html",
			"<!doctype html><html><head><title>502 Bad &amp; " +
				"Gateway</title><style>p{}</style></head><body><h1>Oops</h1><script>x()</script></body>",
			reply.Error{Said: reply.Answer{Message: "502 Bad & Gateway Oops"}},
		},
		"HTML unannounced": {"", " <html><body>Oops</body>", reply.Error{Said: reply.Answer{Message: "Oops"}}},
		"cut off": {
			"application/json",
			`{"message":"half`,
			reply.Error{Said: reply.Answer{Message: `{"message":"half`}},
		},
		"empty": {"", "", reply.Error{}},
		"null":  {"", "null", reply.Error{}},
		"nulls": {"", `{"error":null,"message":null}`, reply.Error{}},
	} {
		check.Equal(t, name, readError(test.contentType, []byte(test.body)), &test.want)
	}
}

func TestErrorTextsAreTamed(t *testing.T) {
	t.Parallel()
	failure := readError(
		"",
		[]byte(
			`{"error":"c\u001b[2J\u202e","message":"`+strings.Repeat(
				`long \u0007text\r\n`,
				10000,
			)+`","group_id":"g\nx"}`,
		),
	)
	failure.Sent.Operation = "GET /x"
	failure.Said.Status = 500
	text := failure.Error()
	check.True(
		t,
		"the text",
		len(text) <= 2000 && !strings.ContainsFunc(text, unicode.IsControl) && !strings.Contains(text, "\u202e") &&
			strings.Contains(text, `, group_id "g x")`),
		len(text),
		text,
	)
	full := &reply.Error{
		Sent: reply.Request{Operation: "POST /generation/batch"},
		Said: reply.Answer{Status: 422, Code: "invalid", Message: "bad", Fields: []reply.FieldError{
			{Path: []string{"body", "name"}, Message: "too long"},
		}, Named: map[string]string{"thing_id": "t1", "other_id": "o1"}},
		Proves: reply.Proof{Effect: reply.EffectUnknown},
		Err:    errors.New("cut off"),
	}
	want := `bad; rejected: body.name: too long; cut off (422 Unprocessable Entity, invalid, POST ` +
		`/generation/batch, other_id "o1", thing_id "t1"); it is not known whether the service has processed the ` +
		`request`
	check.Equal(t, "the error", full.Error(), want)
	for range 12 {
		full.Said.IDs = append(full.Said.IDs, "g1")
	}
	got := full.Error()
	check.True(
		t,
		"ten ids",
		strings.Contains(got, `, it names "g1", "g1"`) && strings.Contains(got, `"g1", and 2 more)`) &&
			strings.Count(got, "g1") == 10,
		got,
	)
}

func TestAnErrorNamesTenFields(t *testing.T) {
	t.Parallel()
	failure := &reply.Error{Sent: reply.Request{Operation: "POST /x"}, Said: reply.Answer{Status: 422}}
	for i := range 25 {
		failure.Said.Fields = append(
			failure.Said.Fields,
			reply.FieldError{Path: []string{"prompts", fmt.Sprint(i)}, Message: "too long"},
		)
	}
	text := failure.Error()
	check.True(
		t,
		"ten fields",
		strings.Contains(text, "prompts.9: too long; and 15 more") && !strings.Contains(text, "prompts.10"),
		text,
	)
}

func FuzzErrorBody(f *testing.F) {
	for _, seed := range []string{
		`{"error":{"code":1}}`, `{"detail":[{"loc":["a"],"msg":"b"}]}`, "<html><title>x</title>", "plain\x00",
		`{"error":[[]]}`,
	} {
		f.Add("text/html", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		failure := readError(contentType, body)
		failure.Sent.Operation = "GET /x"
		failure.Said.Status = 500
		text := failure.Error()
		check.True(t, "printable", utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl), body, text)
	})
}

// Errors speak no Go.
func TestConnectionErrorsInWords(t *testing.T) {
	t.Parallel()
	address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8780}
	for want, err := range map[string]error{
		"the connection was refused by 127.0.0.1:8780": &net.OpError{
			Op:   "dial",
			Net:  "tcp",
			Addr: address,
			Err:  syscall.ECONNREFUSED,
		},
		"the connection was reset":                                   fmt.Errorf("write: %w", syscall.ECONNRESET),
		"the connection was closed before the whole answer had come": io.ErrUnexpectedEOF,
		`the host "api.example.com" cannot be found`: &net.OpError{
			Op:  "dial",
			Err: &net.DNSError{Err: "no such host", Name: "api.example.com"},
		},
		"there was no answer in time": &net.OpError{
			Op:   "dial",
			Net:  "tcp",
			Addr: address,
			Err:  syscall.ETIMEDOUT,
		},
		"something else": errors.New("something else"),
	} {
		got := reply.InWords(err)
		check.True(t, "the words", got.Error() == want && errors.Is(got, err), err, got, want)
	}
}
