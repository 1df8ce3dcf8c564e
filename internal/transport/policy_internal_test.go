package transport

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// TestRetryPolicy is the whole policy: what follows each outcome of an attempt,
// by the class of the request, while something is left. Without it everything
// stops. Fault F2.
func TestRetryPolicy(t *testing.T) {
	t.Parallel()
	const (
		no    = stop
		yield = waitForService
	)
	classes := []Class{
		read,
		idempotent,
		once,
		token,
	}
	for name, test := range map[string]struct {
		outcome outcome
		// of a read, an idempotent request, a POST, a token request
		want [4]step
	}{
		"success":                           {succeeded, [4]step{no, no, no, no}},
		"success: false":                    {saidFailed, [4]step{no, no, no, no}},
		"given up by ourselves":             {interrupted, [4]step{no, no, no, no}},
		"a certificate that is not trusted": {unreachable, [4]step{no, no, no, no}},
		"no connection":                     {neverSent, [4]step{retry, retry, retry, retry}},
		"no answer":                         {unanswered, [4]step{retry, retry, no, retry}},
		"a 2xx that cannot be read":         {unreadable, [4]step{retry, retry, no, no}},
		"a 2xx that is cut off":             {cutOff, [4]step{retry, retry, no, retry}},
		"a 2xx that is too large":           {tooLarge, [4]step{no, no, no, no}},
		"a redirect":                        {redirected, [4]step{follow, no, no, no}},
		"a redirect of the same request":    {sentElsewhere, [4]step{follow, no, no, no}},
		"401":                               {unauthorized, [4]step{renew, renew, renew, renew}},
		"403":                               {forbidden, [4]step{renew, renew, renew, renew}},
		"408":                               {timedOut, [4]step{retry, retry, no, no}},
		"429":                               {tooManyRequests, [4]step{yield, yield, yield, yield}},
		"409, 423, 425":                     {busy, [4]step{no, await, no, no}},
		"any other 4xx":                     {refused, [4]step{no, no, no, no}},
		"5xx":                               {serverError, [4]step{retry, retry, no, retry}},
		"501":                               {notImplemented, [4]step{no, no, no, retry}},
	} {
		for i, class := range classes {
			what := fmt.Sprint(name, ", class ", class)
			all := remaining{
				mayRenew:  true,
				mayFollow: true,
				mayRetry:  true,
				mayWait:   true,
				mayAwait:  true,
			}
			check.Equal(t, what, next(class, test.outcome, all), test.want[i])
			check.Equal(t, what+" with nothing left", next(class, test.outcome, remaining{}), no)
		}
	}
}

// TestEffect is all that is known of a request's effect: accepted, unknown or
// refused. Fault F22.
func TestEffect(t *testing.T) {
	t.Parallel()
	effects := map[reply.Effect][]outcome{
		reply.EffectAccepted: {succeeded},
		reply.EffectNone: {
			saidFailed, unauthorized, forbidden, tooManyRequests, busy, refused, sentElsewhere,
		},
		reply.EffectUnknown: {
			interrupted, unreachable, neverSent, unanswered, unreadable, cutOff, tooLarge, redirected, timedOut,
			serverError, notImplemented,
		},
	}
	for post, outcomes := range effects {
		elsewhere := reply.EffectNone
		if post == reply.EffectAccepted {
			elsewhere = reply.EffectAccepted
		}
		for _, ended := range outcomes {
			want := func(want reply.Effect, class Class, sent, whole bool) {
				t.Helper()
				got := effectOf(ending{class: class, outcome: ended, sent: sent, whole: whole})
				check.True(t, "the effect", got == want, class, ended, sent, whole, got, want)
			}
			want(post, once, true, true)
			want(elsewhere, once, false, true)
			want(elsewhere, once, true, false)
			for _, class := range []Class{read, idempotent, token} {
				want(elsewhere, class, true, true)
			}
		}
	}
	for said, want := range map[[2]bool]reply.Effect{
		{true, true}:   reply.EffectAccepted,
		{true, false}:  reply.EffectAccepted,
		{false, true}:  reply.EffectUnknown,
		{false, false}: reply.EffectNone,
	} {
		got := effectOf(ending{once, saidFailed, true, true, said[0], said[1]})
		check.Equal(t, fmt.Sprint("counted, named: ", said), got, want)
	}
}

// Fault F18.
func TestWhatIsAnAnswer(t *testing.T) {
	t.Parallel()
	silence := []outcome{
		interrupted,
		unreachable,
		neverSent,
		unanswered,
		timedOut,
		serverError,
		notImplemented,
	}
	for outcome := succeeded; outcome <= notImplemented; outcome++ {
		check.True(
			t,
			"whether the outcome is an answer",
			outcome.isAnswer() != slices.Contains(silence, outcome),
			outcome,
			outcome.isAnswer(),
		)
	}
}

// outcomeOfStatus sorts an answer by its status alone.
func outcomeOfStatus(status int) outcome { return meaning(answer{status: status, body: garbled}) }

// TestOutcomeOfEveryStatus is what a status by itself says of a request:
// nothing but a 4xx refuses. Fault F4.
func TestOutcomeOfEveryStatus(t *testing.T) {
	t.Parallel()
	for status := range 1000 {
		outcome := outcomeOfStatus(status)
		want := serverError
		switch {
		case status < 300:
			want = unreadable
		case status < 400:
			want = redirected
		case status < 500:
			want = refused
		}
		special := slices.Contains([]int{401, 403, 408, 409, 423, 425, 429, 501}, status)
		check.True(t, "the outcome", special != (outcome == want), status, outcome, want)
	}
}

func TestOutcomeOfAStatus(t *testing.T) {
	t.Parallel()
	for want, statuses := range map[outcome][]int{
		refused:         {400, 402, 404, 410, 413, 422},
		unauthorized:    {401},
		forbidden:       {403},
		timedOut:        {408},
		busy:            {409, 423, 425},
		tooManyRequests: {429},
		unreadable:      {100, 101, 103, 199},
		redirected:      {304},
		serverError:     {500, 502, 503, 504, 599},
		notImplemented:  {501},
	} {
		for _, status := range statuses {
			check.Equal(t, fmt.Sprint(status), outcomeOfStatus(status), want)
		}
	}
}
