package evidence

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// Trainings are the trainings that a run reads and starts.
type Trainings struct {
	*api.TrainingService
	client *Client
}

// StatusOnce reads the status once per character, and again after
// Trainings.Refresh.
func (s *Trainings) StatusOnce(ctx context.Context, characterID string) (*api.TrainingStatus, error) {
	return s.client.trainings.Get(ctx, characterID)
}

// Refresh makes later reads read the status and the capabilities again, because
// a change of a training may have changed them.
func (s *Trainings) Refresh(characterID string) {
	s.client.trainings.Refresh(characterID)
	s.client.capabilities.Refresh(characterID)
	s.client.boughtWith.Delete(characterID)
}
