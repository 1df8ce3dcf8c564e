package inference_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// gateway lets the streams of a service pass a gateway that changes them.
func (b scenario) gateway(change func(stream string) []string) {
	b.T.Helper()
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply := httptest.NewRecorder()
		b.ServeHTTP(reply, r)
		parts := []string{reply.Body.String()}
		if reply.Header().Get("Content-Type") == "text/event-stream" {
			parts = change(parts[0])
			reply.Header().Del("Content-Length")
		}
		maps.Copy(w.Header(), reply.Header())
		w.WriteHeader(reply.Code)
		for _, part := range parts {
			if part == brokenConnection {
				panic(http.ErrAbortHandler)
			}
			_, _ = w.Write([]byte(part))
			_ = http.NewResponseController(w).Flush()
		}
	}))
	b.T.Cleanup(gateway.Close)
	b.Workspace.Provider(core.Object{"base_url": gateway.URL + "/v2", "auth_url": b.Host, "api_key": acctest.APIKey})
}

const brokenConnection = "\x00"

func whole(stream string) []string { return []string{stream} }

// A streamed reply yields what the same reply yields in one piece, however it
// is cut.
func TestStreamedChatIsTheSame(t *testing.T) {
	t.Parallel()
	gateways := map[string]func(string) []string{
		"as it is":     whole,
		"single bytes": func(stream string) []string { return strings.Split(stream, "") },
		"CRLF":         func(stream string) []string { return strings.Split(strings.ReplaceAll(stream, "\n", "\r\n"), "") },
		"keep-alive": func(stream string) []string {
			return whole(": keep-alive\n\n" + strings.ReplaceAll(stream, "\n\n", "\n\n: keep-alive\n\n"))
		},
		"broken after the end": func(stream string) []string {
			return []string{strings.TrimSuffix(stream, "data: [DONE]\n\n"), brokenConnection}
		},
		"without [DONE]": func(stream string) []string { return whole(strings.ReplaceAll(stream, "data: [DONE]\n\n", "")) },
	}
	tool := core.Object{"name": "weather", "parameters": weather}
	configs := map[string]core.Object{
		"a word":    {"messages": said("hello")},
		"reasoning": {"messages": said("one", "grüße 🙂\n\"two\""), "reasoning": true, "n": 3, "model": "m"},
		"cut off":   {"messages": said("hello"), "max_tokens": 2},
		"nothing":   {"messages": said("hello"), "stop": []any{"You"}},
		"tools":     {"messages": said("the weather, please"), "tools": []any{tool, core.Object{"name": "other"}}, "n": 2},
	}
	for cut, change := range gateways {
		t.Run(cut, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			b.gateway(change)
			for name, config := range configs {
				b.Resource(chat, config)
				b.Apply().Must()
				want := b.State(chat)
				b.Resource(chat, with(config, core.Object{"stream": true}))
				b.Apply().Must()
				got := b.State(chat)
				for _, of := range []core.Object{want, got} {
					check.True(t, name+": there is an id", of["id"] != "")
					delete(of, "id") // a new one for each reply
					delete(of, "stream")
				}
				check.Equal(t, name+": streamed", got, want)
				b.Plan().Must().WantEmpty()
			}
			b.wantAsked(2 * len(configs))
		})
	}
}

// A service may ignore stream.
func TestStreamedChatAnsweredInOnePiece(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Fault(mockserver.Fault{Route: mockserver.RouteChat, Body: `{"id":"chat-1","choices":[{"index":0,"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}]}`})
	b.Resource(chat, with(least(chat), core.Object{"stream": true}))
	b.Apply().Must()
	check.True(t, "the state", b.Value(chat, "content") == "Hi." && b.Value(chat, "id") == "chat-1", b.State(chat))
}

// A stream that breaks off is an error, and nothing of it is stored.
func TestBrokenStreamIsAnError(t *testing.T) {
	t.Parallel()
	half := func(stream string) string { return stream[:len(stream)/2] }
	for name, change := range map[string]func(string) []string{
		"connection, at once":    func(string) []string { return []string{brokenConnection} },
		"connection, in between": func(stream string) []string { return []string{half(stream), brokenConnection} },
		"end in an event":        func(stream string) []string { return whole(half(stream)) },
		"end between events":     func(stream string) []string { return whole(half(stream)[:strings.LastIndex(half(stream), "data:")]) },
		"end after a first choice": func(stream string) []string {
			first, _, _ := strings.Cut(stream, `"index":1`)
			return whole(first[:strings.LastIndex(first, "data:")])
		},
		"nothing": func(string) []string { return nil },
		"error": func(stream string) []string {
			return whole(half(stream)[:strings.LastIndex(half(stream), "data:")] + "event: error\ndata: {\"error\":{\"message\":\"broke off: overloaded\"}}\n\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			b.gateway(change)
			b.Resource(chat, with(least(chat), core.Object{"stream": true, "n": 2}))
			result := b.Apply()
			errors := result.Diagnostics.Errors()
			if len(errors) != 1 || errors[0].Summary != "Unable to Create Chat Completion" || !strings.Contains(errors[0].Detail, "Nothing was stored") {
				t.Fatalf("the apply says:\n%s", result.Diagnostics)
			}
			if !strings.Contains(errors[0].Detail, "broke off") && !strings.Contains(name, "connection") {
				t.Errorf("it does not say that the stream broke off:\n%s", errors)
			}
			check.True(t, "nothing is stored", len(b.Addresses()) == 0, b.State(chat))
			b.wantAsked(1)
			b.gateway(whole)
			b.Apply().Must()
			b.wantAsked(2)
		})
	}
}

// Ctrl-C ends a stream that stalls, but not one that is answered at once.
func TestStalledStreamCanBeInterrupted(t *testing.T) {
	t.Parallel()
	for takes, stored := range map[time.Duration]int{2 * time.Second: 1, time.Minute: 0} {
		synctest.Test(t, func(t *testing.T) {
			b := scenario{acctest.NewInBubble(t).Scenario(t)}
			ctx, interrupt := context.WithCancel(t.Context())
			hold := make(chan struct{})
			b.Fault(mockserver.Fault{Route: mockserver.RouteChat, HoldAfterWork: true, Hold: hold, Reached: func() {
				interrupt()
				time.AfterFunc(takes, func() { close(hold) })
			}})
			b.Resource(chat, with(least(chat), core.Object{"stream": true}))
			begun := time.Now()
			result := b.ApplyContext(ctx)
			if took := time.Since(begun); took > 3*time.Second {
				t.Errorf("it returned after %s", took)
			}
			errors := result.Diagnostics.Errors().Find("Unable to Create Chat Completion")
			if len(b.Addresses()) != stored || len(errors) != 1-stored || stored == 0 && !strings.Contains(errors[0].Detail, "interrupted") {
				t.Errorf("%v is stored, and the apply says:\n%s", b.Addresses(), result.Diagnostics)
			}
			b.wantAsked(1)
		})
	}
}
