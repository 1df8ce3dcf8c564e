package story_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// checkAddresses: result_urls has the keys of the prompts. A plan shows it as unknown where the
// outcome is; the state has addresses only where a generation has succeeded.
func (s *story) checkAddresses(plan *core.Plan) {
	if plan != nil {
		for _, change := range plan.Changes {
			if !change.Deposed && change.After != nil && strings.HasPrefix(change.Address, groupType) {
				s.checkAddressesOf(change.Address+" as planned", change.After)
			}
		}
	}
	for _, entry := range s.Entries() {
		if strings.HasPrefix(entry.Address, groupType) {
			s.checkAddressesOf(entry.Address, entry.Attributes)
		}
	}
}

func (s *story) checkAddressesOf(what string, group core.Object) {
	addresses, known := group["result_urls"].(core.Object)
	if !known {
		s.must(group["result_urls"] == core.Unknown && group["generations"] == core.Unknown, "%s: result_urls is %v", what, group["result_urls"])
		return
	}
	prompts := group["prompts"].(core.Object)
	if keys, want := slices.Sorted(maps.Keys(addresses)), slices.Sorted(maps.Keys(prompts)); !cmp.Equal(keys, want) {
		s.T.Fatalf("%s: result_urls has the keys %q, want %q", what, keys, want)
	}
	generations := generationsOf(group)
	for key, of := range addresses {
		list, isList := of.([]any)
		switch outcome := generations[key]["succeeded"]; {
		case outcome == core.Unknown && of == core.Unknown:
		case outcome == core.Unknown || !isList || len(list) > 0 && outcome != true:
			s.T.Fatalf("%s: the addresses of %q are %v, and its generation is %v", what, key, of, generations[key])
		}
	}
}
