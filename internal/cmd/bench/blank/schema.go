package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	ours "github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

// resourcesOfOurs returns a resource for each of some types of this provider. A
// name is that of the type without the provider's.
func resourcesOfOurs(ctx context.Context, names ...string) ([]func() resource.Resource, error) {
	serve, finish := ours.Serve("bench", ours.Options{})
	defer finish()
	server := serve()
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, err
	}
	var resources []func() resource.Resource
	for _, name := range names {
		described := schemas.ResourceSchemas["mediagen_"+name]
		identity := identities.IdentitySchemas["mediagen_"+name]
		if described == nil || identity == nil {
			return nil, fmt.Errorf("mediagen_%s has no schema, or no identity", name)
		}
		made := object{name: name}
		made.schema.Attributes, err = attributesOf(described.Block.Attributes)
		if err != nil {
			return nil, fmt.Errorf("mediagen_%s: %w", name, err)
		}
		made.identity.Attributes, err = identityOf(identity)
		if err != nil {
			return nil, fmt.Errorf("identity of mediagen_%s: %w", name, err)
		}
		resources = append(resources, func() resource.Resource { return made })
	}
	return resources, nil
}

// attributesOf returns attributes of the same types, without validators, plan
// modifiers and defaults, which are this provider's part.
func attributesOf(described []*tfprotov6.SchemaAttribute) (map[string]schema.Attribute, error) {
	attributes := map[string]schema.Attribute{}
	for _, one := range described {
		attribute, err := attributeOf(one)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.Name, err)
		}
		attributes[one.Name] = attribute
	}
	return attributes, nil
}

func attributeOf(of *tfprotov6.SchemaAttribute) (schema.Attribute, error) {
	if of.NestedType != nil {
		return nestedOf(of)
	}
	kind, err := basetypes.TerraformTypeToFrameworkType(of.Type)
	switch kind := kind.(type) {
	case basetypes.StringType:
		return schema.StringAttribute{
			Required: of.Required,
			Optional: of.Optional,
			Computed: of.Computed,
		}, nil
	case basetypes.BoolType:
		return schema.BoolAttribute{
			Required: of.Required,
			Optional: of.Optional,
			Computed: of.Computed,
		}, nil
	case basetypes.NumberType:
		return schema.NumberAttribute{
			Required: of.Required,
			Optional: of.Optional,
			Computed: of.Computed,
		}, nil
	case basetypes.MapType:
		return schema.MapAttribute{
			ElementType: kind.ElemType,
			Required:    of.Required,
			Optional:    of.Optional,
			Computed:    of.Computed,
		}, nil
	default:
		return nil, cmp.Or(err, fmt.Errorf("blank has no attribute of the type %s yet", of.Type))
	}
}

func nestedOf(of *tfprotov6.SchemaAttribute) (schema.Attribute, error) {
	attributes, err := attributesOf(of.NestedType.Attributes)
	if err != nil {
		return nil, err
	}
	switch of.NestedType.Nesting {
	case tfprotov6.SchemaObjectNestingModeMap:
		return schema.MapNestedAttribute{
			NestedObject: schema.NestedAttributeObject{Attributes: attributes},
			Required:     of.Required,
			Optional:     of.Optional,
			Computed:     of.Computed,
		}, nil
	case tfprotov6.SchemaObjectNestingModeSingle:
		return schema.SingleNestedAttribute{
			Attributes: attributes,
			Required:   of.Required,
			Optional:   of.Optional,
			Computed:   of.Computed,
		}, nil
	default:
		return nil, fmt.Errorf("blank has no attribute of the nesting %s yet", of.NestedType.Nesting)
	}
}

func identityOf(described *tfprotov6.ResourceIdentitySchema) (map[string]identityschema.Attribute, error) {
	attributes := map[string]identityschema.Attribute{}
	for _, one := range described.IdentityAttributes {
		kind, err := basetypes.TerraformTypeToFrameworkType(one.Type)
		switch kind := kind.(type) {
		case basetypes.StringType:
			attributes[one.Name] = identityschema.StringAttribute{
				RequiredForImport: one.RequiredForImport,
				OptionalForImport: one.OptionalForImport,
			}
		case basetypes.ListType:
			attributes[one.Name] = identityschema.ListAttribute{
				ElementType:       kind.ElemType,
				RequiredForImport: one.RequiredForImport,
				OptionalForImport: one.OptionalForImport,
			}
		default:
			return nil, cmp.Or(err, fmt.Errorf("blank has no identity of the type %s yet", one.Type))
		}
	}
	return attributes, nil
}
