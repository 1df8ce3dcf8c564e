package inference_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// unpriced are the types that no limit counts.
var unpriced = map[string]string{
	chat: "Chat Completion", vision: "Vision Completion", categories: "Media Categorization",
}

// A lost reply is an error and not requested again; nothing is stored.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"something else": {Body: `{"status":"ok"}`},
		"a list":         {Body: `[]`},
		"no results":     {Body: `{"choices":[],"metadata":null}`},
		"no results yet": {Body: `{"choices":[null],"metadata":{},"status":"processing"}`},
		"503":            {Status: 503, Header: http.Header{"Retry-After": {"1"}}},
	}, func(t *testing.T, fault mockserver.Fault) {
		b := newScenario(t)
		for address := range unpriced {
			fault.Route = routes[address]
			b.Fault(fault)
			b.Resource(address, least(address))
		}
		result := b.Apply()
		for address, noun := range unpriced {
			errors := result.Diagnostics.Errors().Find("Unable to Create " + noun)
			check.True(t, "one error", len(errors) == 1 && errors[0].Address == address, result.Diagnostics)
			check.Contains(
				t,
				"the error",
				errors.String(),
				"the request was not repeated",
			)
			b.WantCount(t, routes[address], 1)
		}
		check.Equal(t, "stored", len(b.Addresses()), 0)
		b.ClearFaults()
		b.Apply().Must()
		b.wantAsked(2 * len(unpriced))
		b.Plan().Must().WantEmpty()
	})
}

// An image whose reply is lost may have been paid for: it is in the state, each
// plan says so, and only triggers buy it again. Fault F4.
func TestLostImage(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"dropped":        {DropAfterWork: true},
		"cut":            {Truncate: -1},
		"something else": {Body: `{"status":"ok"}`},
		"a list":         {Body: `[]`},
		"null":           {Body: `{"output":null}`},
		"503":            {Status: 503, Header: http.Header{"Retry-After": {"1"}}},
	}, func(t *testing.T, fault mockserver.Fault) {
		b := newScenario(t)
		fault.Route = mockserver.RouteImage
		b.Fault(fault)
		sent := b.Clock.Now().UTC().Format(time.RFC3339)
		said := b.Applies(image, least(image)).Diagnostics
		b.ClearFaults()
		id, _ := b.Value(image, "id").(string)
		check.True(t, "unconfirmed", strings.HasPrefix(id, "unconfirmed-") && !b.Tainted(image), b.State(image))
		b.Want(image, core.Object{"output": nil, "purchases": 1})
		wantUnconfirmed := func(said core.Diagnostics) {
			t.Helper()
			b.WantWarning(said, "Image Unconfirmed: image "+id, "sent at "+sent, "paid for", "change triggers")
		}
		wantUnconfirmed(said)
		for range 2 {
			plan := b.Plan().Must()
			plan.WantEmpty()
			wantUnconfirmed(plan.Diagnostics)
			b.ApplyPlan(plan).Must()
		}
		b.wantAsked(1)
		b.WantSilent(b.Plan(core.Destroying()).Must().Diagnostics, "Image Unconfirmed")

		again := b.Plans(image, with(least(image), core.Object{"triggers": core.Object{"round": "2"}}))
		check.Equal(t, "the plan", again.Action(image), core.Replace)
		b.WantSilent(b.ApplyPlan(again).Must().Diagnostics, "Image Unconfirmed")
		b.wantAsked(2)
		plan := b.Plan().Must()
		plan.WantEmpty()
		b.WantSilent(plan.Diagnostics, "Image Unconfirmed")
	})
}

// A reply that names no image is an answer, and the only one: it is stored with
// a warning, and not asked for again. Fault F25.
func TestReplyWithoutAnImage(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"none":     {Body: `{"output":[]}`},
		"null":     {Body: `{"output":[null]}`},
		"none yet": {Body: `{"output":[null],"status":"processing"}`},
		"success":  {Body: `{"success":true}`},
	}, func(t *testing.T, fault mockserver.Fault) {
		b := newScenario(t)
		fault.Route = mockserver.RouteImage
		b.Fault(fault)
		said := b.Applies(image, least(image)).Diagnostics
		b.ClearFaults()
		id, _ := b.Value(image, "id").(string)
		check.True(t, "answered", strings.HasPrefix(id, "snapshot-") && !b.Tainted(image), b.State(image))
		b.Want(image, core.Object{"output": []any{}, "purchases": 1})
		b.WantWarning(said, "Reply Without an Image: image "+id, "names no image", "paid for", "change triggers")
		plan := b.Plan().Must()
		plan.WantEmpty()
		check.Equal(t, "messages of the plan", len(plan.Diagnostics), 0)
		b.Apply().Must()
		b.wantAsked(1)
		b.Applies(image, with(least(image), core.Object{"triggers": core.Object{"round": "2"}}))
		b.wantAsked(2)
	})
}

