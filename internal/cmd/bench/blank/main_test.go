package main

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	ours "github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

// The floor has all attributes of this provider: a type of attribute that blank
// does not know yet fails here, and not first in a benchmark.
func TestBlank_hasTheTypesOfOurs(t *testing.T) {
	t.Parallel()
	resources, err := resourcesOfOurs(t.Context(), benchmarked...)
	check.Must(t, err)
	schemas := func(server tfprotov6.ProviderServer) map[string]*tfprotov6.Schema {
		said, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
		check.Must(t, err)
		check.Equal(t, "diagnostics", len(said.Diagnostics), 0)
		return said.ResourceSchemas
	}
	serve, finish := ours.Serve("test", ours.Options{})
	defer finish()
	model := schemas(serve())
	floor := schemas(providerserver.NewProtocol6(blank{resources})())
	check.Equal(t, "types", len(floor), len(benchmarked))
	for _, name := range benchmarked {
		check.Equal(
			t,
			name,
			floor["blank_"+name].ValueType().String(),
			model["mediagen_"+name].ValueType().String(),
		)
	}
}
