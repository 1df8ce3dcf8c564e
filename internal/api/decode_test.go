package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// TestEveryReplySurvivesNonsense decodes each reply with every field missing,
// null and of every wrong type.
// Fault F2.
func TestEveryReplySurvivesNonsense(t *testing.T) {
	t.Parallel()
	fields := strings.Fields(`characters pagination filters character_id name assets total asset_id images approved_count face_lora body_lora can_generate batch_id results
		group_id generation_id status result_urls progress performance_metadata details deleted_generations character_training face_training
		character_training_history face_training_history has_active_training job_id training_steps credits_deducted remaining_balance`)
	for _, value := range []string{"null", "12.0", `"12"`, `"text"`, "true", "[]", "{}", `[null,1,"a",{},[]]`, `{"a":{"b":[1]}}`, "1e400"} {
		var members []string
		for _, field := range fields {
			members = append(members, fmt.Sprintf("%q:%s", field, value))
		}
		// success keeps paid replies from being of unknown outcome. An upload's needs an id.
		s := newService(t, always(200, `{"success":true,`+strings.Join(members, ",")+"}"))
		client := s.client(t)
		for operation, send := range operations {
			if err := send(t.Context(), client); err != nil && (operation != "upload" || !reply.IsEffectUnknown(err)) {
				t.Errorf("%s of %s: %v", operation, value, err)
			}
		}
		_, errPage := client.CharactersPage(t.Context(), nil, nil)
		_, errAssets := client.Assets(t.Context(), "ch1", "face_image")
		_, errImages := client.DatasetImages(t.Context(), "ch1", nil)
		_, errTraining := client.TrainingStatus(t.Context(), "ch1")
		_, errCapabilities := client.Capabilities(t.Context(), "ch1")
		_, errGeneration := client.DeleteGeneration(t.Context(), "g1")
		for _, err := range []error{errPage, errAssets, errImages, errTraining, errCapabilities, errGeneration} {
			check.True(t, value, err == nil, err)
		}
	}
}
