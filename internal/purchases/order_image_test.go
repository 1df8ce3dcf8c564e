package purchases_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// A reply without an image is an answer: the image may have been charged for,
// and no other reply will tell more. One that names an error is a refusal.
// Fault F25.
func TestImageRepliesWithoutAnImage(t *testing.T) {
	t.Parallel()
	order := func() purchases.Order[[]string] {
		return purchases.OrderImage(purchases.ImageRequest{Prompt: "a castle"})
	}
	for _, body := range []string{
		`{"output":[]}`, `{"output":[null]}`, `{"output":[""]}`, `{"output":""}`, `{"output":{}}`, `{"output":[{}]}`,
		`{"output":[],"status":"processing"}`, `{"success":true}`, `{"success":true,"output":null}`,
		`{"output":[],"error":null}`,
	} {
		s := stub.NewService(t, stub.Always(200, body))
		got := stub.Send(t.Context(), s.Client(t), order())
		check.True(t, body, got.Outcome == purchases.Accepted && len(got.Reply) == 0 && len(s.Requests()) == 1, got)
	}
	for _, body := range []string{
		`{"output":null}`, `{"outputs":["u1"]}`, `{"output":null,"status":"succeeded"}`,
	} {
		s := stub.NewService(t, stub.Always(200, body))
		got := stub.Send(t.Context(), s.Client(t), order())
		check.True(t, body, got.Outcome == purchases.Unknown && len(s.Requests()) == 1, got)
	}
	for body, says := range map[string]string{
		`{"output":[],"error":"too busy"}`:                "too busy",
		`{"output":[],"success":false,"message":"no"}`:    "no",
		`{"output":[null],"error":{"message":"refused"}}`: "refused",
	} {
		path := filepath.Join(t.TempDir(), "purchases.jsonl")
		s := stub.NewService(t, stub.Always(200, body))
		client := s.Client(t, stub.Logged(path), limited(1))
		for range 2 { // the limit is not used up
			got := stub.Send(t.Context(), client, order())
			check.True(t, body, got.Outcome == purchases.Refused && strings.Contains(got.Err.Error(), says), got)
			lines := stub.LinesOf(t, path)
			check.Equal(t, body+": the log", lines[len(lines)-1]["outcome"], any(isRefused))
		}
		check.Equal(t, "requests", len(s.Requests()), 2)
	}
}

func TestImageRepliesInOtherShapes(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		`{"output":["u1","u2"]}`: {"u1", "u2"}, `{"output":"u1"}`: {"u1"},
		`{"output":[{"url":"u1"},null,"u2"]}`:           {"u1", "u2"},
		`{"output":{"url":"u1"},"status":"processing"}`: {"u1"},
	} {
		s := stub.NewService(t, stub.Always(200, body))
		got, err := stub.Buy(t.Context(), s.Client(t), purchases.OrderImage(purchases.ImageRequest{Prompt: "a castle"}))
		check.True(t, body, err == nil && slices.Equal(got, want), got, err)
	}
}
