package provider_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type setting struct {
	attribute string
	// value is another than the default; wrong, in the environment, must not win.
	value any
	wrong string
	// effect is what the provider did: with the default, and with value.
	effect            func(scenario) int
	byDefault, wanted int
}

type source struct {
	config      core.Object
	environment map[string]string
	want        int
}

// brief ends long before a service answers that takes as long as slow. Both
// pass in real time.
const (
	brief = "100ms"
	slow  = time.Second
)

var settings = []setting{
	{"max_retries", int64(2), "9", (scenario).attemptsOfRead, 5, 3},
	{"max_retries", int64(0), "9", (scenario).attemptsOfRead, 5, 1},
	{"max_requests_per_minute", int64(2), "1000", (scenario).minutesOfReads, 0, 3},
	{"max_prompts_per_batch", int64(2), "5", (scenario).batchesOfFive, 1, 3},
	{"max_credits", 4.5, "1000", (scenario).batchesOfOne, 5, 0},
	{"max_credits", 5.0, "1000", (scenario).batchesOfOne, 5, 5},
	{"max_credits", 0.0, "1000", (scenario).batchesOfOne, 5, 0},
	{"max_purchases", int64(4), "1000", (scenario).batchesOfOne, 5, 0},
	{"max_purchases", int64(5), "1000", (scenario).batchesOfOne, 5, 5},
	{"max_purchases", int64(0), "1000", (scenario).batchesOfOne, 5, 0},
	{"request_timeout", brief, "1h", (scenario).givesUpRead, 0, 1},
	{"paid_request_timeout", brief, "1h", (scenario).givesUpBatch, 0, 1},
}

func (b scenario) attemptsOfRead() int {
	b.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Status: 503})
	b.read()
	return b.Count(mockserver.RouteCharacters)
}

func (b scenario) minutesOfReads() int {
	for i := range 7 {
		b.AddCharacter(mockserver.CharacterSeed{ID: fmt.Sprintf("ch_limit_%d", i)})
		b.Resource(
			fmt.Sprintf("mediagen_body_lora_training.t%d", i),
			core.Object{"character_id": fmt.Sprintf("ch_limit_%d", i)},
		)
	}
	began := b.Clock.Now()
	b.Plan().Must()
	return int(b.Clock.Now().Sub(began).Minutes())
}

func (b scenario) group(prompts int) core.Object {
	texts := core.Object{}
	for i := range prompts {
		texts[fmt.Sprintf("p%d", i)] = core.Object{"prompt": fmt.Sprintf("Prompt %d", i)}
	}
	return core.Object{"character_id": "ch_1", "prompts": texts}
}

func (b scenario) batchesOfFive() int {
	b.Resource("mediagen_generation_group.g", b.group(5))
	b.Apply().Must()
	return b.Count(mockserver.RouteBatch)
}

// batchesOfOne are how many of five batches of a prompt, a credit each, are sent.
func (b scenario) batchesOfOne() int {
	config := b.group(5)
	config["max_prompts_per_batch"] = int64(1)
	b.Resource("mediagen_generation_group.g", config)
	b.setenv(map[string]string{"MEDIAGEN_PRICES": `{"generation":1}`})
	b.Apply()
	return b.Count(mockserver.RouteBatch)
}

func (b scenario) givesUpRead() int {
	b.setenv(map[string]string{"MEDIAGEN_MAX_RETRIES": "0"})
	return b.givesUp(mockserver.RouteCharacters, func() bool { return b.read().HasErrors() })
}

func (b scenario) givesUpBatch() int {
	b.Resource("mediagen_generation_group.g", b.group(1))
	return b.givesUp(mockserver.RouteBatch, func() bool {
		b.Apply().Must()
		return b.Value("mediagen_generation_group.g", "unconfirmed_count") == int64(1)
	})
}

// givesUp is 1 if the provider does not wait for the reply of a slow service.
func (b scenario) givesUp(route string, failed func() bool) int {
	reply := make(chan struct{})
	b.Fault(mockserver.Fault{
		Route: route, Times: 1, Hold: reply, HoldAfterWork: true,
		Reached: func() { time.AfterFunc(slow, func() { close(reply) }) },
	})
	if failed() {
		return 1
	}
	return 0
}

