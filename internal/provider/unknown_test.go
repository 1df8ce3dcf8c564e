package provider_test

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// unknowns are blocks of which one value is not known before an apply, which
// then is right.
func (b scenario) unknowns() map[string]core.Object {
	later := core.UnknownUntilApply
	provider := func(url, headers any) core.Object {
		return core.Object{"token_provider": core.Object{"url": url, "headers": headers}}
	}
	address := b.Host + "/token-provider"
	return map[string]core.Object{
		"base_url":               {"base_url": later(b.URL)},
		"auth_url":               {"auth_url": later(b.Host)},
		"allow_insecure_http":    {"allow_insecure_http": later(false)},
		"api_key":                {"api_key": later(acctest.APIKey)},
		"access_token":           {"access_token": later(b.IssueToken(""))},
		"token_provider":         {"token_provider": later(core.Object{"url": address, "headers": alice})},
		"token_provider.url":     provider(later(address), alice),
		"token_provider.headers": provider(address, later(alice)),
		"token_provider.use_oidc": {
			"token_provider": core.Object{"url": address, "headers": alice, "use_oidc": later(false)},
		},
		"token_provider.oidc_*": {"token_provider": core.Object{
			"url":                  address,
			"headers":              alice,
			"use_oidc":             false,
			"oidc_token":           later("t"),
			"oidc_token_file_path": later("f"),
			"oidc_audience":        later("a"),
		}},
		"a header":                provider(address, core.Object{"X-Mock-User": later("alice")}),
		"max_requests_per_minute": {"max_requests_per_minute": later(int64(1000))},
		"max_credits":             {"max_credits": later(100.0)},
		"prices":                  {"prices": later(core.Object{"generation": 1.0})},
		"a price": {
			"max_credits": 100.0,
			"prices":      core.Object{"generation": later(1.0), "training": 1.0},
		},
		"max_purchases":         {"max_purchases": later(int64(100))},
		"purchase_log":          {"purchase_log": later(filepath.Join(b.T.TempDir(), "purchases.jsonl"))},
		"max_retries":           {"max_retries": later(int64(1))},
		"request_timeout":       {"request_timeout": later("30s")},
		"paid_request_timeout":  {"paid_request_timeout": later("30s")},
		"max_prompts_per_batch": {"max_prompts_per_batch": later(int64(2))},
	}
}

func TestProvider_unknownValues(t *testing.T) {
	t.Parallel()
	const address = "mediagen_character.c"
	for name := range newScenario(t).unknowns() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			b.Workspace.Provider(b.unknowns()[name])
			b.Resource(address, core.Object{"id": "ch_1"})
			b.Resource(
				"mediagen_body_lora_training.t",
				core.Object{"character_id": "ch_1", "wait_for_completion": false},
			)
			b.Resource("mediagen_generation_group.g", b.group(1))
			b.Resource("mediagen_face_image.f", core.Object{"character_id": "ch_1", "source": "testdata/face.png"})
			check.Equal(t, "the plan's action", b.Plan().Must().Action(address), core.Create)
			b.WantCount(t, "", 0)
			for _, other := range []string{
				"mediagen_body_lora_training.t",
				"mediagen_generation_group.g",
				"mediagen_face_image.f",
			} {
				b.Remove(other)
			}
			b.Apply().Must()

			// What exists cannot be read as long as a value is not known.
			b.ResetJournal()
			b.Workspace.Provider(b.unknowns()[name])
			b.Plan(core.Refresh(false)).Must().WantEmpty()
			b.wantOneError(b.Plan().Diagnostics, "", "only known after apply")
			b.WantCount(t, "", 0)

			// Stacks leave all to a later plan.
			b.Resource("mediagen_generation_group.g", b.group(1))
			plan := b.Plan(core.Deferring()).Must()
			check.True(
				t,
				"all are deferred, and what they will have is unknown",
				len(plan.Deferred) == 2 && plan.Deferred["mediagen_generation_group.g"]["id"] == core.Unknown,
				plan.Deferred,
			)
			b.WantCount(t, "", 0)
		})
	}
}

// An invalid setting is reported even if another is not known.
func TestProvider_wrongBesideUnknown(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	for attribute, value := range map[string]any{
		"base_url": "https://api.example.com/v2?x", "request_timeout": "0s", "max_retries": int64(-1),
		"access_token": "a\nb",
	} {
		config := core.Object{"auth_url": core.Unknown, "api_key": core.Unknown}
		maps.Copy(config, core.Object{attribute: value})
		b.Workspace.Provider(config)
		b.WantMessage(b.read().Errors(), attribute, "")
	}
	b.WantCount(t, "", 0)
}
