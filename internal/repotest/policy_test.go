package repotest_test

import (
	"fmt"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

type budget = repotest.Budget

// What is unknown of an element, or of a training, in a change that creates or
// updates, counts; nothing else does.
func TestPolicies(t *testing.T) {
	t.Parallel()
	const group = "mediagen_generation_group"
	change := func(kind, actions, unknown string) string {
		return fmt.Sprintf(`{"resource_changes":[{"address":"x","type":%q,"change":{"actions":%s,"after_unknown":%s}}]}`, kind, actions, unknown)
	}
	const elements = `{"id":true,"complete":true,"generations":{"a":true,"b":true,"awaited":{"status":true,"id":false},"kept":{},"false":false},"result_urls":{"awaited":true}}`
	for name, test := range map[string]struct {
		plan string
		want budget
	}{
		"created":                   {change(group, `["create"]`, elements), budget{2.0, map[string]any{"x": []any{"a", "b"}}}},
		"updated":                   {change(group, `["update"]`, elements), budget{2.0, map[string]any{"x": []any{"a", "b"}}}},
		"replaced":                  {change(group, `["create","delete"]`, elements), budget{2.0, map[string]any{"x": []any{"a", "b"}}}},
		"deleted":                   {change(group, `["delete"]`, elements), budget{0.0, nil}},
		"read":                      {change(group, `["read"]`, elements), budget{0.0, nil}},
		"another type":              {change("mediagen_character", `["create"]`, elements), budget{0.0, nil}},
		"all unknown":               {change(group, `["create"]`, `{"generations":true}`), budget{"unknown", map[string]any{"x": "unknown"}}},
		"all unknown and deleted":   {change(group, `["delete"]`, `{"generations":true}`), budget{0.0, nil}},
		"none unknown":              {change(group, `["update"]`, `{"generations":{}}`), budget{0.0, nil}},
		"nothing unknown":           {change(group, `["update"]`, `{}`), budget{0.0, nil}},
		"a training":                {change("mediagen_body_lora_training", `["create"]`, `{"id":true,"status":true}`), budget{1.0, map[string]any{"x": []any{"id"}}}},
		"a face":                    {change("mediagen_face_lora_training", `["create"]`, `{"id":true}`), budget{1.0, map[string]any{"x": []any{"id"}}}},
		"a training that is waited": {change("mediagen_body_lora_training", `["update"]`, `{"status":true}`), budget{0.0, nil}},
		"a dataset":                 {change("mediagen_dataset", `["create"]`, `{"id":true,"status":true}`), budget{1.0, map[string]any{"x": []any{"id"}}}},
		"an image":                  {change("mediagen_image", `["create"]`, `{"id":true,"output":true}`), budget{1.0, map[string]any{"x": []any{"id"}}}},
		"a regeneration":            {change("mediagen_dataset_image_regeneration", `["delete","create"]`, `{"id":true}`), budget{1.0, map[string]any{"x": []any{"id"}}}},
		"an answer":                 {change("mediagen_chat_completion", `["create"]`, `{"id":true}`), budget{0.0, nil}},
		"a dataset that is waited":  {change("mediagen_dataset", `["update"]`, `{"status":true}`), budget{0.0, nil}},
		"no changes":                {`{}`, budget{0.0, nil}},
		"errored":                   {`{"errored":true}`, budget{"unknown", nil}},
		"not errored":               {`{"errored":false,"resource_changes":[]}`, budget{0.0, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repotest.WantPolicies(t, test.plan, test.want)
		})
	}
}
