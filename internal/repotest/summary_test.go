package repotest_test

import (
	"encoding/json"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// A night's run tells a person what there is to see, and nothing of what others have written.
func TestSummary(t *testing.T) {
	t.Parallel()
	resources := []object{
		{"mode": "managed", "type": "mediagen_generation_group", "values": object{
			"id": "grp_1", "title": "<!channel>", "purchases": 5, "cost": 5, "failed_count": 2, "unconfirmed_count": 1,
			"pending_count": 1,
		}},
		{
			"mode":   "managed",
			"type":   "mediagen_image",
			"values": object{"id": "unconfirmed-1", "purchases": 1, "cost": nil},
		},
		{"mode": "managed", "type": "shop_order", "values": object{"purchases": 7, "failed_count": 7}},
		{"mode": "data", "type": "mediagen_purchases", "values": object{"purchases": []object{
			{"request": "r1", "open": true}, {"request": "r2", "open": false},
		}}},
		{"mode": "data", "type": "mediagen_purchases", "values": object{"purchases": []object{
			{"request": "r1", "open": true},
		}}},
	}
	trainings := []object{
		{
			"mode":   "managed",
			"type":   "mediagen_face_lora_training",
			"values": object{"id": "job_1", "succeeded": nil, "purchases": 1, "cost": 100},
		},
		{
			"mode":   "managed",
			"type":   "mediagen_body_lora_training",
			"values": object{"id": "job_2", "succeeded": false, "purchases": 1, "cost": 100},
		},
		{
			"mode":   "managed",
			"type":   "mediagen_body_lora_training",
			"values": object{"id": "unconfirmed-2", "succeeded": nil, "purchases": 1},
		},
	}
	values := object{"root_module": object{"resources": resources, "child_modules": []object{{"resources": trainings}}}}
	change := func(actions []string, before, after any) object {
		return object{
			"type":   "mediagen_generation_group",
			"change": object{"actions": actions, "before": before, "after": after},
		}
	}
	plan := object{
		"prior_state": object{"values": values},
		"resource_changes": []object{
			change([]string{"update"}, object{"purchases": 5}, object{"purchases": 7}),
			change([]string{"no-op"}, object{"purchases": 1}, object{"purchases": 1}),
		},
		"output_changes": object{"ids": object{"actions": []string{"update"}}},
	}
	counts := func(given object) object {
		encoded, err := json.Marshal(given)
		check.Must(t, err)
		return repotest.Summary(t, string(encoded)).(map[string]any)
	}
	check.Equal(t, "a plan", counts(plan), object{
		"bought":      9.0,
		"credits":     205.0,
		"failed":      3.0,
		"unconfirmed": 3.0,
		"running":     2.0,
		"open":        1,
		"planned":     2.0,
		"changes":     2,
		"found":       true,
		"sentence": "Mediagen: an apply buys 2 things; 2 objects or outputs differ; 3 have failed; " +
			"3 are unconfirmed; 2 still run; 1 is open in the log; 9 bought so far, for 205 credits.",
	})
	check.Equal(t, "its state: what is failed", counts(object{"values": values})["failed"], any(3.0))
	for name, test := range map[string]struct {
		plan     object
		found    bool
		sentence string
	}{
		"nothing": {object{}, false, "Mediagen: 0 bought so far, for 0 credits."},
		"a failed plan": {
			object{"errored": true}, true,
			"Mediagen: the plan has failed or does not tell what it buys; 0 bought so far, for 0 credits.",
		},
		"what runs is nothing to look at": {
			object{"values": object{"root_module": object{"resources": trainings[:1]}}}, false,
			"Mediagen: 1 still runs; 1 bought so far, for 100 credits.",
		},
	} {
		said := counts(test.plan)
		check.Equal(t, name, []any{said["found"], said["sentence"]}, []any{test.found, test.sentence})
	}
}
