package provider_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// organization is a hundred characters with twenty groups, trainings and
// images, in the state.
func organization(t *testing.T) scenario {
	t.Helper()
	service := acctest.NewInBubble(t)
	b := scenario{service.Scenario(t)}
	b.Parallel(10)
	for i := range 100 {
		id := b.AddCharacter(mockserver.CharacterSeed{ID: fmt.Sprintf("ch_%d", i), FaceImages: 10})
		b.Resource("mediagen_character."+id, core.Object{"id": id})
		if i < 20 {
			prompts := core.Object{"a": core.Object{"prompt": "A of " + id}, "b": core.Object{"prompt": "B of " + id}}
			b.Resource("mediagen_generation_group."+id, core.Object{"character_id": id, "prompts": prompts})
			b.Resource("mediagen_body_lora_training."+id, core.Object{"character_id": id})
			b.Resource("mediagen_face_image."+id, core.Object{"character_id": id, "source": "testdata/face.png"})
		}
	}
	b.Apply().Must()
	b.ResetJournal()
	return b
}

// What fails after the token was issued is an error of each object, of which
// one tells all. Fault F18.
func TestProvider_deadServiceFailsOnce(t *testing.T) {
	tier.Long(t, "a dead service in real time, 5 seconds")
	t.Parallel()
	everywhere := mockserver.Fault{Status: 503, Body: `{"message":"down for maintenance"}`}
	for name, test := range map[string]struct {
		fail   func(scenario)
		within time.Duration
		route  string
		// attempts of the route, or connections, at most.
		attempts, errors int
		story            string
	}{
		"connection refused": {
			func(b scenario) { b.RefuseConnections(1 << 30) },
			15 * time.Second,
			"",
			2,
			1,
			"The connection was refused (POST http://localhost/auth/generate-token, sent 2 times within ",
		},
		"503": {
			func(b scenario) { b.Fault(everywhere) },
			45 * time.Second,
			mockserver.RouteToken,
			5,
			1,
			"Down for maintenance (503 Service Unavailable, POST http://localhost/auth/generate-token, sent 5 times " +
				"within ",
		},
		"503 but for the token": {func(b scenario) {
			b.Fault(mockserver.Fault{Route: mockserver.RouteToken})
			b.Fault(everywhere)
		}, 45 * time.Second, mockserver.RouteCharacters, 5, 160, " times within "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := organization(t)
				test.fail(b)
				begun := time.Now()
				errors := b.Plan().Diagnostics.Errors()
				check.True(t, "what it took", time.Since(begun) <= test.within, time.Since(begun))
				attempts := b.Refused() + b.Count(test.route)
				check.True(
					t,
					"attempts",
					attempts <= test.attempts && attempts != 0,
					attempts,
					test.attempts,
					b.Story(),
				)
				full := 0
				for _, failure := range errors {
					switch {
					case failure.Summary != "Service Unreachable":
						t.Errorf("the cause is not its name:\n%s", failure)
					case strings.Contains(failure.Detail, test.story) &&
						strings.Contains(failure.Detail, ", to http://localhost)"):
						full++
					case !strings.Contains(failure.Detail, "the same failure as another object's"):
						t.Errorf("it does not say that it is the same:\n%s", failure)
					}
				}
				check.True(
					t,
					"one error tells all",
					full == 1 && len(errors) == test.errors,
					full,
					len(errors),
					errors[0],
				)
			})
		})
	}
}

// What is waited for has been paid for: its polls are retried as before.
// Fault F18.
func TestProvider_waitsOutlastAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := acctest.NewInBubble(t, func(o *mockserver.Options) {
			o.GenerationTime = 4 * time.Minute
			o.TrainingTime = 4 * time.Minute
		})
		b := scenario{service.Scenario(t)}
		b.Workspace.Provider(core.Object{"base_url": b.URL, "api_key": acctest.APIKey, "max_retries": int64(10)})
		b.Parallel(10)
		for i := range 3 {
			id := b.AddCharacter(mockserver.CharacterSeed{ID: fmt.Sprintf("ch_%d", i), FaceImages: 10})
			b.Resource("mediagen_body_lora_training."+id, core.Object{"character_id": id})
			b.Resource(
				"mediagen_generation_group."+id,
				core.Object{"character_id": id, "prompts": core.Object{"a": core.Object{"prompt": "A of " + id}}},
			)
		}
		plan := b.Plan().Must()
		time.AfterFunc(30*time.Second, func() { b.Fault(mockserver.Fault{Status: 503}) })
		time.AfterFunc(2*time.Minute, b.ClearFaults)
		check.Equal(t, "no wait gives up", b.ApplyPlan(plan).Must().Diagnostics.Warnings().String(), "")
		b.WantCount(t, mockserver.RouteBatch, 3)
		b.WantCount(t, mockserver.RouteStartTraining, 3)
	})
}
