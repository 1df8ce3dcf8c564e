package api_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Whoever paid for an image and was shown none does not know what became of it.
// Fault F25.
func TestImageRepliesWithoutAnImage(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"output":[]}`, `{"output":null}`, `{"output":[null]}`, `{"output":[""]}`, `{"output":""}`, `{"output":{}}`, `{"output":[{}]}`, `{"outputs":["u1"]}`,
		`{"output":[],"status":"processing"}`, `{"output":null,"status":"succeeded"}`, `{"success":true}`, `{"success":true,"output":null}`, `{"output":[],"error":null}`,
	} {
		s := newService(t, always(200, body))
		got, err := s.client(t).GenerateImage(t.Context(), "a castle")
		check.True(t, body, got == nil && reply.IsEffectUnknown(err) && len(s.Requests()) == 1, got, err)
	}
	for body, says := range map[string]string{
		`{"output":[],"error":"too busy"}`: "too busy", `{"output":[],"success":false,"message":"no"}`: "no", `{"output":[null],"error":{"message":"refused"}}`: "refused",
	} {
		s := newService(t, always(200, body))
		if _, err := s.client(t).GenerateImage(t.Context(), "a castle"); err == nil || reply.IsEffectUnknown(err) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", body, err)
		}
	}
	s := newService(t, always(200, `{"output":[],"status":"queued"}`))
	if _, err := s.client(t).GenerateImage(t.Context(), "a castle"); err == nil || !strings.Contains(err.Error(), "queued") {
		t.Errorf("the error does not say what the reply says: %v", err)
	}
}

func TestImageRepliesInOtherShapes(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		`{"output":["u1","u2"]}`: {"u1", "u2"}, `{"output":"u1"}`: {"u1"},
		`{"output":[{"url":"u1"},null,"u2"]}`:           {"u1", "u2"},
		`{"output":{"url":"u1"},"status":"processing"}`: {"u1"},
	} {
		s := newService(t, always(200, body))
		if got, err := s.client(t).GenerateImage(t.Context(), "a castle"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", body, got, err)
		}
	}
}

// Lists may honestly be empty; a reply without any may not.
// Fault F25.
func TestCategoriesWithoutMetadata(t *testing.T) {
	t.Parallel()
	request := api.CategoriesRequest{MediaURL: "https://media.example.com/a.png", Metadata: []string{"tags"}}
	for _, body := range []string{
		`{"metadata":null}`, `{"success":true}`, `{"success":true,"metadata":null}`, `{"metadata":[]}`, `{"metadata":"soon"}`, `{"metadata":{},"status":"processing"}`,
		`{"metadata":{"tags":null},"status":"queued"}`,
	} {
		s := newService(t, always(200, body))
		if got, err := s.client(t).Categorize(t.Context(), request); got != nil || !reply.IsEffectUnknown(err) || len(s.Requests()) != 1 {
			t.Errorf("%s: %v, %v", body, got, err)
		}
	}
	for _, body := range []string{`{"job_id":"j1"}`, `{"job_id":"j1","status":"queued","metadata":{}}`, `{"job_id":"j1","metadata":{"tags":[]}}`} {
		s := newService(t, always(200, body))
		_, err := s.client(t).Categorize(t.Context(), request)
		var job *api.CategorizationJobError
		check.True(t, body, errors.As(err, &job) && job.JobID == "j1", err)
	}
	for _, body := range []string{`{"metadata":{}}`, `{"metadata":{"tags":[]}}`, `{"metadata":{"tags":["a"]},"status":"processing","job_id":"j1"}`, `{"metadata":{},"status":"completed"}`} {
		s := newService(t, always(200, body))
		if got, err := s.client(t).Categorize(t.Context(), request); got == nil || err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// Fault F25.
func TestCompletionsWithoutAChoice(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"choices":[]}`, `{"choices":null}`, `{"choices":[null]}`, `{"choices":[null,3]}`, `{"choices":{}}`, `{"success":true}`} {
		s := newService(t, always(200, body))
		client := s.client(t)
		if got, err := client.Chat(t.Context(), api.ChatRequest{}); got != nil || !reply.IsEffectUnknown(err) {
			t.Errorf("chat, %s: %v, %v", body, got, err)
		}
		if got, err := client.Vision(t.Context(), api.VisionRequest{}); got != nil || !reply.IsEffectUnknown(err) {
			t.Errorf("vision, %s: %v, %v", body, got, err)
		}
		check.Equal(t, body+": requests", len(s.Requests()), 2)
	}
}
