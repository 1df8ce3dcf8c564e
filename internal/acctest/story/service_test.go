package story_test

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const trainingPrice = 100

type habits struct {
	variant                      mockserver.Variant
	generationTime, trainingTime time.Duration
	settings                     core.Object
	perMinute                    int // the service's limit, which it does not state
	countRefused                 bool
	lists                        bool // it has the further reads of extended_reads
}

func (h habits) GoString() string {
	return fmt.Sprintf(
		"%s, generations take %s, trainings %s, %d requests a minute (refused ones count: %t), provider %v",
		h.variant.Name,
		h.generationTime,
		h.trainingTime,
		h.perMinute,
		h.countRefused,
		h.settings,
	)
}

var unconcerned = regexp.MustCompile("^(category|storage|asset|image|delete|dataset|body)-")

func variants() map[string]mockserver.Variant {
	known := mockserver.Variants()
	maps.Copy(known, mockserver.LossyVariants())
	maps.Copy(known, mockserver.ExtendedVariants())
	// What concerns neither groups nor trainings only lengthens the list.
	maps.DeleteFunc(
		known,
		func(name string, _ mockserver.Variant) bool { return name == "plain" || unconcerned.MatchString(name) },
	)
	return known
}

func services() *rapid.Generator[habits] {
	known := variants()
	names := rapid.SampledFrom(slices.Sorted(maps.Keys(known)))
	return rapid.Custom(func(t *rapid.T) habits {
		chosen := habits{
			generationTime: oneOf(20*time.Second, -1, 10*time.Minute).Draw(t, "generation time"),
			trainingTime:   oneOf(20*time.Minute, -1, 5*time.Hour).Draw(t, "training time"),
			perMinute:      oneOf(0, 0, 60, 10).Draw(t, "service's limit"),
			countRefused:   rapid.Bool().Draw(t, "count refused"),
			settings:       core.Object{},
		}
		for _, name := range rapid.SliceOfNDistinct(names, 0, 3, rapid.ID).Draw(t, "variants") {
			merge(&chosen.variant, known[name])
		}
		if name := oneOf(
			"",
			"",
			"",
			"background",
			"equal-shared",
			"failed-retaken",
			"one-id",
			"groups-by-title",
			"denied",
			"denied-uncounted",
		).Draw(t, "batches"); name != "" {
			merge(&chosen.variant, known[name]) // what concerns money deserves more stories
		}
		if chosen.variant.ErrorBodyGroupID {
			chosen.variant.ErrorShape = mockserver.ErrorsPlain // else nobody could know of the group
		}
		if chosen.variant.Vocabulary == mockserver.WordsUnknown {
			chosen.variant.Previews = false // else nothing would tell one from a result
		}
		if chosen.variant.ErrorShape != mockserver.ErrorsPlain {
			chosen.settings["trust_not_found"] = true // else nothing would ever be gone
			// 404s for what exists, which are believed.
			chosen.variant.FlapEvery = 0
			chosen.variant.LateVisibility = 0
		}
		if v := &chosen.variant; v.Denial != mockserver.DenialNone && v.NoCredits {
			v.Background = mockserver.BackgroundNone
			v.DropGenerationID = false // else nothing would tell of the purchase
		}
		if limit := oneOf[int64](0, 0, 60, 10).Draw(t, "limit"); limit > 0 {
			chosen.settings["max_requests_per_minute"] = limit
		}
		if purchases := oneOf[int64](-1, -1, -1, 0, 1, 2, 4).Draw(t, "purchases"); purchases >= 0 {
			chosen.settings["max_purchases"] = purchases
		}
		if credits := oneOf[int64](
			-1,
			-1,
			-1,
			0,
			1,
			3,
			trainingPrice,
			trainingPrice+3,
		).Draw(t, "credits"); credits >= 0 {
			chosen.settings["max_credits"] = credits
			chosen.settings["prices"] = core.Object{"generation": 1.0, "training": float64(trainingPrice)}
		}
		chosen.lists = oneOf(false, true, true).Draw(t, "extended reads")
		if chosen.lists {
			chosen.settings["extended_reads"] = true
		}
		if rapid.Bool().Draw(t, "no retries") {
			chosen.settings["max_retries"] = int64(0)
		}
		return chosen
	})
}

func merge(into *mockserver.Variant, from mockserver.Variant) {
	target := reflect.ValueOf(into).Elem()
	source := reflect.ValueOf(from)
	name := strings.TrimPrefix(into.Name+"+"+from.Name, "+")
	for i := range source.NumField() {
		if !source.Field(i).IsZero() {
			target.Field(i).Set(source.Field(i))
		}
	}
	into.Name = name
}

const (
	strangersKey = "api-key-of-another-organization"
	renewedKey   = "another-api-key-of-the-organization"
)

type credential struct {
	text, key string
	mistyped  bool
}

func (c credential) GoString() string { return c.text }

func credentials() *rapid.Generator[credential] {
	own := credential{}
	stranger := credential{text: " as a stranger", key: strangersKey}
	renewed := credential{text: " with a new key", key: renewedKey}
	return oneOf(own, own, own, own, own, own, own, own, own, own, own, stranger, stranger, renewed, mistypedAddress)
}

var mistypedAddress = credential{text: " at a mistyped address", mistyped: true}

func (c credential) use(s *story) {
	settings := maps.Clone(s.settings)
	switch {
	case c.key == renewedKey && s.nameless && s.late:
		return // to recover, the user would trust the 404s for what is about to appear
	case c.key == renewedKey:
		s.renewed = true
	case c == credential{}, s.trusting:
		return // it would believe what is meant for other callers
	default:
		s.misled = true
		s.mistyped = c.mistyped
	}
	if c.mistyped {
		settings["base_url"] = strings.TrimSuffix(s.URL, "/v2") + "/v3"
	} else {
		settings["api_key"] = c.key
	}
	s.Workspace.Provider(settings)
}

// gateways do not find the service: on one route or on all, for some requests
// or for all.
func gateways(routes []string) *rapid.Generator[fault] {
	known := mockserver.GatewayNotFounds()
	names := rapid.SampledFrom(slices.Sorted(maps.Keys(known)))
	return rapid.Custom(func(t *rapid.T) fault {
		name := names.Draw(t, "gateway")
		f := fault{Fault: known[name], text: "a gateway's " + name, misleads: true}
		f.Route = oneOf(append([]string{""}, routes...)...).Draw(t, "gateway's route")
		return f
	})
}
