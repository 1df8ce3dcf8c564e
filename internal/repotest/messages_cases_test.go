package repotest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type provocation func(t *testing.T, hear func(core.Diagnostics))

func provocations(t *testing.T) map[string]provocation {
	t.Helper()
	all := map[string]provocation{}
	subjects := acctest.Subjects(t)
	for name, config := range wrongProviders() {
		all["provider/"+name] = wrongProvider(config)
	}
	for name, changes := range wrongValues() {
		all["values/"+name] = wrongValue(name+".x", subjects[name].Config, changes)
	}
	for kind, fault := range faults {
		routes := []string{""}
		if slices.Contains(eachRoute, kind) {
			routes = append(routes, faultyRoutes...)
		}
		for _, route := range routes {
			fault.Route = route
			all["faults/"+kind+"/"+route] = faultyLife(subjects, fault)
		}
	}
	for name, subject := range subjects {
		for event, meanwhile := range subject.Meanwhiles() {
			if meanwhile.To == "" && event != "nothing" && event != "the character disappears" {
				continue
			}
			all["events/"+name+"/"+event] = eventfulLife(name+".x", subject, meanwhile)
		}
	}
	maps.Copy(all, stories(subjects))
	maps.Copy(all, mistaken(t))
	return all
}

// faults end their messages with a full stop, as services do. Those of all
// routes spare the token.
var faults = map[string]mockserver.Fault{
	"401":              {Status: 401, Body: `{"error":"unauthorized","message":"The key is not known."}`},
	"402":              {Status: 402, Body: `{"error":"payment_required","message":"There are not enough credits."}`},
	"404":              {Status: 404, Body: `{"error":"not_found","message":"There is no such object."}`},
	"404 of a gateway": {Status: 404, Body: "<html><title>Not here.</title></html>"},
	"422": {
		Status: 422,
		Body:   `{"detail":[{"loc":["body","prompts","prompt"],"msg":"The text is too long."}]}`,
	},
	"429":        {Status: 429, Body: `{"error":"rate_limited","message":"Too many requests."}`},
	"503":        {Status: 503, Body: `{"message":"The service is busy."}`},
	"lost":       {DropAfterWork: true},
	"refused":    {DropBefore: true},
	"web page":   {Status: 200, Body: "<html>Busy.</html>", AfterWork: true},
	"empty":      {Status: 200, Body: " ", AfterWork: true},
	"no success": {Status: 200, Body: `{"success":false,"message":"The request was refused."}`},
}

var eachRoute = []string{"lost", "web page"}

var faultyRoutes = []string{
	mockserver.RouteToken,
	mockserver.RouteBatch,
	mockserver.RouteStatus,
	mockserver.RouteDeleteGroup,
	mockserver.RouteCharacters,
	mockserver.RouteUpdate,
	mockserver.RouteAssets,
	mockserver.RouteUpload,
	mockserver.RouteDataset,
	mockserver.RouteRegenerate,
	mockserver.RouteTraining,
	mockserver.RouteStartTraining,
	mockserver.RouteCancel,
	mockserver.RouteCapabilities,
	mockserver.RouteGenerateDataset,
	mockserver.RouteDatasetStatus,
	mockserver.RouteApproval,
	mockserver.RouteApproveDataset,
	mockserver.RouteCreate,
	mockserver.RouteDeleteCharacter,
	mockserver.RouteUploadBody,
	mockserver.RouteStartFaceTraining,
}

type life struct {
	*acctest.Scenario
	subjects map[string]subject
	hear     func(core.Diagnostics)
}

func newLife(t *testing.T, subjects map[string]subject, hear func(core.Diagnostics)) *life {
	t.Helper()
	l := &life{newReplanService(t).Scenario(t), subjects, hear}
	l.write(func(subject) core.Object { return nil })
	return l
}