// ceilings are limits of which the lower holds, that of the configuration or of
// the environment.
var ceilings = map[string]any{
	"max_requests_per_minute": int64(1000),
	"max_credits":             1000.0,
	"max_purchases":           int64(1000),
}

// Configuration beats environment beats default; but nobody lifts a limit of
// the environment. Fault F32.
func TestProvider_settings(t *testing.T) {
	t.Parallel()
	for _, test := range settings {
		variable := "MEDIAGEN_" + strings.ToUpper(test.attribute)
		value := fmt.Sprint(test.value)
		sources := map[string]source{
			"default":        {nil, nil, test.byDefault},
			"empty variable": {nil, map[string]string{variable: ""}, test.byDefault},
			"environment":    {nil, map[string]string{variable: value}, test.wanted},
			"configuration":  {core.Object{test.attribute: test.value}, nil, test.wanted},
			"configuration over environment": {
				core.Object{test.attribute: test.value},
				map[string]string{variable: test.wrong},
				test.wanted,
			},
			"configuration over bad variable": {
				core.Object{test.attribute: test.value},
				map[string]string{variable: "bad"},
				test.wanted,
			},
		}
		if above, is := ceilings[test.attribute]; is {
			delete(sources, "configuration over bad variable") // it is an error, as below
			sources["environment under configuration"] = source{
				core.Object{test.attribute: above},
				map[string]string{variable: value},
				test.wanted,
			}
		}
		for name, source := range sources {
			t.Run(test.attribute+" "+value+" by "+name, func(t *testing.T) {
				t.Parallel()
				b := newScenario(t)
				b.setenv(source.environment)
				b.Workspace.Provider(source.config)
				check.Equal(t, "the effect", test.effect(b), source.want)
			})
		}
	}
}

func TestProvider_addressesAndKeyOverEnvironment(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	other := acctest.NewService(t)
	maps.Copy(
		b.Environment,
		map[string]string{"MEDIAGEN_BASE_URL": other.URL, "MEDIAGEN_AUTH_URL": other.Host, "MEDIAGEN_API_KEY": "wrong"},
	)
	b.Workspace.Provider(core.Object{"base_url": b.URL, "auth_url": b.Host, "api_key": acctest.APIKey})
	b.works()
	other.WantNoRequests(t)

	// The authentication service alone is elsewhere.
	b.ResetJournal()
	b.Workspace.Provider(core.Object{"base_url": b.URL, "api_key": acctest.APIKey})
	b.setenv(map[string]string{"MEDIAGEN_MAX_RETRIES": "0"})
	b.read()
	b.WantCount(t, mockserver.RouteToken, 0)
	check.True(
		t,
		"the other service issues tokens alone",
		other.Count(mockserver.RouteToken) != 0 && other.Count("") == other.Count(mockserver.RouteToken),
		other.Story(),
	)
}

