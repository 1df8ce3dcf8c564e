package mockserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const aBatch = `{"prompts":[{"prompt":"a"}],"group_title":"g"}`

func TestFaults(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault   mockserver.Fault
		status  int // 0: the connection breaks
		bought  int
		check   func(answer) bool
		journal int
	}{
		"status": {
			mockserver.Fault{Status: 503, Header: http.Header{"Retry-After": {"7"}}},
			503,
			0,
			func(a answer) bool { return a.header.Get("Retry-After") == "7" && a.body == "" },
			503,
		},
		"status, after": {
			mockserver.Fault{Status: 500, AfterWork: true, Body: `{"error":"x","group_id":"{group_id}"}`},
			500,
			1,
			func(a answer) bool { return a.object["group_id"] == "grp_000001" },
			500,
		},
		"html": {
			mockserver.Fault{Body: "<h1>hello</h1>"},
			200,
			0,
			func(a answer) bool { return strings.HasPrefix(a.header.Get("Content-Type"), "text/html") },
			200,
		},
		"empty 200": {
			mockserver.Fault{Status: 200, AfterWork: true},
			200,
			1,
			func(a answer) bool { return a.body == "" },
			200,
		},
		"204": {
			mockserver.Fault{Status: 204, AfterWork: true},
			204,
			1,
			func(a answer) bool { return a.body == "" },
			204,
		},
		"header only": {
			mockserver.Fault{Header: http.Header{"X-Extra": {"1"}}},
			200,
			1,
			func(a answer) bool { return a.header.Get("X-Extra") == "1" },
			200,
		},
		"drop before": {mockserver.Fault{DropBefore: true}, 0, 0, nil, 0},
		"drop after":  {mockserver.Fault{DropAfterWork: true}, 0, 1, nil, 0},
		"drop in body": {
			mockserver.Fault{DropInBody: true},
			0,
			1,
			func(a answer) bool { return a.status == 200 && strings.HasPrefix(a.body, `{"batch_id"`) },
			200,
		},
		"truncate": {
			mockserver.Fault{Truncate: 9},
			200,
			1,
			func(a answer) bool { return a.body == `{"batch_i` },
			200,
		},
		"truncate half": {
			mockserver.Fault{Truncate: -1},
			200,
			1,
			func(a answer) bool { return a.object == nil && len(a.body) > 100 },
			200,
		},
		"rewrite": {
			mockserver.Fault{Rewrite: func(o map[string]any) { o["results"] = []any{} }},
			200,
			1,
			func(a answer) bool { return len(a.object["results"].([]any)) == 0 },
			200,
		},
		"another route": {
			mockserver.Fault{Route: mockserver.RouteStatus, Status: 500, MayStayUnmet: true},
			200,
			1,
			nil,
			200,
		},
		"another time": {mockserver.Fault{Nth: 2, Status: 500, MayStayUnmet: true}, 200, 1, nil, 200},
		"redirect":     {mockserver.Fault{Status: 307, Header: http.Header{"X-Location": {"/"}}}, 307, 0, nil, 307},
		"own media type": {
			mockserver.Fault{Body: "x", ContentType: "text/x"},
			200,
			0,
			func(a answer) bool { return a.header.Get("Content-Type") == "text/x" },
			200,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t, mockserver.Options{})
			c.Fault(test.fault)
			got := c.send(c.request("POST", "/v2/generation/batch", aBatch))
			if broken := got.err != nil; broken != (test.status == 0) || !broken && got.status != test.status {
				t.Fatalf("got %d %v, want %d", got.status, got.err, test.status)
			}
			check.Equal(t, "bought", len(c.Ledger().Entries), test.bought)
			check.True(t, "the reply", test.check == nil || test.check(got), got)
			entries := c.Requests(mockserver.RouteBatch)
			check.True(
				t,
				"the journal",
				len(entries) == 1 && entries[0].Status == test.journal && string(entries[0].Body) == aBatch,
				entries,
			)
		})
	}
}

func TestHoldInBody(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	hold := make(chan struct{})
	reached := make(chan struct{})
	c.Fault(mockserver.Fault{HoldInBody: true, Hold: hold, Reached: func() { close(reached) }})
	reply, err := http.DefaultClient.Do(c.request("GET", "/v2/characters", ""))
	check.Must(t, err)
	defer reply.Body.Close()
	<-reached
	half := make([]byte, reply.ContentLength/2)
	if _, err := io.ReadFull(reply.Body, half); err != nil || half[0] != '{' {
		t.Fatalf("the first half is %q: %v", half, err)
	}
	close(hold)
	rest, err := io.ReadAll(reply.Body)
	all := string(half) + string(rest)
	check.True(t, "the whole", err == nil && json.Valid([]byte(all)), all, err)
}

