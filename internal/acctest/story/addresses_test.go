package story_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
)

// checkAddresses: result_urls has the keys of the prompts. In a plan it is
// unknown where the outcome is; in the state there are addresses at most where
// a generation has succeeded.
func (s *story) checkAddresses(plan *acctest.Plan) {
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

func (s *story) checkAddressesOf(what string, group acctest.Object) {
	addresses, known := group["result_urls"].(acctest.Object)
	if !known {
		if group["result_urls"] != acctest.Unknown || group["generations"] != acctest.Unknown {
			s.t.Fatalf("%s: result_urls is %v", what, group["result_urls"])
		}
		return
	}
	prompts := group["prompts"].(acctest.Object)
	if keys, want := slices.Sorted(maps.Keys(addresses)), slices.Sorted(maps.Keys(prompts)); !cmp.Equal(keys, want) {
		s.t.Fatalf("%s: result_urls has the keys %q, want %q", what, keys, want)
	}
	generations := generationsOf(group)
	for key, of := range addresses {
		list, isList := of.([]any)
		switch outcome := generations[key]["succeeded"]; {
		case outcome == acctest.Unknown && of == acctest.Unknown:
		case outcome == acctest.Unknown || !isList || len(list) > 0 && outcome != true:
			s.t.Fatalf("%s: the addresses of %q are %v, and its generation is %v", what, key, of, generations[key])
		}
	}
}