func TestProvider_badSettings(t *testing.T) {
	t.Parallel()
	duration := []string{
		"0s",
		"-5s",
		"90",
		"one minute",
		"1h 30m",
		"NaN",
		"1e400h",
		"9223372036854775808ns",
		" 5s",
		"5s\n",
		"\u0000",
	}
	number := []string{"-1", "1.5", "x", "1e3", "NaN", "Inf", "1e400", "9223372036854775808", "0x10", "\u0000"}
	for attribute, test := range map[string]struct {
		texts []string
		// values are wrong in the configuration; its types refuse the rest.
		values []any
		says   string
	}{
		"request_timeout":         {duration, nil, "duration"},
		"paid_request_timeout":    {duration, nil, "duration"},
		"max_requests_per_minute": {append(number, "0"), []any{int64(0), int64(-1), int64(-1 << 63)}, ""},
		"max_retries": {
			append(number, "101", "9223372036854775807"),
			[]any{int64(-1), int64(101), int64(1<<63 - 1)},
			"",
		},
		"max_prompts_per_batch": {append(number, "0"), []any{int64(0), int64(-1)}, ""},
		"max_credits": {
			[]string{"-0.01", "x", "NaN", "Inf", "-Inf", "1e400", "1,5", "\u0000"},
			[]any{-0.01, -1e300},
			"",
		},
		"max_credits_per_month": {[]string{"-0.01", "x", "NaN", "Inf"}, []any{-0.01, -1e300}, ""},
		"max_purchases":         {number, []any{int64(-1), int64(-1 << 63)}, ""},
		"prices": {
			[]string{
				"1", "generation=1", `["generation"]`, `{"generation":"1"}`, `{"generation":-0.01}`,
				`{"generation":null}`, `{"generation":1e400}`, `{"generations":1}`, `{"Generation":1}`,
				`{"generation":1,"face":2}`, `{"generation":1`, `{"generation":1} x`, "\u0000",
			},
			[]any{}, "JSON object of numbers",
		},
		"purchase_log": {
			[]string{"~/purchases.jsonl", "file:///var/purchases.jsonl", "ftp://bucket/purchases.jsonl"},
			[]any{"~/purchases.jsonl", "https://example.com/purchases.jsonl"}, " path",
		},
		"allow_insecure_http": {[]string{"yes", "2", "on", "\u0000"}, nil, "true nor false"},
	} {
		t.Run(attribute, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			variable := "MEDIAGEN_" + strings.ToUpper(attribute)
			for _, text := range test.texts {
				b.setenv(map[string]string{variable: text})
				diagnostics := b.read()
				b.wantOneError(diagnostics, attribute, test.says)
				b.wantOneError(diagnostics, attribute, variable)
			}
			if above, is := ceilings[attribute]; is {
				b.Workspace.Provider(core.Object{attribute: above})
				b.wantOneError(b.read(), attribute, variable)
				b.Workspace.Provider(core.Object{})
			}
			b.setenv(map[string]string{variable: ""})
			if test.values == nil && attribute != "allow_insecure_http" {
				for _, text := range append(test.texts, "") {
					b.Workspace.Provider(core.Object{attribute: text})
					b.wantOneError(b.read(), attribute, test.says)
				}
			}
			for _, value := range test.values {
				b.Workspace.Provider(core.Object{attribute: value})
				b.wantOneError(b.read(), attribute, test.says)
			}
			b.WantCount(t, "", 0)
		})
	}
}

func TestProvider_extremeSettings(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Workspace.Provider(core.Object{
		"max_requests_per_minute": int64(
			1<<63 - 1,
		),
		"max_prompts_per_batch": int64(1<<63 - 1),
		"max_retries":           int64(100),
		"max_credits":           1e300,
		"prices":                core.Object{"generation": 1e299},
		"max_purchases":         int64(1<<63 - 1),
		"request_timeout":       "2562047h47m16.854775807s",
		"paid_request_timeout":  "2562047h47m16.854775807s",
	})
	b.works()
	check.Equal(t, "batches sent", b.batchesOfFive(), 1)
}

func TestProvider_badHeaders(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ header, value, says string }{
		"empty name":      {"", "v", "HTTP header"},
		"blank in name":   {"X User", "v", "HTTP header"},
		"colon in name":   {"X-User:", "v", "HTTP header"},
		"newline in name": {"X-User\r\nX-Other", "v", "HTTP header"},
		"not ASCII name":  {"X-Üser", "v", "HTTP header"},
		"newline":         {"X-User", "s3cret\r\nX-Other: 1", "control characters"},
		"NUL":             {"X-User", "s3cret\x00", "control characters"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			address := b.Host + "/token-provider"
			b.Workspace.Provider(
				core.Object{
					"token_provider": core.Object{"url": address, "headers": core.Object{test.header: test.value}},
				},
			)
			diagnostics := b.read()
			b.wantOneError(diagnostics, fmt.Sprintf("token_provider.headers[%q]", test.header), test.says)

			b.Workspace.Provider(core.Object{})
			b.setenv(b.environmentOf("token_provider"))
			b.setenv(
				map[string]string{
					"MEDIAGEN_TOKEN_PROVIDER_HEADERS": fmt.Sprintf(
						`{%s: %s}`,
						jsonText(test.header),
						jsonText(test.value),
					),
				},
			)
			fromEnvironment := b.read()
			b.wantOneError(fromEnvironment, "token_provider.headers", test.says)
			check.True(
				t,
				"no value in the error",
				!strings.Contains(diagnostics.String()+fromEnvironment.String(), "s3cret"),
				diagnostics,
				fromEnvironment,
			)
			b.WantCount(t, "", 0)
		})
	}
	for _, text := range []string{
		"X-User: s3cret",
		`["s3cret"]`,
		`{"X-User": 5}`,
		`{"X-User": "s3cret"`,
		`"s3cret"`,
		`{"X-User": "s3cret"} x`,
	} {
		b := newScenario(t)
		b.setenv(b.environmentOf("token_provider"))
		b.setenv(map[string]string{"MEDIAGEN_TOKEN_PROVIDER_HEADERS": text})
		diagnostics := b.read()
		b.wantOneError(diagnostics, "token_provider.headers", "JSON object of strings")
		check.True(t, "no value in the error", !strings.Contains(diagnostics.String(), "s3cret"), diagnostics)
		b.WantCount(t, "", 0)
	}
}

