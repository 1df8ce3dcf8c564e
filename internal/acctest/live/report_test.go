package live_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const secret = "sesame"

func atMock(t *testing.T, variant mockserver.Variant) (*session, *acctest.Service) {
	t.Helper()
	service := acctest.NewService(t, func(o *mockserver.Options) {
		o.Extended = true
		o.Variant = variant
		o.APIKey = "key-" + secret
		o.OrganizationID = "org-" + secret
	})
	service.AddCharacter(
		mockserver.CharacterSeed{ID: "ch_" + secret, Name: secret, FaceImages: 1, BodyImages: 1, DatasetImages: 2},
	)
	service.GenerateElsewhere("ch_"+secret, secret, secret)
	service.StartTrainingElsewhere("ch_" + secret)
	service.Fault(
		mockserver.Fault{
			Route:   mockserver.RouteCapabilities,
			Rewrite: func(reply map[string]any) { reply[secret+"1"] = secret },
		},
	)
	environment := map[string]string{
		"MEDIAGEN_BASE_URL":       service.URL,
		"MEDIAGEN_API_KEY":        "key-" + secret,
		"MEDIAGEN_EXTENDED_READS": "true",
	}
	return newSession(
		t,
		http.DefaultTransport,
		func(variable string) string { return environment[variable] },
		service.Clock,
	), service
}

// TestReport: what a reply lacks, has as null, as another type or beside what
// is described is in the report, by endpoint, and no value is.
func TestReport(t *testing.T) {
	t.Parallel()
	const list = mockserver.RouteCharacters + " 200: "
	for name, test := range map[string]struct {
		variant mockserver.Variant
		want    []string
	}{
		"plain": {mockserver.Variant{}, []string{
			list + "characters[].subscription_id: null", mockserver.RouteTraining + " 200: face_training: null",
			mockserver.RouteCapabilities + " 200: (an unusual name): not described",
			mockserver.RouteToken + " 200", mockserver.RouteAssets + " 200", mockserver.RouteDataset + " 200",
			mockserver.RouteGroups + " 200",
		}},
		"nulls": {mockserver.Variant{Nulls: mockserver.NullsMany}, []string{list + "characters[].creator_id: " +
			"null", list + "filters: null"}},
		"missing": {mockserver.Variant{Nulls: mockserver.NullsMissing}, []string{list + "characters[].creator_id: " +
			"missing", ": character_training.training_phase: missing"}},
		"types": {mockserver.Variant{Numbers: mockserver.NumbersText}, []string{list + "characters[].current_step: " +
			"string instead of integer"}},
		"times": {mockserver.Variant{Times: mockserver.TimesZoneless}, []string{list + "characters[].created_at: " +
			"format"}},
		"extra": {
			mockserver.Variant{ExtraFields: true},
			[]string{list + "pagination.x_unknown: not described", list + "characters[].x_unknown: not described"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, service := atMock(t, test.variant)
			s.read(true)
			report := s.recorder.String()
			check.Contains(t, "the report", report, test.want...)
			for _, value := range []string{secret, "eyJ", "127.0.0.1"} {
				check.True(t, "not in the report", !strings.Contains(report, value), value, report)
			}
			check.True(
				t,
				"nothing was bought or changed",
				len(service.Ledger().Entries)+len(service.Ledger().Deletions) == 0,
				service.Ledger(),
			)
		})
	}
}

func TestBuy(t *testing.T) {
	t.Parallel()
	for character, characters := range map[string]int{"": 2, "ch_" + secret: 1} {
		s, service := atMock(t, mockserver.Variant{})
		s.buy(character)
		ledger := service.Ledger()
		check.True(t, "bought", len(ledger.Entries) == 1 && len(ledger.Entries[0].Prompts) == 1, ledger)
		check.True(
			t,
			"deleted",
			len(ledger.Deletions) == characters && len(service.State().Characters) == 1 && len(service.Groups()) == 1,
			ledger,
		)
		check.Contains(
			t,
			"the report",
			s.recorder.String(),
			mockserver.RouteBatch+" 200",
			mockserver.RouteStatus+" 200",
			mockserver.RouteDeleteGroup+" 200",
		)
	}
}

type recorder struct {
	next     http.RoundTripper
	base     string // path of base_url
	contract mockserver.Contract

	mutex sync.Mutex
	// lines are the report: endpoint, status, and what differs by name and type.
	lines map[string]bool
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	reply, err := r.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(reply.Body)
	err = errors.Join(err, reply.Body.Close())
	if err != nil {
		return nil, err
	}
	reply.Body = io.NopCloser(bytes.NewReader(body))
	path := "/token-provider"
	if below, isOfService := strings.CutPrefix(request.URL.EscapedPath(), r.base+"/"); isOfService {
		path = "/v2/" + below
	} else if strings.HasSuffix(request.URL.Path, "/auth/generate-token") {
		path = "/auth/generate-token"
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	endpoint, schema := r.contract.Reply(request.Method, path, reply.StatusCode)
	line := fmt.Sprintf("%s %d", endpoint, reply.StatusCode)
	r.lines[line] = true
	var value any
	switch {
	case schema == nil:
		r.lines[request.Method+line+": not described"] = true
	case json.Unmarshal(body, &value) != nil:
		r.lines[line+": no JSON"] = true
	default:
		wantAll(schema)
		r.compare(line, schema.VisitJSON(value, openapi3.VisitAsResponse(), openapi3.MultiErrors()))
	}
	return reply, nil
}

func wantAll(schema *openapi3.Schema) {
	schema.Required = slices.Collect(maps.Keys(schema.Properties))
	schema.Nullable = false
	parts := append(slices.Collect(maps.Values(schema.Properties)), schema.OneOf...)
	if schema.Items != nil {
		parts = append(parts, schema.Items)
	}
	for _, part := range parts {
		wantAll(part.Value)
	}
}

var (
	position = regexp.MustCompile(`\.[0-9]+(\.|$)`)
	unusual  = regexp.MustCompile(`[^.]*[^][A-Za-z_.-][^.]*`)
)

// compare leaves values out: a key with other characters than names have may be
// one.
func (r *recorder) compare(line string, err error) {
	many, _ := errors.AsType[openapi3.MultiError](err)
	for _, one := range many {
		r.compare(line, one)
	}
	broken, is := errors.AsType[*openapi3.SchemaError](err)
	if !is || many != nil {
		return
	}
	steps := broken.JSONPointer()
	what := broken.SchemaField
	add := func(name string) {
		path := position.ReplaceAllString(strings.Join(append(steps, name), "."), "[]$1")
		r.lines[line+": "+unusual.ReplaceAllString(strings.Trim(path, "."), "(an unusual name)")+": "+what] = true
	}
	switch what {
	case "required":
		what = "missing"
	case "nullable":
		what = "null"
	case "type":
		what = fmt.Sprint(
			reflect.ValueOf(broken.Value).Kind(),
			" instead of ",
			strings.Join(broken.Schema.Type.Slice(), " or "),
		)
	case "properties":
		what = "not described"
		object, _ := broken.Value.(map[string]any)
		for name := range object {
			if broken.Schema.Properties[name] == nil {
				add(name)
			}
		}
		return
	}
	add("")
}

func (r *recorder) String() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return strings.Join(slices.Sorted(maps.Keys(r.lines)), "\n")
}
