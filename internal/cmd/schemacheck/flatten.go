package main

import (
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"
)

// attribute holds the compared properties of an attribute, or of a field of an
// object.
type attribute struct {
	// kind is the type. The fields of an object are attributes themselves.
	kind                             string
	required, optional, computed     bool
	sensitive, writeOnly, deprecated bool
	planned
}

func (a attribute) settable() bool { return a.required || a.optional }

// attributes are the attributes of a type, by path, as in
// prompts.source_image_url.
type attributes map[string]attribute

// flatten returns the attributes of a block, with the known facts about their
// plans.
func flatten(block *tfjson.SchemaBlock, known map[string]planned) attributes {
	found := attributes{}
	if block != nil {
		found.addBlock("", block)
	}
	for path, plan := range known {
		a := found[path]
		a.planned = plan
		found[path] = a
	}
	return found
}

func (f attributes) addBlock(prefix string, block *tfjson.SchemaBlock) {
	f.addAll(prefix, block.Attributes)
	for name, nested := range block.NestedBlocks {
		f[prefix+name] = attribute{
			kind:     "block of " + string(nested.NestingMode),
			required: nested.MinItems > 0,
			optional: nested.MinItems == 0,
		}
		f.addBlock(prefix+name+".", nested.Block)
	}
}

func (f attributes) addAll(prefix string, schemas map[string]*tfjson.SchemaAttribute) {
	for name, schema := range schemas {
		path := prefix + name
		a := attribute{
			required:   schema.Required,
			optional:   schema.Optional,
			computed:   schema.Computed,
			sensitive:  schema.Sensitive,
			writeOnly:  schema.WriteOnly,
			deprecated: schema.Deprecated,
		}
		if nested := schema.AttributeNestedType; nested != nil {
			a.kind = nesting[nested.NestingMode]
			f.addAll(path+".", nested.Attributes)
		} else {
			a.kind = f.addFields(path+".", a, schema.AttributeType)
		}
		f[path] = a
	}
}

// nesting gives the type of nested attributes: a nested attribute may replace
// an attribute of objects without a difference to configurations and states.
var nesting = map[tfjson.SchemaNestingMode]string{
	tfjson.SchemaNestingModeSingle: "object", tfjson.SchemaNestingModeList: "list(object)",
	tfjson.SchemaNestingModeSet: "set(object)", tfjson.SchemaNestingModeMap: "map(object)",
}

// addFields adds the fields of an attribute's objects, and returns the
// attribute's type without them. Whoever sets an object with a type has to set
// all fields.
func (f attributes) addFields(prefix string, owner attribute, typ cty.Type) string {
	switch {
	case typ.IsObjectType():
		field := attribute{required: owner.settable(), computed: owner.computed}
		for name, of := range typ.AttributeTypes() {
			field.kind = f.addFields(prefix+name+".", owner, of)
			f[prefix+name] = field
		}
		return "object"
	case typ.IsListType():
		return "list(" + f.addFields(prefix, owner, typ.ElementType()) + ")"
	case typ.IsSetType():
		return "set(" + f.addFields(prefix, owner, typ.ElementType()) + ")"
	case typ.IsMapType():
		return "map(" + f.addFields(prefix, owner, typ.ElementType()) + ")"
	}
	return typ.FriendlyName()
}

// identity returns the attributes of an identity, which imports set.
func identity(schema *tfjson.IdentitySchema) attributes {
	found := attributes{}
	for name, of := range schema.Attributes {
		found[name] = attribute{
			kind:     of.IdentityType.FriendlyName(),
			required: of.RequiredForImport,
			optional: of.OptionalForImport,
		}
	}
	return found
}

// blocks returns the schemas of actions, which have no version.
func blocks(actions map[string]*tfjson.ActionSchema) map[string]*tfjson.Schema {
	found := map[string]*tfjson.Schema{}
	for name, schema := range actions {
		found[name] = &tfjson.Schema{Block: schema.Block}
	}
	return found
}