// Of each price, the higher counts of the configuration's and the environment's.
func TestProvider_prices(t *testing.T) {
	t.Parallel()
	const most = 4.5 // is less than five prompts cost
	for name, test := range map[string]struct {
		config      core.Object
		environment string
		want        int
	}{
		"none":                            {nil, "", 0},
		"none, written as null":           {nil, "null", 0},
		"environment":                     {nil, ` {"generation": 0.9, "training": 100} `, 5},
		"environment, too dear":           {nil, `{"generation":0.91}`, 0},
		"environment, free":               {nil, `{"generation":0}`, 5},
		"of a training":                   {nil, `{"training":0.9}`, 0},
		"configuration":                   {core.Object{"generation": 0.9}, "", 5},
		"configuration above environment": {core.Object{"generation": 0.91}, `{"generation":0.9}`, 0},
		"configuration below environment": {core.Object{"generation": 0.9}, `{"generation":0.91}`, 0},
		"configuration over bad variable": {core.Object{"generation": 0.9}, "bad", 0},
		"one of each":                     {core.Object{"training": 1.0}, `{"generation":0.9}`, 5},
		"none in the configuration":       {core.Object{}, `{"generation":0.9}`, 0},
		"twice":                           {nil, `{"generation":0.9,"training":1,"generation":0.9}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			provider := core.Object{"max_credits": most}
			if test.config != nil {
				provider["prices"] = test.config
			}
			b.Workspace.Provider(provider)
			b.setenv(map[string]string{"MEDIAGEN_PRICES": test.environment})
			b.Resource("mediagen_generation_group.g", b.group(5))
			result := b.Apply()
			check.True(t, "charged", len(b.Ledger().Entries)*5 == test.want, result.Diagnostics)
		})
	}
	b := newScenario(t)
	for _, kind := range []string{"generation", "training", "dataset", "image"} {
		b.Workspace.Provider(core.Object{"prices": core.Object{kind: -0.01}})
		b.wantOneError(b.read(), "prices."+kind, "at least 0")
	}
	b.WantNoRequests(t)
}

// The purchase log goes by the configuration, then the environment.
func TestProvider_purchaseLog(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config, environment string
		want                []string
	}{
		"default":       {"", "", nil},
		"environment":   {"", "e.jsonl", []string{"e.jsonl"}},
		"configuration": {"c.jsonl", "", []string{"c.jsonl"}},
		"both":          {"c.jsonl", "e.jsonl", []string{"c.jsonl", "e.jsonl"}},
		"the same":      {"e.jsonl", "e.jsonl", []string{"e.jsonl"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			directory := t.TempDir()
			if test.environment != "" {
				b.setenv(map[string]string{"MEDIAGEN_PURCHASE_LOG": filepath.Join(directory, test.environment)})
			}
			if test.config != "" {
				b.Workspace.Provider(core.Object{"purchase_log": filepath.Join(directory, test.config)})
			}
			b.batchesOfFive()
			files, err := os.ReadDir(directory)
			check.Must(t, err)
			var names []string
			for _, file := range files {
				names = append(names, file.Name())
				content, err := os.ReadFile(filepath.Join(directory, file.Name()))
				check.True(
					t,
					"it has the purchase",
					err == nil && strings.Count(string(content), `"answered"`) == 1,
					string(content),
					err,
				)
			}
			check.Equal(t, "the files", names, test.want)
		})
	}
	b := newScenario(t)
	b.Workspace.Provider(core.Object{"purchase_log": " "})
	b.refuses("purchase_log", "empty or blank")
}
