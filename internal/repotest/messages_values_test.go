package repotest_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

func wrongProviders() map[string]core.Object {
	return map[string]core.Object{
		"no scheme":       {"base_url": "127.0.0.1:8780/v2"},
		"no address":      {},
		"no version":      {"base_url": "https://api.example.com"},
		"http":            {"base_url": "http://api.example.com/v2"},
		"durations":       {"base_url": "https://api.example.com/v2", "request_timeout": "soon", "paid_request_timeout": "0s"},
		"numbers":         {"base_url": "https://api.example.com/v2", "max_requests_per_minute": int64(0), "max_retries": int64(-1), "max_purchases": int64(-1)},
		"blank key":       {"base_url": "https://api.example.com/v2", "api_key": " "},
		"two credentials": {"base_url": "https://api.example.com/v2", "api_key": "one-credential", "access_token": "another-one"},
		"no provider":     {"base_url": "https://api.example.com/v2", "token_provider": core.Object{}},
		"header":          {"base_url": "https://api.example.com/v2", "token_provider": core.Object{"url": "https://ci.example.com", "headers": core.Object{"X:": "a", "X": "a\n"}}},
		"OIDC, nothing":   {"base_url": "https://api.example.com/v2", "token_provider": core.Object{"url": "https://ci.example.com", "use_oidc": true}},
		"OIDC, twice":     {"base_url": "https://api.example.com/v2", "token_provider": core.Object{"url": "https://ci.example.com", "use_oidc": true, "oidc_audience": "a", "headers": core.Object{"Authorization": "a"}}},
		"OIDC, not on":    {"base_url": "https://api.example.com/v2", "token_provider": core.Object{"url": "https://ci.example.com", "oidc_token": "a", "oidc_audience": "a"}},
		"OIDC, no token":  {"base_url": "https://api.example.com/v2", "token_provider": core.Object{"url": "https://ci.example.com", "use_oidc": true, "oidc_audience": "a"}},
		"OIDC, no JWT":    {"base_url": "https://api.example.com/v2", "token_provider": core.Object{"url": "https://ci.example.com", "use_oidc": true, "oidc_audience": "a", "oidc_token": "an-opaque-one"}},
		"unknown":         {"base_url": core.UnknownUntilApply("https://api.example.com/v2")},
	}
}

func wrongProvider(config core.Object) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		s := newReplanService(t)
		w := s.Scenario(t)
		w.Workspace.Provider(config)
		_, said := w.DataSource("mediagen_characters", core.Object{})
		hear(said)
		w.Resource("mediagen_character.x", core.Object{"id": "ada"})
		hear(w.Apply().Diagnostics)
		maps.Copy(s.Environment, map[string]string{
			"MEDIAGEN_BASE_URL": "127.0.0.1:8780/v2", "MEDIAGEN_MAX_RETRIES": "many", "MEDIAGEN_MAX_CREDITS": "-1", "MEDIAGEN_PRICES": `{"prompt":1}`, "MEDIAGEN_TRUST_NOT_FOUND": "perhaps", "MEDIAGEN_USE_OIDC": "perhaps",
			"MEDIAGEN_REQUEST_TIMEOUT": "soon", "MEDIAGEN_API_KEY": " ", "MEDIAGEN_ACCESS_TOKEN": "a-token", "MEDIAGEN_TOKEN_PROVIDER_HEADERS": "{",
		})
		hear(w.Apply().Diagnostics)
	}
}

func wrongValues() map[string][]core.Object {
	prompts := func(prompt any) core.Object { return core.Object{"prompts": core.Object{"p17": prompt}} }
	message := func(role, content any) core.Object {
		return core.Object{"messages": []any{core.Object{"role": role, "content": content}}}
	}
	timeouts := core.Object{"timeouts": core.Object{"create": "soon", "update": "0s", "delete": "-1m"}}
	return map[string][]core.Object{
		"mediagen_character":          {{"id": nil, "name": nil}, {"id": " "}, {"id": ".."}, {"id": "a\x00"}, {"name": ""}, {"description": "\x00" + hush}, {"deletion_policy": "forget"}},
		"mediagen_face_image":         {{"character_id": "."}, {"source": ""}, {"source": nil}, {"source": "no/such/file.png"}, {"source": "../acctest"}, {"source": ".."}, {"source": "messages_test.go"}, {"filename": " "}},
		"mediagen_body_image":         {{"image_type": nil}, {"image_type": "front"}, {"source": nil}},
		"mediagen_body_lora_training": {{"character_id": nil}, {"character_id": ""}, timeouts},
		"mediagen_face_lora_training": {{"character_id": nil}, timeouts},
		"mediagen_generation_group": {
			timeouts, {"prompts": core.Object{}}, {"prompts": core.Object{" ": core.Object{"prompt": "A" + hush}}}, {"max_attempts": 0}, {"max_prompts_per_batch": 0}, {"title": "\x00" + hush},
			prompts(nil), prompts(core.Object{}), prompts(core.Object{"prompt": ""}), prompts(core.Object{"prompt": "a\x00" + hush}), prompts(core.Object{"prompt": "a" + hush, "source_image_url": "a.png"}), prompts(core.Object{"prompt": "a" + hush, "source_image_url": "data:," + strings.Repeat("A", 1<<16)}),
			{"prompts": core.Object{"p": core.Object{"prompt": "a" + hush, "use_face_lora": true}, "q": core.Object{"prompt": "a" + hush, "use_face_lora": true, "use_body_lora": true}}},
		},
		"mediagen_dataset_image_regeneration": {{"image_id": " "}, {"prompt": ""}, {"character_id": "/.."}, {"character_id": ".."}},
		"mediagen_dataset":                    {{"character_id": " "}, {"prompts": []any{}}, {"prompts": []any{nil}}, {"prompts": []any{" "}}, {"timeouts": core.Object{"create": "soon", "update": "0s"}}},
		"mediagen_dataset_approval":           {{"character_id": " "}, {"image_ids": nil}, {"image_ids": []any{nil}}, {"image_ids": []any{" "}}},
		"mediagen_chat_completion": {
			{"messages": []any{nil}}, message("user", nil), message("user", "\x00"+hush),
			{"tools": []any{core.Object{"name": " ", "parameters": "[]"}}}, {"tools": []any{core.Object{"name": "f", "parameters": "{"}}}, {"stop": []any{nil, "\x00"}},
		},
		"mediagen_vision_completion": {
			message("user", []any{}), message("user", []any{nil}), message("user", []any{core.Object{}}),
			message("user", []any{core.Object{"text": "a" + hush, "image_url": "https://a.example.com/b.png"}}), message("user", []any{core.Object{"image_url": "data:image/png"}}), message("user", []any{core.Object{"image_url": "b.png"}}),
		},
		"mediagen_media_categorization": {{"media_url": "a.png"}, {"media_url": "data:," + strings.Repeat("A", 1<<16)}, {"media_url": "https://u:p@a.example.com/"}, {"metadata": []any{}}, {"metadata": []any{nil}}, {"metadata": []any{"mood"}}},
		"mediagen_image":                {{"prompt": " "}, {"prompt": "\x00" + hush}},
	}
}

func wrongValue(address string, config core.Object, changes []core.Object) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		s := newReplanService(t)
		for _, change := range changes {
			w, changed := s.Scenario(t), maps.Clone(config)
			maps.Copy(changed, change)
			w.Resource(address, changed)
			said := w.Apply().Diagnostics
			check.True(t, "something is said", len(said) != 0, change)
			hear(said)
		}
	}
}
