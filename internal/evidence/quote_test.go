package evidence_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

func said(code int, contentType, body string, header ...string) stub.Answer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// hijacked writes what need not be HTTP.
func hijacked(text string) stub.Answer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) {
		connection, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(connection, text)
		_ = connection.Close()
	}
}

func zipped(text string) string {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = io.WriteString(writer, text)
	_ = writer.Close()
	return packed.String()
}

// tokenReplies are answers with a live token in places where it is of no use.
func tokenReplies(live string) map[string]stub.Answer {
	const plain, object = "text/plain", "application/json"
	html := "<html><head><title>" + live + "</title></head><body>Hello " + live + "</body></html>"
	inError := `{"error":"token ` + live + ` is not yours","message":"got ` + live + `"}`
	replies := map[string]stub.Answer{
		"bare text":             said(200, plain, live),
		"text with a label":     said(200, plain, "token: "+live),
		"Bearer":                said(200, plain, "Bearer "+live+"\n"),
		"text in two lines":     said(200, plain, live+"\n"+live),
		"string":                said(200, object, `"`+live+`"`),
		"string in a string":    said(200, object, `"{\"accessToken\":\"`+live+`\"}"`),
		"list":                  said(200, object, `["`+live+`"]`),
		"list of objects":       said(200, object, `[{"accessToken":"`+live+`"}]`),
		"truncated":             said(200, object, `{"accessToken":"`+live),
		"cut off by the server": said(200, object, `{"accessToken":"`+live+`"}`, "Content-Length", "9999"),
		"trailing text":         said(200, object, `{"accessToken":"`+live+`"} `+live),
		"trailing brace":        said(200, object, `{"accessToken":"`+live+`"}}`),
		"two lines of JSON": said(
			200,
			"application/x-ndjson",
			`{"accessToken":"`+live+`"}`+"\n"+`{"accessToken":"`+live+`"}`,
		),
		"form":               said(200, "application/x-www-form-urlencoded", "accessToken="+live+"&expires_in=60"),
		"HTML":               said(200, "text/html", html),
		"XML":                said(200, "application/xml", "<token>"+live+"</token>"),
		"YAML":               said(200, "application/yaml", "accessToken: "+live),
		"JSON with a prefix": said(200, object, `)]}',{"accessToken":"`+live+`"}`),
		"byte order mark":    said(200, object, "\ufeff\ufeff"+`{"accessToken":"`+live+`"}`),
		"gzip, undeclared":   said(200, object, zipped(`{"accessToken":"`+live+`"}`)),
		"gzip, not":          said(200, object, live, "Content-Encoding", "gzip"),
		"success: false":     said(200, object, `{"success":false,"accessToken":"`+live+`"}`),
		"success: false, deep": said(
			200,
			object,
			`{"success":"false","message":"`+live+`","data":{"token":"`+live+`"}}`,
		),
		"another field":     said(200, object, `{"jwt":"`+live+`"}`),
		"a field's name":    said(200, object, `{"`+live+`":true}`),
		"in a field's name": said(200, object, `{"token `+live+`":true}`),
		"deep":              said(200, object, `{"data":{"auth":{"accessToken":"`+live+`"}}}`),
		"two tokens":        said(200, object, `{"a":{"token":"`+live+`"},"b":{"token":"`+live+`"}}`),
		"in a list":         said(200, object, `{"accessToken":["`+live+`"]}`),
		"with a line end":   said(200, object, `{"accessToken":"`+live+`\nX: y"}`),
		"error":             said(200, object, inError),
		"error object":      said(200, object, `{"error":{"message":"`+live+`","code":"`+live+`"}}`),
		"error list":        said(200, object, `{"error":["`+live+`"]}`),
		"message":           said(200, object, `{"message":"`+live+`"}`),
		"detail": said(
			200,
			object,
			`{"detail":[{"loc":["`+live+`"],"msg":"`+live+`"}],"code":"`+live+`"}`,
		),
		"content type":         said(200, "text/plain; token="+live, "x"),
		"content type, bare":   said(200, live, "x"),
		"content type, half":   said(200, "text/"+live, "x"),
		"empty":                said(200, plain, ""),
		"204":                  said(204, plain, "", "X-Token", live),
		"Location, no address": said(302, plain, "", "Location", "http://["+live),
		"no HTTP":              hijacked(live + "\r\n\r\n"),
		"no HTTP status":       hijacked("HTTP/1.1 " + live + "\r\n\r\n"),
		"no HTTP header":       hijacked("HTTP/1.1 200 OK\r\n" + live + "\r\n\r\n"),
		"no length":            hijacked("HTTP/1.1 200 OK\r\nContent-Length: " + live + "\r\n\r\n"),
		"no encoding":          hijacked("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + live + "\r\n\r\n"),
		"no chunk":             hijacked("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + live + "\r\n"),
		"no trailer": hijacked(
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + live + "\r\n\r\n",
		),
		"reason": hijacked("HTTP/1.1 500 " + live + "\r\nContent-Length: 0\r\n\r\n"),
	}
	for _, code := range []int{302, 307, 401, 403, 404, 408, 422, 429, 500, 503} {
		for kind, body := range map[string]string{
			"text": live, "JSON": `{"accessToken":"` + live + `"}`, "error": inError, "HTML": html,
			"code": `{"error":"` + live + `"}`, "truncated": `{"error":"` + live,
		} {
			replies[fmt.Sprintf("%d %s", code, kind)] = said(
				code,
				map[string]string{"text": plain, "HTML": "text/html"}[kind],
				body,
				"Location",
				"https://example.com/?token="+live,
			)
		}
	}
	return replies
}

// A live token that the service hands out where none is expected is neither
// told nor logged, not even in part. A token that is not known yet cannot be
// redacted. Fault F15.
func TestAnswersOfTokenRoutesAreNotQuoted(t *testing.T) {
	t.Parallel()
	kinds := map[string]string{
		"opaque":   "AbCd1234-EfGh5678.IjKl~90+/mnopQRSTuv==",
		"hex":      strings.Repeat("0a1b2c3d4e5f", 4),
		"prefixed": "sk_live_51HqLyjWDarjtT1zdp7dc",
		"colon":    "user:9f8e7d6c5b4a:XyZ",
	}
	kinds["JWT"] = check.JWT(t, map[string]any{"sub": "customer", "exp": 1900000000})
	for k, kind := range slices.Sorted(maps.Keys(kinds)) {
		replies := tokenReplies(kinds[kind])
		for i, name := range slices.Sorted(maps.Keys(replies)) {
			// Each kind and each reply meets both credentials, but not each
			// pair of them.
			credential := []string{"api_key", "token_provider"}[(k+i)%2]
			t.Run(kind+"/"+credential+"/"+name, func(t *testing.T) {
				t.Parallel()
				wantNotQuoted(t, kinds[kind], replies[name], credential == "token_provider")
			})
		}
	}
}

// wantNotQuoted exchanges a credential for a reply that has a live token, and
// is none.
func wantNotQuoted(t *testing.T, live string, reply stub.Answer, isProvided bool) {
	t.Helper()
	s := stub.NewService(t, stub.Always(200, good))
	s.OnExchange(reply)
	var logged logs
	change := []func(*stub.Config){logged.into}
	if isProvided {
		change = append(change, provided(s.Address(t, "/root/token")))
	}
	client := s.Client(t, change...)
	_, err := client.Generations.Get(t.Context(), "g1")
	_, tokenErr := client.AccessToken(t.Context(), 0)
	check.True(t, "requests", err != nil && len(s.Requests()) == 0, err, len(s.Requests()))
	told := fmt.Sprintf("%v %+v %v", err, tokenErr, logged.lines)
	for i := range len(live) - 12 + 1 {
		if strings.Contains(told, live[i:i+12]) {
			t.Fatalf("the token is told: %s", told)
		}
	}
}

func provided(address *url.URL) func(*stub.Config) {
	return func(c *stub.Config) {
		c.APIKey = ""
		c.TokenProvider = &transport.TokenProvider{URL: address}
	}
}

type logs struct {
	mutex sync.Mutex
	lines []string
}

func (l *logs) into(c *stub.Config) {
	c.Log = func(_ context.Context, message string, fields map[string]any) {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.lines = append(l.lines, fmt.Sprint(message, fields))
	}
}

// What helps and cannot be a token is told.
// Fault F15.
func TestTokenRoutesAreDescribed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer stub.Answer
		says   []string
	}{
		"401": {
			said(401, "application/json; charset=utf-8", `{"error":"The user is not signed in."}`),
			[]string{"The user is not signed in (401 Unauthorized, POST "},
		},
		"code": {
			said(
				403,
				"application/json",
				`{"error":"invalid_credentials","message":"Ask the operator: operator@example.com"}`,
			),
			[]string{"invalid_credentials", "(not shown, since it may hold a token)"},
		},
		"object": {
			said(500, "application/problem+json", `{"error":{"code":"E12","message":"overloaded"}}`),
			[]string{"overloaded (500 Internal Server Error, E12, POST "},
		},
		"HTML": {
			said(200, "text/html", "<title>Sign in</title>"),
			[]string{"the reply is not JSON (200 OK, ", ", text/html, 22 bytes)"},
		},
		"no type": {said(200, "", "{}"), []string{"the reply has no accessToken (200 OK, ", ", no known type, 2 " +
			"bytes)"}},
		"keys": {
			said(200, "application/json", `{"refresh_token":"x","expiresIn":1,"access_token":"y"}`),
			[]string{", application/json, 54 bytes, its keys are: access_token, expiresIn, refresh_token)"},
		},
		"withheld": {said(401, "application/json", `{"error":"bad 0123456789abcdef"}`), []string{"(not shown, since " +
			"it may hold a token) (401 Unauthorized, "}},
		"redirect": {
			said(302, "", "", "Location", "/elsewhere"),
			[]string{"302 Found", "the redirect to http://127.0.0.1:", "/elsewhere was not followed"},
		},
		"success": {
			said(200, "application/json", `{"success":false,"message":"no seats left"}`),
			[]string{"no seats left", "there is no token"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stub.NewService(t, stub.Always(200, good))
			s.OnExchange(test.answer)
			_, err := s.Client(t, provided(s.Address(t, "/root/token"))).Generations.Get(t.Context(), "g1")
			for _, text := range test.says {
				check.True(t, "the error says", err != nil && strings.Contains(err.Error(), text), err, text)
			}
		})
	}
}
