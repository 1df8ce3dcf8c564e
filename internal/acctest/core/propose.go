package core

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// propose merges a configuration with the prior state into the starting point
// of a plan: configured values, and prior values for computed attributes that
// are not configured.
func propose(known *kind, prior, config tftypes.Value) tftypes.Value {
	if config.IsNull() {
		return prior
	}
	return proposeObject(known.attributes, known.typ, prior, config)
}

func proposeObject(
	attributes []*tfprotov6.SchemaAttribute,
	typ tftypes.Type,
	prior, config tftypes.Value,
) tftypes.Value {
	if config.IsNull() {
		return tftypes.NewValue(typ, nil)
	}
	proposed := make(map[string]tftypes.Value, len(attributes))
	for _, attribute := range attributes {
		proposed[attribute.Name] = proposeAttribute(attribute, part(prior, attribute), part(config, attribute))
	}
	return tftypes.NewValue(typ, proposed)
}

func proposeAttribute(attribute *tfprotov6.SchemaAttribute, prior, config tftypes.Value) tftypes.Value {
	switch {
	case attribute.Computed && config.IsNull():
		if attribute.Optional && wasConfigured(attribute.NestedType, prior) {
			return config
		}
		return prior
	case attribute.NestedType != nil:
		return proposeNested(attribute.NestedType, prior, config)
	default:
		return config
	}
}

func proposeNested(nested *tfprotov6.SchemaObject, prior, config tftypes.Value) tftypes.Value {
	if !config.IsKnown() || config.IsNull() {
		return config
	}
	element := elementType(nested)
	switch nested.Nesting {
	case tfprotov6.SchemaObjectNestingModeMap:
		previous := fieldsOf(prior)
		proposed := map[string]tftypes.Value{}
		for key, value := range fieldsOf(config) {
			proposed[key] = proposeObject(nested.Attributes, element, previous[key], value)
		}
		return tftypes.NewValue(config.Type(), proposed)
	case tfprotov6.SchemaObjectNestingModeList:
		previous := itemsOf(prior)
		proposed := itemsOf(config)
		for i, value := range proposed {
			if i < len(previous) {
				proposed[i] = proposeObject(nested.Attributes, element, previous[i], value)
			}
		}
		return tftypes.NewValue(config.Type(), proposed)
	case tfprotov6.SchemaObjectNestingModeSet:
		return proposeSet(nested, element, prior, config)
	default:
		return proposeObject(nested.Attributes, element, prior, config)
	}
}

// proposeSet finds, for each configured element, the first prior element from
// which it could have come and that no other element has taken.
func proposeSet(nested *tfprotov6.SchemaObject, element tftypes.Type, prior, config tftypes.Value) tftypes.Value {
	previous := itemsOf(prior)
	proposed := itemsOf(config)
	taken := make([]bool, len(previous))
	for i, value := range proposed {
		var before tftypes.Value
		for j, candidate := range previous {
			if !taken[j] && couldComeFrom(nested.Attributes, candidate, value) {
				taken[j] = true
				before = candidate
				break
			}
		}
		proposed[i] = proposeObject(nested.Attributes, element, before, value)
	}
	return tftypes.NewValue(config.Type(), proposed)
}

// couldComeFrom reports whether prior is config with nothing but computed
// values added.
func couldComeFrom(attributes []*tfprotov6.SchemaAttribute, prior, config tftypes.Value) bool {
	if prior.Equal(config) {
		return true
	}
	if !config.IsKnown() || config.IsNull() || prior.IsNull() {
		return false
	}
	configured := fieldsOf(config)
	previous := fieldsOf(prior)
	for _, attribute := range attributes {
		before := previous[attribute.Name]
		now := configured[attribute.Name]
		switch {
		case before.Equal(now):
		case attribute.NestedType != nil:
			if !nestedCouldComeFrom(attribute.NestedType, before, now) {
				return false
			}
		case !attribute.Computed || !now.IsNull():
			return false
		}
	}
	return true
}

func nestedCouldComeFrom(nested *tfprotov6.SchemaObject, prior, config tftypes.Value) bool {
	switch nested.Nesting {
	case tfprotov6.SchemaObjectNestingModeSet:
		return false
	case tfprotov6.SchemaObjectNestingModeList:
		previous := itemsOf(prior)
		configured := itemsOf(config)
		for i, before := range previous {
			if i >= len(configured) || !couldComeFrom(nested.Attributes, before, configured[i]) {
				return false
			}
		}
		return true
	case tfprotov6.SchemaObjectNestingModeMap:
		configured := fieldsOf(config)
		for key, before := range fieldsOf(prior) {
			now, ok := configured[key]
			if !ok || !couldComeFrom(nested.Attributes, before, now) {
				return false
			}
		}
		return true
	default:
		return couldComeFrom(nested.Attributes, prior, config)
	}
}

// wasConfigured reports whether a nested value contains a part that can only
// come from a configuration.
func wasConfigured(nested *tfprotov6.SchemaObject, value tftypes.Value) bool {
	if nested == nil || !value.IsKnown() || value.IsNull() {
		return false
	}
	if nested.Nesting == tfprotov6.SchemaObjectNestingModeSingle {
		return objectWasConfigured(nested.Attributes, value)
	}
	elements := itemsOf(value)
	if nested.Nesting == tfprotov6.SchemaObjectNestingModeMap {
		elements = slices.Collect(maps.Values(fieldsOf(value)))
	}
	return slices.ContainsFunc(
		elements,
		func(element tftypes.Value) bool { return objectWasConfigured(nested.Attributes, element) },
	)
}

func objectWasConfigured(attributes []*tfprotov6.SchemaAttribute, value tftypes.Value) bool {
	fields := fieldsOf(value)
	for _, attribute := range attributes {
		field, ok := fields[attribute.Name]
		if !ok || field.IsNull() {
			continue
		}
		if !attribute.Computed || wasConfigured(attribute.NestedType, field) {
			return true
		}
	}
	return false
}

// part returns an attribute of an object: unknown if the object is unknown,
// null if the object is null.
func part(object tftypes.Value, attribute *tfprotov6.SchemaAttribute) tftypes.Value {
	switch {
	case !object.IsKnown():
		return tftypes.NewValue(attribute.ValueType(), tftypes.UnknownValue)
	case object.IsNull():
		return tftypes.NewValue(attribute.ValueType(), nil)
	default:
		return fieldsOf(object)[attribute.Name]
	}
}

// elementType returns the type of the objects in a nested attribute.
func elementType(nested *tfprotov6.SchemaObject) tftypes.Type {
	single := tfprotov6.SchemaObject{Attributes: nested.Attributes, Nesting: tfprotov6.SchemaObjectNestingModeSingle}
	return single.ValueType()
}
