package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// streamedChat asks for a streamed reply of n choices, and is answered body.
func streamedChat(t testing.TB, n int64, body io.Reader) (*api.Completion, error) {
	t.Helper()
	client, err := api.New(api.Config{Config: transport.Config{
		BaseURL: &url.URL{Scheme: "https", Host: "api.example.com", Path: "/v2"}, AccessToken: "token-0123456789", Clock: newClock(),
		Transport: roundTrip(func(request *http.Request) (*http.Response, error) {
			check.Equal(t, "Accept", request.Header.Get("Accept"), "text/event-stream, application/json")
			_ = request.Body.Close()
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(body), Request: request}, nil
		}),
	}})
	check.Must(t, err)
	return client.Chat(t.Context(), api.ChatRequest{Messages: []api.ChatMessage{{Role: "user", Content: "hi"}}, Stream: new(true), N: &n})
}

// event is one event whose chunk has one choice.
func event(choice string) string {
	return `data: {"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[` + choice + "]}\n\n"
}

const (
	done   = "data: [DONE]\n\n"
	finish = `{"index":0,"delta":{},"finish_reason":"stop"}`
)

var hello = event(`{"index":0,"delta":{"role":"assistant","content":""}}`) + event(`{"index":0,"delta":{"content":"Hel"}}`) +
	event(`{"index":0,"delta":{"content":"lo"},"finish_reason":null}`) + event(finish)

func TestStreamForms(t *testing.T) {
	t.Parallel()
	want := &api.Completion{
		ID: new("c1"), Object: new("chat.completion"), Created: new(int64(7)), Model: new("m"),
		Choices: []api.Choice{{Role: new("assistant"), Content: new("Hello"), FinishReason: new("stop")}},
	}
	whole := `{"id":"c1","object":"chat.completion","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}`
	for name, stream := range map[string]string{
		"usual":                     hello + done,
		"no [DONE]":                 hello,
		"no blank line at the end":  strings.TrimRight(hello+done, "\n"),
		"no blank lines":            strings.ReplaceAll(hello+done, "\n\n", "\n"),
		"no blank after data:":      strings.ReplaceAll(hello+done, "data: ", "data:"),
		"CRLF":                      strings.ReplaceAll(hello+done, "\n", "\r\n"),
		"comments":                  ": hi\n\n" + strings.ReplaceAll(hello, "\n\n", "\n\n: keep-alive\n\n") + ":\n" + done,
		"other fields":              "retry: 10\n\n" + strings.ReplaceAll(hello, "data: ", "event: chunk\nid: 4\ndata: ") + done,
		"empty data":                "data:\n\ndata: \n\n" + hello + done,
		"pings":                     "event: ping\ndata: {}\n\n" + hello + done,
		"byte order mark":           "\ufeff" + hello + done,
		"text after [DONE]":         hello + done + event(`{"index":0,"delta":{"content":" again"}}`),
		"a chunk without choices":   hello + `data: {"id":"","choices":[],"model":null}` + "\n\n" + done,
		"[DONE] in place of finish": strings.ReplaceAll(hello, event(finish), event(`{"delta":{"finish_reason":null},"finish_reason":"stop"}`)) + done,
		"message at the end":        hello + event(`{"index":0,"message":{"role":"assistant","content":"Hello"}}`) + done,
		"message in one event":      "data: " + whole + "\n\n" + done,
		"plain JSON":                whole,
		"plain JSON, indented":      "\ufeff \n" + strings.ReplaceAll(whole, ",", ",\n  "),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for cut, body := range map[string]io.Reader{
				"whole": strings.NewReader(stream), "bytes": iotest.OneByteReader(strings.NewReader(stream)),
				"error with data": iotest.DataErrReader(strings.NewReader(stream)),
			} {
				got, err := streamedChat(t, 1, body)
				if difference := cmp.Diff(want, got); err != nil || difference != "" {
					t.Errorf("%s: %v\n%s", cut, err, difference)
				}
			}
		})
	}
}

