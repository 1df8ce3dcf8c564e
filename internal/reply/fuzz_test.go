package reply_test

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"v":12.0}`, `{"v":"12"}`, `{"v":1e400}`, `{"v":[{"url":"u"},null]}`, "\ufeff{}", `{"v":{"message":{}}}`, `{"v":"{\"a\":1}"}`, `{"v":-9223372036854775808.9}`, `[]`, ``, `{"v":"\ud800"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		decoded, err := reply.Decode(body)
		if err != nil {
			return
		}
		check.True(t, "finite", decoded.Number == nil || (!math.IsNaN(*decoded.Number) && !math.IsInf(*decoded.Number, 0)), body)
		if decoded.JSON != nil {
			again, err := reply.Decode([]byte(`{"v":` + *decoded.JSON + `}`))
			check.True(t, "what is normalised is stable", err == nil && again.JSON != nil && *again.JSON == *decoded.JSON, body, *decoded.JSON, err)
		}
	})
}

func FuzzErrorBody(f *testing.F) {
	for _, seed := range []string{`{"error":{"code":1}}`, `{"detail":[{"loc":["a"],"msg":"b"}]}`, "<html><title>x</title>", "plain\x00", `{"error":[[]]}`} {
		f.Add("text/html", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		failure := readError(contentType, body)
		failure.Operation, failure.Status = "GET /x", 500
		text := failure.Error()
		check.True(t, "printable", utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl), body, text)
	})
}
