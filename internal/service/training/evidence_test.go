package training_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const gatewayPage = "<html><body><h1>404 Not Found</h1></body></html>"

// A cancellation answered by a gateway is none, and does not end the job.
// Fault F13.
func TestGatewayCancelsNothing(t *testing.T) {
	t.Parallel()
	for name, routes := range map[string][]string{
		"cancel": {mockserver.RouteCancel}, "status": {mockserver.RouteTraining}, "both": {mockserver.RouteCancel, mockserver.RouteTraining},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := applied(t, core.Object{"wait_for_completion": false})
			s.Refresh()
			for _, route := range routes {
				s.Fault(mockserver.Fault{Route: route, Status: 404, Body: gatewayPage})
			}
			result := s.Apply(core.Destroying(), core.Refresh(false))
			s.WantError(result.Diagnostics, "Unable to Cancel Body LoRA Training", "404", "trust_not_found")
			check.True(t, "the training goes on", s.State(address) != nil && s.Trainings(s.character)[0].Status != "cancelled", s.State(address), s.Trainings(s.character))
			s.ClearFaults()
			s.Destroy().Must()
			if job := s.Trainings(s.character)[0]; job.Status != "cancelled" {
				t.Errorf("the job is %s", job.Status)
			}
		})
	}
}