func TestFaultCounting(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Nth: 2, Status: 500})
	c.Fault(mockserver.Fault{Nth: 2, Times: 2, Status: 502})
	c.Fault(mockserver.Fault{Nth: 5, Status: 503})
	for i, want := range []int{200, 500, 502, 200, 503, 200} {
		check.Equal(t, fmt.Sprint("request ", i+1), c.send(c.request("GET", "/v2/characters", "")).status, want)
	}
	c.Fault(mockserver.Fault{Status: 504})
	c.do("GET", "/v2/characters", "", 504)
	c.ClearFaults()
	c.do("GET", "/v2/characters", "", 200)
	check.Equal(t, "requests in the journal", c.Count(""), 8)
}

// A fault that follows an endpoint counts requests from its first answer on,
// whatever that says, or since its connection was closed.
func TestFaultThatFollows(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"done":         {},
		"refused":      {Status: 402},
		"not received": {DropBefore: true},
		"reply lost":   {DropAfterWork: true},
	}, func(t *testing.T, answer mockserver.Fault) {
		c := start(t, mockserver.Options{})
		answer.Route = mockserver.RouteBatch
		c.Fault(answer)
		c.Fault(mockserver.Fault{
			Route:  mockserver.RouteCharacters,
			After:  mockserver.RouteBatch,
			Nth:    2,
			Times:  2,
			Status: 500,
		})
		c.do("GET", "/v2/characters", "", 200)
		c.do("GET", "/v2/characters", "", 200)
		c.send(c.request("POST", "/v2/generation/batch", aBatch))
		for i, want := range []int{200, 500, 500, 200} {
			if i == 2 {
				c.send(c.request("POST", "/v2/generation/batch", aBatch)) // does not count anew
			}
			check.Equal(t, fmt.Sprint("read ", i+1), c.send(c.request("GET", "/v2/characters", "")).status, want)
		}
	})
}

// A fault about a text counts only the requests that have it, in their address
// or in their body.
func TestFaultAboutAText(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.Fault(mockserver.Fault{About: `"dusk"`, Nth: 2, Status: 500})
	c.Fault(mockserver.Fault{About: "offset=2", Status: 503})
	c.Fault(mockserver.Fault{About: "offset=3", MayStayUnmet: true, Status: 504})
	const dusk = `{"prompts":[{"prompt":"dusk"}],"group_title":"g"}`
	for i, want := range []int{200, 500, 200} {
		check.Equal(t, fmt.Sprint("dusk ", i+1), c.send(c.request("POST", "/v2/generation/batch", dusk)).status, want)
		check.Equal(t, "another", c.send(c.request("POST", "/v2/generation/batch", aBatch)).status, 200)
	}
	for i, want := range []int{200, 200, 503} {
		path := fmt.Sprintf("/v2/characters?limit=1&offset=%d", i)
		check.Equal(t, path, c.send(c.request("GET", path, "")).status, want)
	}
}

// What no request has met is reported, cleared or not. What was met, and what
// says that it may stay unmet, is not.
func TestUnmet(t *testing.T) {
	t.Parallel()
	service, err := mockserver.New(mockserver.Options{})
	check.Must(t, err)
	send := func(path string) {
		service.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
	}
	service.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Nth: 2})
	service.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Nth: 4})
	service.Fault(mockserver.Fault{Nth: 3})
	service.Fault(mockserver.Fault{Nth: 9, MayStayUnmet: true})
	service.Before(mockserver.RouteCharacters, func() {})
	for range 3 {
		send("/v2/characters")
	}
	check.Equal(t, "unmet", service.Unmet(), []string{
		"no request has met the fault of GET /v2/characters, from request 4 on: there were 3",
	})
	service.ClearFaults()
	service.Fault(mockserver.Fault{After: mockserver.RouteBatch})
	service.Before(mockserver.RouteBatch, func() {})
	send("/v2/characters")
	check.Equal(t, "unmet", service.Unmet(), []string{
		"no request has met the fault of GET /v2/characters, from request 4 on: there were 3",
		"no request has met the fault of all endpoints after POST /v2/generation/batch, from request 1 on: there " +
			"were 0",
		"no request has met the hook before POST /v2/generation/batch",
	})
}

