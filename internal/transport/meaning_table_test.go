package transport_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// The bodies of the table, by what they are.
var tableBodies = map[string][]string{
	"result":  {started},
	"nothing": {"", " \n", "null", "true", "{}", `""`, `"OK"`, "OK", "deleted", "No Content"},
	"page":    {"<html><title>Maintenance</title></html>", "<html><nav>Rate limits</nav></html>"},
	"garbled": {`{"job_i`, "[1]", "false", "Internal error", `"permission denied"`, "two\nlines"},
	"denial": {
		`{"success":false,"message":"no"}`,
		`{"error":{"code":"quota","message":"The quota of your plan and its credits are used up"}}`,
		`{"success":false,"error":"insufficient_credits","message":"The balance is at its limit"}`,
	},
	"limit": {
		`{"error":{"code":429}}`,
		`{"error":429}`,
		`{"error":"Too many requests"}`,
		`{"success":false,"message":"rate limit exceeded"}`,
		`{"error":{"type":"rate_limit_error","message":"slow down"}}`,
		`{"error":{"code":"RateLimitExceeded"}}`,
	},
	"counted": {`{"error":{"code":429},"credits_deducted":5}`},
	"named":   {`{"error":"too many requests","job_id":"job_1"}`},
}

// The headers of the table; those that are no hint come with "none".
var tableHints = map[string][]http.Header{
	"none": {
		{},
		{"Retry-After": {"Tue, 01 Jan 2030 00:00:00 GMT"}},
		{"Retry-After": {"-1"}},
		{"Retry-After": {"soon"}},
		{"X-Ratelimit-Remaining": {"3"}},
		{"Ratelimit": {`"default";r=10;t=30`}},
	},
	"wait": {{"Retry-After": {"1"}}, {"Retry-After": {"0"}}, {"Retry-After": {"Wed, 02 Jan 2030 03:04:35 GMT"}}},
	"exhausted": {
		{"X-Ratelimit-Remaining": {"0"}},
		{"Ratelimit-Remaining": {"0"}},
		{"Ratelimit": {`"default";r=0;t=30`}},
		{"Ratelimit": {"limit=10, remaining=0, reset=5"}},
		{"X-Ratelimit-Remaining": {"5, 0;w=60"}},
	},
}

// The classes of the table.
var tableClasses = map[string]func() *transport.Request{
	"read":       func() *transport.Request { return transport.Get("/x") },
	"idempotent": func() *transport.Request { return transport.Put("/x") },
	"unpaid":     func() *transport.Request { return transport.Post("/cancel").Expect("success", "job_id") },
	"paid":       order,
}

// cell is one of the table.
type cell struct {
	class, hint, body string
	status            int
}

// isLimit is what the account's limit of requests looks like: nothing that a
// POST may have done is taken for it.
func (c cell) isLimit() bool {
	isPost := c.class == "paid" || c.class == "unpaid"
	inWords := c.body == "limit" || c.class != "paid" && (c.body == "counted" || c.body == "named")
	if c.class == "unpaid" && c.body == "named" && c.status < 300 {
		inWords = false // it has what it should have
	}
	switch {
	case c.status == 429:
		return true
	case c.status < 200 || c.status >= 300 && c.status < 400:
		return false
	case c.status < 300:
		return inWords
	case c.status == 503:
		return c.hint != "none" && !isPost
	case c.status > 499 || c.status == 408 && isPost:
		return false
	case c.class == "paid" && (c.body == "result" || c.body == "counted" || c.body == "named"):
		return false
	case reply.IsBusyStatus(c.status) && c.class != "read":
		return c.hint == "exhausted" || inWords
	default:
		return c.hint != "none" || inWords
	}
}

// wants is whether the request is sent again, and what is known of its effect
// if every answer is the same.
func (c cell) wants() (again bool, effect reply.Effect) {
	isPost := c.class == "paid" || c.class == "unpaid"
	unknown := reply.EffectNone
	if isPost {
		unknown = reply.EffectUnknown
	}
	switch {
	case c.isLimit():
		return true, reply.EffectNone
	case c.status < 200:
		return !isPost, unknown
	case c.status < 300:
		return c.wantsOfSuccess(isPost, unknown)
	case c.status < 400:
		return false, unknown
	case c.status == 408, c.status >= 500:
		return !isPost && c.status != 501, unknown
	case reply.IsBusyStatus(c.status):
		return c.class == "idempotent", reply.EffectNone
	default:
		return false, reply.EffectNone
	}
}