func (l *life) write(change func(subject) core.Object) {
	l.Resource("mediagen_character.made", core.Object{"name": "Eve" + hush})
	for _, name := range slices.Sorted(maps.Keys(l.subjects)) {
		config := maps.Clone(l.subjects[name].Config)
		if _, waits := config["wait_for_completion"]; waits {
			timeouts := core.Object{"create": "3m", "update": "3m", "delete": "1m"}
			if name == "mediagen_dataset" {
				delete(timeouts, "delete") // which sends nothing
			}
			config["wait_for_completion"] = true
			config["timeouts"] = timeouts
		}
		maps.Copy(config, change(l.subjects[name]))
		l.Resource(name+".x", config)
	}
}

func (l *life) ask() {
	schemas := acctest.Schemas(l.T)
	ids := []any{l.Value("mediagen_generation_group.x", `generations["kept"].id`)}
	for _, name := range slices.Sorted(maps.Keys(schemas.DataSourceSchemas)) {
		schema := schemas.DataSourceSchemas[name]
		values := core.Object{"id": "gen_1"}
		if name == "mediagen_character" {
			values = core.Object{"name": "Nobody" + hush}
		}
		_, said := l.DataSource(name, configured(schema, values))
		l.hear(said)
	}
	_, said := l.DataSource("mediagen_purchases", core.Object{"path": "missing.jsonl"})
	l.hear(said)
	for _, name := range slices.Sorted(maps.Keys(schemas.ListResourceSchemas)) {
		schema := schemas.ListResourceSchemas[name]
		_, said := l.Query(name, core.Query{Config: configured(schema, nil), IncludeResource: true})
		l.hear(said)
	}
	for _, name := range slices.Sorted(maps.Keys(schemas.ActionSchemas)) {
		action := schemas.ActionSchemas[name]
		values := core.Object{"job_id": "job_1", "generation_ids": ids, "directory": l.T.TempDir(), "timeout": "1m"}
		if name == "mediagen_download_generations" {
			values["generation_ids"] = core.Object{"a": ids[0]}
		}
		_, said := l.Invoke(name, configured(action.Schema, values))
		l.hear(said)
	}
	_, said = l.Open("mediagen_access_token", core.Object{})
	l.hear(said)
}

// configured: what needs no value of its own is of "ada", or any text.
func configured(schema *tfprotov6.Schema, values core.Object) core.Object {
	config := core.Object{}
	for _, attribute := range schema.Block.Attributes {
		value, given := values[attribute.Name]
		switch {
		case given && (attribute.Required || attribute.Optional):
			config[attribute.Name] = value
		case attribute.Required && attribute.Name == "character_id":
			config[attribute.Name] = "ada"
		case attribute.Required:
			config[attribute.Name] = "E" + hush
		}
	}
	return config
}

func faultyLife(subjects map[string]subject, fault mockserver.Fault) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		l := newLife(t, subjects, hear)
		fault.MayStayUnmet = true // some endpoints are needed by the creation alone, some later
		fail := func() {
			if fault.Route == "" {
				l.Fault(mockserver.Fault{Route: mockserver.RouteToken})
			}
			l.Fault(fault)
		}
		fail()
		hear(l.Apply().Diagnostics)
		l.ask()
		l.ClearFaults()
		hear(l.Apply().Diagnostics)
		fail()
		l.write(func(s subject) core.Object {
			for _, name := range slices.Sorted(maps.Keys(s.Updates)) {
				return s.Updates[name]
			}
			return s.Replaces["triggers"]
		})
		hear(l.Apply().Diagnostics)
		hear(l.Destroy().Diagnostics)
	}
}

func eventfulLife(address string, of subject, meanwhile acctest.Meanwhile) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		for _, situation := range of.Situations(address) {
			if len(situation.Lifecycle)+len(situation.Flags) > 0 {
				continue
			}
			s := newReplanService(t)
			w := situation.Prepare(t, s, address, of)
			for _, act := range []func(*acctest.Service){meanwhile.Before, meanwhile.Between} {
				if act != nil {
					act(s)
				}
				hear(w.Plan(situation.Flags...).Diagnostics)
			}
			hear(w.Apply(situation.Flags...).Diagnostics)
			hear(w.Plan(core.Destroying()).Diagnostics)
		}
	}
}