// What comes before the work and what after is told apart.
func TestHold(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		c := start(t, mockserver.Options{})
		reached := make(chan struct{})
		release := make(chan struct{})
		c.Fault(mockserver.Fault{Reached: func() { close(reached) }, Hold: release, HoldAfterWork: after})
		done := make(chan answer)
		request := c.request("POST", "/v2/generation/batch", aBatch)
		go func() { done <- c.send(request) }()
		<-reached
		check.Equal(t, "bought while it is held", len(c.Ledger().Entries) == 1, after)
		entries := c.Journal()
		check.True(t, "the journal", len(entries) == 1 && entries[0].Status == 0, entries)
		close(release)
		got := <-done
		check.True(t, "after the hold", got.status == 200 && len(c.Ledger().Entries) == 1, got)
	}
}

// TestHoldEndsWithTheClient: the work is done all the same.
func TestHoldEndsWithTheClient(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	reached := make(chan struct{})
	worked := make(chan struct{})
	c.Fault(
		mockserver.Fault{
			Reached: func() { close(reached) },
			Hold:    make(chan struct{}),
			Rewrite: func(map[string]any) { close(worked) },
		},
	)
	ctx, cancel := context.WithCancel(t.Context())
	request := c.request("POST", "/v2/generation/batch", aBatch).WithContext(ctx)
	done := make(chan answer)
	go func() { done <- c.send(request) }()
	<-reached
	cancel()
	got := <-done
	check.True(t, "the client was not answered", got.err != nil, got)
	<-worked
	check.Equal(t, "purchases", len(c.Ledger().Entries), 1)
}

func TestDelayGoesByTheInjectedClock(t *testing.T) {
	t.Parallel()
	var waited time.Duration
	c := start(
		t,
		mockserver.Options{
			OnDelay: func(_ context.Context, d time.Duration) { waited += d },
			Variant: mockserver.Variant{SlowBatch: time.Minute},
		},
	)
	c.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Delay: time.Hour})
	c.generate("a")
	check.Equal(t, "waited", waited, time.Hour+time.Minute)
}

func TestBefore(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	_, generations := c.generate("a")
	c.Before(mockserver.RouteStatus, func() { c.DeleteGenerationBehindTheBack(generations[0]) })
	c.do("GET", "/v2/characters", "", 200)
	if len(c.Groups()) != 1 {
		t.Fatal("the hook ran for another route")
	}
	c.do("GET", "/v2/generation/status/"+generations[0], "", 404)
	check.Equal(t, "groups", len(c.Groups()), 0)
}

// TestAbortedUpload: a client may take an upload back by not ending it.
func TestAbortedUpload(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c"})
	request := c.request(
		"POST",
		"/v2/c/upload/face-image",
		"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhalf",
	)
	request.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	request.ContentLength = 1000
	got := c.send(request)
	check.True(t, "it is not answered", got.err != nil, got.status)
	check.Equal(t, "assets", len(c.Assets("c")), 0)
}

func TestFaultsInTheMiddleOfAnUpload(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("x"), 12<<20)
	for name, test := range map[string]struct {
		fault   mockserver.Fault
		status  int // 0: the connection breaks
		journal int
	}{
		"broken":  {mockserver.Fault{MidUpload: 1000}, 0, 499},
		"refused": {mockserver.Fault{MidUpload: 1000, Status: 413, Body: "too large"}, 413, 413},
		"refused and broken": {
			mockserver.Fault{MidUpload: 1000, Status: 413, Body: "too large", DropInBody: true},
			413,
			413,
		},
		"a number of its own": {mockserver.Fault{MidUpload: 1000, Nth: 2, MayStayUnmet: true}, 200, 200},
		"uploads alone": {
			mockserver.Fault{MidUpload: 1000, Route: mockserver.RouteBatch, MayStayUnmet: true},
			200,
			200,
		},
		"more than the request": {mockserver.Fault{MidUpload: 1 << 40, Status: 413}, 413, 413},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t, mockserver.Options{})
			c.AddCharacter(mockserver.CharacterSeed{ID: "c"})
			c.Fault(test.fault)
			got := c.upload("c", "a.png", content)
			// net/http may lose a reply that comes early.
			check.True(
				t,
				"the answer",
				got.status == test.status || got.err != nil && test.status != 200,
				got.status,
				got.err,
				test.status,
			)
			check.Equal(t, "something is stored", len(c.Assets("c")) != 0, test.status == 200)
			entries := c.Requests(mockserver.RouteUpload)
			check.True(t, "the journal", len(entries) == 1 && entries[0].Status == test.journal, entries)
		})
	}
}