func (c cell) wantsOfSuccess(isPost bool, unknown reply.Effect) (again bool, effect reply.Effect) {
	switch c.body {
	case "result":
		return false, reply.EffectAccepted
	case "nothing":
		if c.class == "idempotent" || c.class == "unpaid" {
			return false, reply.EffectAccepted
		}
		return !isPost, unknown
	case "page", "garbled":
		return !isPost, unknown
	case "counted":
		return false, reply.EffectAccepted
	case "named":
		if c.class == "unpaid" {
			return false, reply.EffectAccepted
		}
		return false, reply.EffectUnknown
	default:
		return false, reply.EffectNone
	}
}

// send has every answer be the same until the given one, and then a result.
func (c cell) send(t *testing.T, header http.Header, body string, until int) (requests int, err error) {
	t.Helper()
	config := transport.Config{Credential: transport.Credential{AccessToken: "static"}, Clock: newClock()}
	client := answering(t, config, func(r *http.Request) *http.Response {
		requests++
		if requests > until {
			return response(r, http.StatusOK, started)
		}
		answer := response(r, c.status, body)
		answer.Header = header
		return answer
	})
	_, err = client.Do(t.Context(), tableClasses[c.class]())
	return requests, err
}

// What an answer means is decided by all of it: each status, with each kind of
// hint and of body, to each class of request. Of the texts of a kind each status
// has another. Fault F43.
func TestMeaning(t *testing.T) {
	t.Parallel()
	statuses := []int{
		100,
		101,
		199,
		200,
		201,
		202,
		204,
		207,
		299,
		301,
		307,
		400,
		401,
		402,
		403,
		404,
		408,
		409,
		410,
		413,
	}
	statuses = append(statuses, 418, 420, 422, 423, 425, 429, 451, 499, 500, 501, 502, 503, 504, 520, 599)
	t.Run("some", func(t *testing.T) {
		t.Parallel()
		eachCell(t, statuses)
	})
	t.Run("all", func(t *testing.T) {
		tier.Long(t, "each status from 100 to 599")
		t.Parallel()
		var all []int
		for status := 100; status < 600; status++ {
			all = append(all, status)
		}
		eachCell(t, all)
	})
}

func eachCell(t *testing.T, statuses []int) {
	t.Helper()
	for _, status := range statuses {
		for hint, headers := range tableHints {
			for kind, bodies := range tableBodies {
				for class := range tableClasses {
					header := headers[status%len(headers)]
					body := bodies[status%len(bodies)]
					checkCell(t, cell{class, hint, kind, status}, header, body)
				}
			}
		}
	}
}

func checkCell(t *testing.T, c cell, header http.Header, body string) {
	t.Helper()
	what := fmt.Sprintf("%s answered %d with %v and %q", c.class, c.status, header, body)
	again, effect := c.wants()
	requests, err := c.send(t, header, body, 1)
	wanted := 1
	if again {
		wanted = 2
	}
	check.Equal(t, what+": requests", requests, wanted)
	if again {
		check.NoError(t, err)
		return
	}
	got := reply.EffectAccepted
	if err != nil {
		got = reply.ErrorOf(err).Proves.Effect
	}
	check.True(t, what+": the effect", got == effect, got, effect, err)
}

// Each text and each header of the table, to the statuses that they matter to.
func TestMeaning_ofEachText(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 400, 403, 409, 420, 503} {
		for _, class := range slices.Sorted(maps.Keys(tableClasses)) {
			for kind, bodies := range tableBodies {
				for _, body := range bodies {
					checkCell(t, cell{class, "none", kind, status}, http.Header{}, body)
				}
			}
			for hint, headers := range tableHints {
				for _, header := range headers {
					checkCell(t, cell{class, hint, "denial", status}, header, tableBodies["denial"][0])
				}
			}
		}
	}
}