func wrongProviders() map[string]core.Object {
	return map[string]core.Object{
		"no scheme":             {"base_url": "127.0.0.1:8780/v2"},
		"no address":            {},
		"no version":            {"base_url": "https://api.example.com"},
		"http":                  {"base_url": "http://api.example.com/v2"},
		"a month without a log": {"base_url": "http://localhost/v2", "api_key": "k", "max_credits_per_month": 5.0},
		"books":                 {"base_url": "https://api.example.com/v2", "purchase_log": "s3://KEY:secret@bucket"},
		"durations": {
			"base_url":             "https://api.example.com/v2",
			"request_timeout":      "soon",
			"paid_request_timeout": "0s",
		},
		"numbers": {
			"base_url":                "https://api.example.com/v2",
			"max_requests_per_minute": int64(0),
			"max_retries":             int64(-1),
			"max_purchases":           int64(-1),
		},
		"blank key": {"base_url": "https://api.example.com/v2", "api_key": " "},
		"two credentials": {
			"base_url":     "https://api.example.com/v2",
			"api_key":      "one-credential",
			"access_token": "another-one",
		},
		"no provider": {
			"base_url":       "https://api.example.com/v2",
			"token_provider": core.Object{"use_oidc": false},
		},
		"hollow objects": {
			"base_url":       "https://api.example.com/v2",
			"prices":         core.Object{},
			"token_provider": core.Object{},
		},
		"header": {
			"base_url": "https://api.example.com/v2",
			"token_provider": core.Object{
				"url":     "https://ci.example.com",
				"headers": core.Object{"X:": "a", "X": "a\n"},
			},
		},
		"OIDC, nothing": {
			"base_url":       "https://api.example.com/v2",
			"token_provider": core.Object{"url": "https://ci.example.com", "use_oidc": true},
		},
		"OIDC, twice": {
			"base_url": "https://api.example.com/v2",
			"token_provider": core.Object{
				"url":           "https://ci.example.com",
				"use_oidc":      true,
				"oidc_audience": "a",
				"headers":       core.Object{"Authorization": "a"},
			},
		},
		"OIDC, not on": {
			"base_url":       "https://api.example.com/v2",
			"token_provider": core.Object{"url": "https://ci.example.com", "oidc_token": "a", "oidc_audience": "a"},
		},
		"OIDC, no token": {
			"base_url":       "https://api.example.com/v2",
			"token_provider": core.Object{"url": "https://ci.example.com", "use_oidc": true, "oidc_audience": "a"},
		},
		"OIDC, no JWT": {
			"base_url": "https://api.example.com/v2",
			"token_provider": core.Object{
				"url":           "https://ci.example.com",
				"use_oidc":      true,
				"oidc_audience": "a",
				"oidc_token":    "an-opaque-one",
			},
		},
		"unknown": {"base_url": core.UnknownUntilApply("https://api.example.com/v2")},
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
			"MEDIAGEN_BASE_URL":               "127.0.0.1:8780/v2",
			"MEDIAGEN_MAX_RETRIES":            "many",
			"MEDIAGEN_MAX_CREDITS":            "-1",
			"MEDIAGEN_PRICES":                 `{"prompt":1}`,
			"MEDIAGEN_TRUST_NOT_FOUND":        "perhaps",
			"MEDIAGEN_USE_OIDC":               "perhaps",
			"MEDIAGEN_REQUEST_TIMEOUT":        "soon",
			"MEDIAGEN_API_KEY":                " ",
			"MEDIAGEN_ACCESS_TOKEN":           "a-token",
			"MEDIAGEN_TOKEN_PROVIDER_HEADERS": "{",
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
		"mediagen_character": {
			{"id": nil, "name": nil},
			{"id": " "},
			{"id": ".."},
			{"id": "a\x00"},
			{"name": ""},
			{"description": "\x00" + hush},
			{"deletion_policy": "forget"},
		},
		"mediagen_face_image": {
			{"character_id": "."},
			{"source": ""},
			{"source": nil},
			{"source": "no/such/file.png"},
			{"source": "../acctest"},
			{"source": ".."},
			{"source": "messages_test.go"},
			{"filename": " "},
		},
		"mediagen_body_image":         {{"image_type": nil}, {"image_type": "front"}, {"source": nil}},
		"mediagen_body_lora_training": {{"character_id": nil}, {"character_id": ""}, timeouts},
		"mediagen_face_lora_training": {{"character_id": nil}, timeouts},
		"mediagen_generation_group": {
			timeouts,
			{"prompts": core.Object{}},
			{"prompts": core.Object{" ": core.Object{"prompt": "A" + hush}}},
			{"max_attempts": 0},
			{"max_prompts_per_batch": 0},
			{"title": "\x00" + hush},
			prompts(
				nil,
			),
			prompts(core.Object{}),
			prompts(core.Object{"prompt": ""}),
			prompts(core.Object{"prompt": "a\x00" + hush}),
			prompts(core.Object{"prompt": "a" + hush, "source_image_url": "a.png"}),
			prompts(core.Object{"prompt": "a" + hush, "source_image_url": "data:," + strings.Repeat("A", 1<<16)}),
			{
				"prompts": core.Object{
					"p": core.Object{"prompt": "a" + hush, "use_face_lora": true},
					"q": core.Object{"prompt": "a" + hush, "use_face_lora": true, "use_body_lora": true},
				},
			},
		},
		"mediagen_dataset_image_regeneration": {
			{"image_id": " "},
			{"prompt": ""},
			{"character_id": "/.."},
			{"character_id": ".."},
		},
		"mediagen_dataset": {
			{"character_id": " "},
			{"prompts": []any{}},
			{"prompts": []any{nil}},
			{"prompts": []any{" "}},
			{"timeouts": core.Object{"create": "soon", "update": "0s"}},
		},
		"mediagen_dataset_approval": {
			{"character_id": " "},
			{"image_ids": nil},
			{"image_ids": []any{nil}},
			{"image_ids": []any{" "}},
		},
		"mediagen_chat_completion": {
			{"messages": []any{nil}},
			message("user", nil),
			message("user", "\x00"+hush),
			{
				"tools": []any{core.Object{"name": " ", "parameters": "[]"}},
			},
			{"tools": []any{core.Object{"name": "f", "parameters": "{"}}},
			{"stop": []any{nil, "\x00"}},
		},
		"mediagen_vision_completion": {
			message("user", []any{}),
			message("user", []any{nil}),
			message("user", []any{core.Object{}}),
			message(
				"user",
				[]any{core.Object{"text": "a" + hush, "image_url": "https://a.example.com/b.png"}},
			),
			message("user", []any{core.Object{"image_url": "data:image/png"}}),
			message("user", []any{core.Object{"image_url": "b.png"}}),
		},
		"mediagen_media_categorization": {
			{"media_url": "a.png"},
			{"media_url": "data:," + strings.Repeat("A", 1<<16)},
			{"media_url": "https://u:p@a.example.com/"},
			{"metadata": []any{}},
			{"metadata": []any{nil}},
			{"metadata": []any{"mood"}},
		},
		"mediagen_image": {{"prompt": " "}, {"prompt": "\x00" + hush}},
	}
}

func wrongValue(address string, config core.Object, changes []core.Object) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		s := newReplanService(t)
		for _, change := range changes {
			w := s.Scenario(t)
			changed := maps.Clone(config)
			maps.Copy(changed, change)
			w.Resource(address, changed)
			said := w.Apply().Diagnostics
			check.True(t, "something is said", len(said) != 0, change)
			hear(said)
		}
	}
}
