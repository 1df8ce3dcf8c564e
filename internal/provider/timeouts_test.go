package provider_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	hangingGroup    = "mediagen_generation_group.g"
	hangingTraining = "mediagen_body_lora_training.t"
)

// timed has a group of three prompts or a training, of an hour, with timeouts
// of five seconds.
func timed(t *testing.T, address string) scenario {
	t.Helper()
	service := acctest.NewInBubble(t, func(o *mockserver.Options) {
		o.GenerationTime = time.Hour
		o.TrainingTime = time.Hour
	})
	b := scenario{service.Scenario(t)}
	b.AddCharacter(mockserver.CharacterSeed{ID: "ch_1", FaceImages: 10})
	b.configure(address, false, "a", "b", "c")
	b.Apply().Must()
	return b
}

// configure writes the group, with these prompts, or the training.
func (b scenario) configure(address string, waits bool, keys ...string) {
	config := core.Object{"wait_for_completion": waits, "timeouts": core.Object{"update": "5s", "delete": "5s"}}
	if address == hangingGroup {
		config["prompts"] = texts(keys...)
	} else {
		config["character_id"] = "ch_1"
	}
	b.Resource(address, config)
}

func texts(keys ...string) core.Object {
	prompts := core.Object{}
	for _, key := range keys {
		prompts[key] = core.Object{"prompt": "A picture of " + key}
	}
	return prompts
}

// Whatever hangs: five seconds once became 60, 120 and more than 170.
// Fault F24.
func TestProvider_timeoutsHold(t *testing.T) {
	t.Parallel()
	const destroys, updates = "timeouts.delete sets the time", "timeouts.update sets the time"
	waits := func(b scenario, address string) { b.configure(address, true, "a", "b", "c") }
	for name, test := range map[string]struct {
		address string
		// change is made before the apply; nil destroys.
		change func(b scenario, address string)
		// route hangs from the apply's first request on that comes after an answer of after.
		route, after string
		requests     int
		says         string
	}{
		"deletion of a group":        {hangingGroup, nil, mockserver.RouteDeleteGroup, "", 1, destroys},
		"renewal of the token":       {hangingGroup, nil, mockserver.RouteToken, mockserver.RouteDeleteGroup, 2, destroys},
		"read before a cancellation": {hangingTraining, nil, mockserver.RouteTraining, "", 1, destroys},
		"cancellation":               {hangingTraining, nil, mockserver.RouteCancel, "", 1, destroys},
		"read after a cancellation":  {hangingTraining, nil, mockserver.RouteTraining, mockserver.RouteCancel, 2, destroys},
		"training in a wait":         {hangingTraining, waits, mockserver.RouteTraining, "", 1, updates},
		"generation in a wait":       {hangingGroup, waits, mockserver.RouteStatus, "", 1, updates},
		"deletion of two generations": {hangingGroup, func(b scenario, address string) {
			b.configure(address, false, "a")
		},
			mockserver.RouteDelete, "", 1, updates},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := timed(t, test.address)
				var options []core.PlanOption
				if test.change == nil {
					options = append(options, core.Destroying())
				} else {
					test.change(b, test.address)
				}
				plan := b.Plan(options...)
				b.ResetJournal()
				b.Fault(
					mockserver.Fault{
						Route:      test.route,
						After:      test.after,
						Hold:       make(chan struct{}),
						DropBefore: true,
					},
				)
				if test.route == mockserver.RouteToken {
					b.Before(mockserver.RouteDeleteGroup, b.RevokeTokens)
				}
				begun := time.Now()
				said := b.ApplyPlan(plan).Diagnostics
				check.True(t, "what it took", time.Since(begun) <= 8*time.Second, time.Since(begun))
				check.True(t, "something says", strings.Contains(said.String(), test.says), test.says, said)
				b.WantCount(t, test.route, test.requests)
				check.True(t, "it stays in the state", b.State(test.address) != nil)
			})
		})
	}
}

// A read of a plan that was not answered in time is not sent again, and the error
// names the setting. Pauses that the service asks for are no part of that time.
// Fault F24.
func TestProvider_planGivesUpAfterOneTimeOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := timed(t, hangingTraining)
		b.ResetJournal()
		b.Fault(
			mockserver.Fault{
				Route:  mockserver.RouteTraining,
				Times:  1,
				Status: 503,
				Header: http.Header{"Retry-After": {"40"}},
			},
		)
		b.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Hold: make(chan struct{})})
		begun := time.Now()
		b.WantError(b.Plan().Diagnostics, "Service Unreachable", "No answer within 1m0s (request_timeout)")
		check.True(t, "what it took", time.Since(begun) <= 110*time.Second, time.Since(begun))
		b.WantCount(t, mockserver.RouteTraining, 2)
	})
}
