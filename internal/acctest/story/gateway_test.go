package story_test

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// gateways do not find the service: on one route or on all, for some requests or for all.
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
