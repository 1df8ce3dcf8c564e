package acctest_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestRepeatable(t *testing.T) {
	t.Parallel()
	var took []time.Duration
	for range 5 {
		s := acctest.NewRepeatable(t)
		s.AddCharacter(mockserver.CharacterSeed{ID: "ada"})
		s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Nth: 1, Times: 3, Status: 503})
		w := s.Scenario(t)
		w.Resource("mediagen_generation_group.g", core.Object{"character_id": "ada", "prompts": core.Object{"a": core.Object{"prompt": "A"}}})
		w.Apply().Must()
		s.WantCount(t, mockserver.RouteBatch, 1)
		took = append(took, s.Clock.Slept())
	}
	for _, duration := range took {
		check.Equal(t, "how long the same run takes", duration, took[0])
	}
}