// What proves that the service did nothing is retried, or reported as it is.
func TestRefusals(t *testing.T) {
	t.Parallel()
	type row struct {
		fault mockserver.Fault
		asked int
		says  string
	}
	check.Each(t, map[string]row{
		"401":          {mockserver.Fault{Status: 401}, 2, "api_key"},
		"error in 200": {mockserver.Fault{Body: `{"error":{"message":"no capacity"}}`}, 1, "No capacity"},
	}, func(t *testing.T, test row) {
		for address, route := range routes {
			b := newScenario(t)
			test.fault.Route = route
			b.Fault(test.fault)
			b.Resource(address, least(address))
			errors := b.Apply().Diagnostics.Errors()
			check.True(
				t,
				address+": one error, and nothing is lost",
				len(errors) == 1 && !strings.Contains(errors.String(), "lost"),
				errors,
			)
			check.Contains(t, address, errors.String(), test.says)
			check.Equal(t, address+": stored", len(b.Addresses()), 0)
			b.wantAsked(test.asked)
		}
	})
}

// A paid request has its own timeout, and the warning says how to raise it.
func TestNoAnswerInTime(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Set(core.Object{"paid_request_timeout": "50ms"})
	b.Fault(mockserver.Fault{Route: mockserver.RouteImage, Hold: make(chan struct{})})
	said := b.Applies(image, least(image)).Diagnostics
	b.WantWarning(said, "Image Unconfirmed", "paid_request_timeout")
	b.wantAsked(1)
}

// A failed replacement leaves nothing behind, and the next apply asks again.
func TestFailedReplacement(t *testing.T) {
	t.Parallel()
	for address, route := range routes {
		b := newScenario(t)
		b.Applies(address, least(address))
		b.Fault(mockserver.Fault{Route: route, Status: 400})
		b.Resource(
			address,
			with(least(address), core.Object{"triggers": core.Object{"round": "2"}}),
			core.CreateBeforeDestroy(),
		)
		b.Apply()
		check.True(
			t,
			address+": the old answer stays",
			b.Value(address, "triggers.round") == nil && !b.Tainted(address),
			b.State(address),
		)
		b.ClearFaults()
		b.Apply().Must()
		b.wantAsked(3)
		b.Plan().Must().WantEmpty()
	}
}

// A reply that only announces a job has no result, and none can be requested.
func TestCategorizationJob(t *testing.T) {
	t.Parallel()
	variant := mockserver.LossyVariants()["category-job"]
	b := newScenario(t, func(o *mockserver.Options) { o.Variant = variant })
	b.Resource(categories, with(least(categories), core.Object{"use_scenes": true}))
	errors := b.Apply().Diagnostics.Errors()
	check.Equal(t, "errors", len(errors), 1)
	b.WantError(
		errors,
		"Unable to Create Media Categorization",
		`job_id "category_job_000001", status "processing"`,
		"no way to read",
	)
	check.True(t, "nothing is stored", len(b.Addresses()) == 0, b.State(categories))
	b.wantAsked(1)
}

// With extended_reads the end of a video's job is awaited.
func TestCategorizationOfAVideo(t *testing.T) {
	t.Parallel()
	const withoutResult = "Unable to Create Media Categorization"
	lost := mockserver.Fault{
		Route:  mockserver.RouteCategoryJob,
		Nth:    1,
		Status: 404,
		Body:   `{"error":"not_found","message":"no"}`,
	}
	missing := mockserver.MissingRoute()[404]
	missing.Route = mockserver.RouteCategoryJob
	missing.Times = 1000
	type row struct {
		prepare func(*mockserver.Server)
		fault   mockserver.Fault
		says    string // of the error, if there is one
	}
	check.Each(t, map[string]row{
		"plain":         {},
		"not there yet": {fault: lost},
		"missing route": {fault: missing, says: "no way to read"},
		"no such route": {
			fault: mockserver.Fault{Route: mockserver.RouteCategoryJob, Times: 1000, Status: 501},
			says:  "501",
		},
		"failed": {
			prepare: func(s *mockserver.Server) { s.FailPrompt("video", "no") },
			says:    `the job has failed (status "FAILED")`,
		},
		"down": {
			fault: mockserver.Fault{Route: mockserver.RouteCategoryJob, Times: 1000, Status: 503},
			says:  "503",
		},
	}, func(t *testing.T, test row) {
		b := newScenario(t, func(o *mockserver.Options) { o.Extended = true })
		if test.prepare != nil {
			test.prepare(b.Server)
		}
		b.Set(core.Object{"extended_reads": true})
		b.Resource(
			categories,
			with(
				least(categories),
				core.Object{"media_url": "https://media.example.com/video.mp4", "use_scenes": true},
			),
		)
		if test.fault.Route != "" {
			b.Fault(test.fault)
		}
		result := b.Apply()
		b.wantAsked(1)
		if test.says != "" {
			b.WantError(result.Diagnostics, withoutResult, `job_id "`, test.says)
			return
		}
		result.Must()
		tags, _ := b.Value(categories, "tags").([]any)
		check.True(t, "there are tags", len(tags) > 0, b.State(categories))
		b.ResetJournal()
		b.Plan().Must().WantEmpty()
		b.WantCount(t, mockserver.RouteCategoryJob, 0)
	})
}
