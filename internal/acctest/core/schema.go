package core

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// kind is the schema of the provider block, or of a type of any sort.
type kind struct {
	name       string
	version    int64
	attributes []*tfprotov6.SchemaAttribute
	typ        tftypes.Type
	// identity is nil for a type without an identity.
	identity tftypes.Type
}

func (k *kind) null() tftypes.Value { return tftypes.NewValue(k.typ, nil) }

// schemas are a provider's schemas. They are requested once, like the CLI does
// if the provider allows it.
type schemas struct {
	provider                   *kind
	resources, dataSources     map[string]*kind
	ephemerals, lists, actions map[string]*kind
	planDestroy                bool
}

func readSchemas(ctx context.Context, server tfprotov6.ProviderServer) (*schemas, error) {
	answer, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	if diagnostics := fromProtocol("", answer.Diagnostics, nil); diagnostics.HasErrors() {
		return nil, fmt.Errorf("provider schema:\n%s", diagnostics)
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, err
	}
	if diagnostics := fromProtocol("", identities.Diagnostics, nil); diagnostics.HasErrors() {
		return nil, fmt.Errorf("identity schemas:\n%s", diagnostics)
	}
	all := &schemas{
		resources:   map[string]*kind{},
		planDestroy: answer.ServerCapabilities != nil && answer.ServerCapabilities.PlanDestroy,
	}
	all.provider, err = newKind("provider", answer.Provider)
	if err != nil {
		return nil, err
	}
	for name, schema := range answer.ResourceSchemas {
		all.resources[name], err = newKind(name, schema)
		if err != nil {
			return nil, err
		}
		if identity, ok := identities.IdentitySchemas[name]; ok {
			all.resources[name].identity = identity.ValueType()
		}
	}
	all.dataSources, err = newKinds(answer.DataSourceSchemas)
	if err != nil {
		return nil, err
	}
	all.ephemerals, err = newKinds(answer.EphemeralResourceSchemas)
	if err != nil {
		return nil, err
	}
	all.lists, err = newKinds(answer.ListResourceSchemas)
	if err != nil {
		return nil, err
	}
	actions := map[string]*tfprotov6.Schema{}
	for name, action := range answer.ActionSchemas {
		actions[name] = action.Schema
	}
	all.actions, err = newKinds(actions)
	return all, err
}

func newKinds(of map[string]*tfprotov6.Schema) (map[string]*kind, error) {
	kinds := map[string]*kind{}
	for name, schema := range of {
		known, err := newKind(name, schema)
		if err != nil {
			return nil, err
		}
		kinds[name] = known
	}
	return kinds, nil
}

func newKind(name string, schema *tfprotov6.Schema) (*kind, error) {
	if schema == nil {
		schema = &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}}
	}
	if len(schema.Block.BlockTypes) > 0 {
		return nil, fmt.Errorf("%s has nested blocks, which this core does not know", name)
	}
	return &kind{
		name:       name,
		version:    schema.Version,
		attributes: schema.Block.Attributes,
		typ:        schema.ValueType(),
	}, nil
}

// resource returns the type of the resource at an address, as in
// "toy_thing.one".
func (s *schemas) resource(address string) (*kind, error) {
	name, _, found := strings.Cut(address, ".")
	if !found {
		return nil, fmt.Errorf("%q is not an address such as toy_thing.one", address)
	}
	if known, ok := s.resources[name]; ok {
		return known, nil
	}
	return nil, fmt.Errorf("the provider has no resource type %q", name)
}
