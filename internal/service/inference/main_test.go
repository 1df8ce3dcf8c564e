package inference_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	chat       = "mediagen_chat_completion.c"
	vision     = "mediagen_vision_completion.v"
	categories = "mediagen_media_categorization.m"
	image      = "mediagen_image.i"
)

// routes are the endpoints of the four types, by address.
var routes = map[string]string{
	chat:       mockserver.RouteChat,
	vision:     mockserver.RouteVision,
	categories: mockserver.RouteCategories,
	image:      mockserver.RouteImage,
}

// least is a configuration of only what is required, by address.
func least(address string) core.Object {
	return map[string]core.Object{
		chat:       {"messages": said("hello")},
		vision:     {"model": "see-1", "messages": shown(core.Object{"image_url": "https://media.example.com/a.png"})},
		categories: {"media_url": "https://media.example.com/a.png", "metadata": []any{"tags"}},
		image:      {"prompt": "a castle"},
	}[address]
}

func said(texts ...string) []any {
	messages := []any{}
	for _, text := range texts {
		messages = append(messages, core.Object{"role": "user", "content": text})
	}
	return messages
}

func shown(parts ...any) []any {
	return []any{core.Object{"role": "user", "content": parts}}
}

// with is a configuration with some attributes changed.
func with(config core.Object, changes core.Object) core.Object {
	changed := maps.Clone(config)
	maps.Copy(changed, changes)
	return changed
}

// scenario is a service and a workspace of it.
type scenario struct{ *acctest.Scenario }

func newScenario(t *testing.T, change ...func(*mockserver.Options)) scenario {
	t.Helper()
	return scenario{acctest.NewScenario(t, change...)}
}

// wantAsked checks how many inferences the service was asked for so far.
func (b scenario) wantAsked(want int) {
	b.T.Helper()
	count := 0
	for _, route := range routes {
		count += b.Count(route)
	}
	check.Equal(b.T, "requests", count, want)
}

// body is the decoded body of the last request of an address.
func (b scenario) body(address string) any {
	b.T.Helper()
	requests := b.Requests(routes[address])
	if len(requests) == 0 {
		b.T.Fatalf("%s was not requested", routes[address])
	}
	var body any
	check.Must(b.T, json.Unmarshal(requests[len(requests)-1].Body, &body))
	return body
}

// plain is a value as a decoded JSON value.
func plain(t *testing.T, value any) any {
	t.Helper()
	encoded, err := json.Marshal(value)
	check.Must(t, err)
	var decoded any
	check.Must(t, json.Unmarshal(encoded, &decoded))
	return decoded
}
