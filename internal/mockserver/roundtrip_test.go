package mockserver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func inProcess(t *testing.T, opts mockserver.Options) *client {
	t.Helper()
	c := start(t, opts)
	c.http = &http.Client{Transport: c.RoundTripper()}
	return c
}

func TestRoundTripper(t *testing.T) {
	t.Parallel()
	c := inProcess(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c"})
	got := c.upload("c", "a.png", []byte("x"))
	check.True(t, "the upload", got.status == 200 && strings.HasPrefix(got.object["view_url"].(string), c.url), got)
	c.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	c.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 2, DropInBody: true})
	got = c.send(c.request("POST", "/v2/generation/batch", aBatch))
	check.True(t, "dropped", got.err != nil, got)
	got = c.send(c.request("POST", "/v2/generation/batch", aBatch))
	check.True(t, "dropped within the body", errors.Is(got.err, io.ErrUnexpectedEOF) && got.status == 200, got)
	check.Equal(t, "spent", c.Ledger().Spent(), 2)
}

func TestRoundTripperEndsWithTheContext(t *testing.T) {
	t.Parallel()
	c := inProcess(t, mockserver.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	c.Fault(mockserver.Fault{Reached: cancel, Hold: make(chan struct{})})
	got := c.send(c.request("POST", "/v2/generation/batch", aBatch).WithContext(ctx))
	check.True(
		t,
		"cancelled, spent",
		errors.Is(got.err, context.Canceled) && c.Ledger().Spent() == 1,
		got.err,
		c.Ledger().Spent(),
	)
	got = c.send(c.request("GET", "/v2/characters", "").WithContext(ctx))
	check.True(t, "cancelled before", got.err != nil && c.Count(mockserver.RouteCharacters) == 0, got)
}

// From then on a client cannot know whether a request was processed.
func TestRoundTripperTellsWhenItHasAConnection(t *testing.T) {
	t.Parallel()
	c := inProcess(t, mockserver.Options{})
	connected := false
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected = true }}
	c.Fault(mockserver.Fault{DropBefore: true})
	request := c.request("GET", "/v2/characters", "")
	got := c.send(request.WithContext(httptrace.WithClientTrace(t.Context(), trace)))
	check.True(t, "an error, a connection", got.err != nil && connected, got.err, connected)
}

func TestBrokenUpload(t *testing.T) {
	t.Parallel()
	c := inProcess(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c"})
	changed := errors.New("the file has changed")
	request := c.request("POST", "/v2/c/upload/face-image", "")
	request.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	request.Body = io.NopCloser(io.MultiReader(
		strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nall of it\r\n"),
		iotest.ErrReader(changed)))
	check.True(t, "the error", errors.Is(c.send(request).err, changed))
	entries := c.Requests(mockserver.RouteUpload)
	check.True(
		t,
		"the journal, the assets",
		len(entries) == 1 && entries[0].Status == 499 && len(c.Assets("c")) == 0,
		entries,
		c.Assets("c"),
	)
}

// TestConcurrentUse is for the race detector; the ledger must add up too.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	c := inProcess(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1})
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			// The training is refused but for one, the rest is not.
			c.send(c.request("POST", "/v2/c/training/body-lora", ""))
			requests := []*http.Request{
				c.request(
					"POST",
					"/v2/generation/batch",
					fmt.Sprintf(`{"prompts":[{"prompt":"prompt %d"},{"prompt":"another"}]}`, i),
				),
			}
			for _, path := range []string{
				"/v2/characters",
				"/v2/c/assets",
				"/v2/c/training/complete-status",
				"/_mock/",
			} {
				requests = append(requests, c.request("GET", path, ""))
			}
			for _, request := range requests {
				got := c.send(request)
				check.True(t, request.URL.Path, got.err == nil && got.status == http.StatusOK, got.status, got.err)
			}
			c.Journal()
			c.IssueToken("")
		})
	}
	wait.Wait()
	got := c.Ledger()
	check.True(
		t,
		"spent, trainings, groups",
		got.Spent() == 20*2+100 && len(c.Trainings("")) == 1 && len(c.Groups()) == 20,
		got.Spent(),
		len(c.Trainings("")),
		len(c.Groups()),
	)
}