// A service that leaves the connection open does not keep anybody waiting.
func TestStreamEndsAtDone(t *testing.T) {
	t.Parallel()
	for _, stream := range []string{hello + "data: [DONE]\n", strings.ReplaceAll(hello+done, "\n", "\r\n")} {
		open := io.MultiReader(strings.NewReader(stream), iotest.ErrReader(errors.New("read on after the end")))
		check.NoError(t, check.ErrorOf(streamedChat(t, 1, open)))
	}
	// A line that ends like the last event is not it.
	long := event(fmt.Sprintf(`{"index":0,"delta":{"content":%q}}`, strings.Repeat("x", 5000)+"data: [DONE]"))
	for pad := range 200 {
		if _, err := streamedChat(t, 1, strings.NewReader(":"+strings.Repeat(" ", 3900+pad)+"data: [DONE]\n"+long+event(finish))); err != nil {
			t.Fatalf("%d: %v", pad, err)
		}
	}
}

// Once every choice has said why it ended, nothing that is missed matters: not a
// connection that breaks or stays open, not half a line.
func TestStreamIsWholeOnceItHasFinished(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stream string
		n      int64
		whole  bool
	}{
		"after the end":            {hello, 1, true},
		"in a line after it":       {hello + `data: {"usage":{"prompt_tok`, 1, true},
		"before the end":           {strings.ReplaceAll(hello, event(finish), ""), 1, false},
		"in the end":               {strings.TrimSuffix(hello, "]}\n\n"), 1, false},
		"before another one's end": {hello, 2, false},
	} {
		broken := io.MultiReader(strings.NewReader(test.stream), iotest.ErrReader(io.ErrUnexpectedEOF))
		got, err := streamedChat(t, test.n, broken)
		if whole := err == nil && *got.Choices[0].Content == "Hello"; whole != test.whole || !whole && !api.IsOutcomeUnknown(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStreamPieces(t *testing.T) {
	t.Parallel()
	stream := event(`{"index":1,"delta":{"role":"assistant","reasoning":"be","image_prompt":"a "}}`) +
		event(`{"index":0,"delta":{"turns":["A."],"tool_calls":[{"index":0,"id":"t0","type":"function","function":{"name":"f","arguments":"{\"a\""}}]}},
			{"index":1,"delta":{"reasoning":"cause","image_prompt":"cat","next":false}}`) +
		event(`{"index":0,"delta":{"turns":["B.","C."],"tool_calls":[{"index":1,"id":"t1","function":{"name":"g","arguments":""}},{"index":0,"id":"","function":{"name":"","arguments":":1}"}}]}}`) +
		event(`{"index":0,"delta":{"next":true,"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]},"finish_reason":"tool_calls","compliance_violations":["a"]}`) +
		event(`{"index":1,"delta":{},"finish_reason":"stop"}`) +
		`data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2.0,"total_tokens":"3"},"compliance_violations":["a","b"]}` + "\n\n"
	stream = strings.ReplaceAll(stream, "\n\t\t\t", "")
	got, err := streamedChat(t, 2, strings.NewReader(stream))
	want := &api.Completion{
		ID: new("c1"), Object: new("chat.completion"), Created: new(int64(7)), Model: new("m"), ComplianceViolations: []string{"a", "b"},
		Usage: &api.Usage{PromptTokens: new(int64(1)), CompletionTokens: new(int64(2)), TotalTokens: new(int64(3))},
		Choices: []api.Choice{
			{
				Turns: []string{"A.", "B.", "C."}, Next: new(true), FinishReason: new("tool_calls"), ComplianceViolations: []string{"a"},
				ToolCalls: []api.ToolCall{
					{ID: new("t0"), Type: new("function"), Name: new("f"), Arguments: new(`{"a":1}`)},
					{ID: new("t1"), Name: new("g"), Arguments: new("{}")},
				},
			},
			{Index: 1, Role: new("assistant"), Reasoning: new("because"), ImagePrompt: new("a cat"), Next: new(false), FinishReason: new("stop")},
		},
	}
	if difference := cmp.Diff(want, got); err != nil || difference != "" {
		t.Errorf("%v\n%s", err, difference)
	}
}

// The turns of a chunk are new ones. Violations are said once, however often the
// chunks say them.
// Fault F25.
func TestStreamedLists(t *testing.T) {
	t.Parallel()
	turns := func(lists ...string) (stream string) {
		for _, list := range lists {
			stream += event(`{"index":0,"delta":{"turns":` + list + `}}`)
		}
		return stream
	}
	violations := func(lists ...string) (stream string) {
		for _, list := range lists {
			stream += event(`{"index":0,"delta":{},"compliance_violations":`+list+`}`) + `data: {"choices":[],"compliance_violations":` + list + "}\n\n"
		}
		return stream
	}
	for name, test := range map[string]struct {
		stream            string
		turns, violations []string
	}{
		"turns, as objects":            {turns(`[{"message":"A."}]`, `[{"message":"B."}]`), []string{"A.", "B."}, nil},
		"turns, then none":             {turns(`["A.","B."]`, `[]`, `null`), []string{"A.", "B."}, nil},
		"turns, one by one":            {turns(`["A."]`, `["B."]`, `["A."]`), []string{"A.", "B.", "A."}, nil},
		"turns, as texts":              {turns(`"A."`, `"B."`), []string{"A.", "B."}, nil},
		"turns, others":                {turns(`["A.","B."]`, `["C.","D."]`), []string{"A.", "B.", "C.", "D."}, nil},
		"violations, all so far":       {violations(`["a"]`, `["a","b"]`, `["a","b","c"]`), nil, []string{"a", "b", "c"}},
		"violations, the same":         {violations(`["a"]`, `["a"]`, `["a"]`), nil, []string{"a"}},
		"violations, one by one":       {violations(`["a"]`, `["a_b"]`, `["a"]`), nil, []string{"a", "a_b"}},
		"violations, in another order": {violations(`["a","b"]`, `["b","a","c"]`), nil, []string{"a", "b", "c"}},
		"violations, as objects":       {violations(`[{"name":"a"}]`, `[{"name":"a"},{"name":"b"}]`), nil, []string{"a", "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := streamedChat(t, 1, strings.NewReader(test.stream+event(finish)+done))
			check.Must(t, err)
			want := &api.Completion{
				ID: new("c1"), Object: new("chat.completion"), Created: new(int64(7)), Model: new("m"), ComplianceViolations: test.violations,
				Choices: []api.Choice{{Turns: test.turns, FinishReason: new("stop"), ComplianceViolations: test.violations}},
			}
			check.Equal(t, "the stream", got, want)
		})
	}
}

// Services that give tool calls no index tell them apart by their ids.
func TestStreamToolCallsWithoutIndex(t *testing.T) {
	t.Parallel()
	call := func(fields string) string { return event(`{"index":0,"delta":{"tool_calls":[{` + fields + `}]}}`) }
	got, err := streamedChat(t, 1, strings.NewReader(call(`"id":"t0","function":{"name":"f","arguments":"1"}`)+call(`"function":{"arguments":"2"}`)+
		call(`"id":"t1","function":{"name":"g","arguments":{"b":1}}`)+call(`"id":"t0","function":{"arguments":"3"}`)+done))
	check.Must(t, err)
	want := []api.ToolCall{{ID: new("t0"), Name: new("f"), Arguments: new("123")}, {ID: new("t1"), Name: new("g"), Arguments: new(`{"b":1}`)}}
	check.Equal(t, "tool calls", got.Choices[0].ToolCalls, want)
}

func TestBrokenStreams(t *testing.T) {
	t.Parallel()
	reset := errors.New("connection reset by peer")
	begun := strings.TrimSuffix(hello, event(finish))
	for name, test := range map[string]struct {
		n       int64
		body    io.Reader
		says    string
		unknown bool
	}{
		"no end":             {1, strings.NewReader(begun), "broke off", true},
		"within an event":    {1, strings.NewReader(hello[:len(hello)-20]), "broke off", true},
		"connection":         {1, io.MultiReader(strings.NewReader(begun), iotest.ErrReader(reset)), reset.Error(), true},
		"second choice":      {2, strings.NewReader(hello), "broke off", true},
		"nothing":            {1, strings.NewReader(""), "broke off", true},
		"[DONE] alone":       {1, strings.NewReader(done), "broke off", true},
		"comments alone":     {1, strings.NewReader(": keep-alive\n\n"), "broke off", true},
		"page":               {1, strings.NewReader("<!doctype html><title>Busy</title>"), "broke off", true},
		"event is no object": {1, strings.NewReader("data: 7\n\n" + hello + done), "not a JSON object", true},
		"event is no JSON":   {1, strings.NewReader("data: {\"id\n\n" + hello + done), "broke off", true},
		"error at once":      {1, strings.NewReader(`data: {"error":{"message":"no such model"}}` + "\n\n"), "no such model", false},
		"error in between":   {1, strings.NewReader(begun + `data: {"error":"overloaded"}` + "\n\n" + done), "overloaded", false},
		"lines of JSON":      {1, strings.NewReader(strings.ReplaceAll(hello, "data: ", "") + done), "broke off", true},
		"an event's lines":   {1, strings.NewReader(strings.ReplaceAll(hello, `,"choices"`, ",\ndata: \"choices\"") + done), "broke off", true},
		"lines that end, CR": {1, strings.NewReader(strings.ReplaceAll(hello+done, "\n", "\r")), "broke off", true},
		"error as JSON":      {1, strings.NewReader(`{"error":"overloaded"}`), "overloaded", false},
		"too large":          {1, io.MultiReader(strings.NewReader(hello), io.LimitReader(endless(' '), 40<<20)), "32 MiB", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := streamedChat(t, test.n, test.body)
			if got != nil || err == nil || !strings.Contains(err.Error(), test.says) || api.IsOutcomeUnknown(err) != test.unknown {
				t.Errorf("got %v and %v, want an error that says %q, outcome unknown %t", got, err, test.says, test.unknown)
			}
		})
	}
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// FuzzServerSentEvents: however a stream is cut or its lines end, it says the
// same; and text that is streamed arrives.
func FuzzServerSentEvents(f *testing.F) {
	for _, stream := range []string{hello + done, hello, ": x\n\n" + hello, `{"choices":[]}`, "data: {\ndata: }\n\n", done, "data: [DONE", "\ufeffdata:1\r\rdata"} {
		f.Add([]byte(stream), "text")
	}
	f.Fuzz(func(t *testing.T, stream []byte, text string) {
		whole, err := streamedChat(t, 1, bytes.NewReader(stream))
		bit, bitErr := streamedChat(t, 1, iotest.OneByteReader(bytes.NewReader(stream)))
		if difference := cmp.Diff(whole, bit); difference != "" || fmt.Sprint(err) != fmt.Sprint(bitErr) {
			t.Errorf("in single bytes it says something else: %v, %v\n%s", err, bitErr, difference)
		}
		if !bytes.ContainsRune(stream, '\r') {
			windows, winErr := streamedChat(t, 1, bytes.NewReader(bytes.ReplaceAll(stream, []byte("\n"), []byte("\r\n"))))
			if difference := cmp.Diff(whole, windows); difference != "" || (err == nil) != (winErr == nil) {
				t.Errorf("with CRLF it says something else: %v, %v\n%s", err, winErr, difference)
			}
		}
		text = strings.ToValidUTF8(text, "?")
		var events strings.Builder
		for _, letter := range text {
			encoded, _ := json.Marshal(string(letter))
			events.WriteString(event(`{"index":0,"delta":{"content":` + string(encoded) + `}}`))
		}
		got, err := streamedChat(t, 1, strings.NewReader(events.String()+event(finish)))
		if err != nil || text != "" && *got.Choices[0].Content != text {
			t.Errorf("streamed %q, got %+v: %v", text, got, err)
		}
	})
}
