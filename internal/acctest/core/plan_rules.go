package core

import (
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// problem is a way in which a provider broke the core's rules.
type problem struct {
	path *tftypes.AttributePath
	text string
}

func broken(path *tftypes.AttributePath, text string, values ...any) []problem {
	return []problem{{path, fmt.Sprintf(text, values...)}}
}

// planProblems checks a plan against the configuration. A provider may decide
// computed values that are not configured, and may keep a prior value that
// means the same as the configured one.
func planProblems(known *kind, prior, config, planned tftypes.Value) []problem {
	root := tftypes.NewAttributePath()
	switch {
	case planned.IsNull() && !config.IsNull():
		return broken(root, "planned for notFound but config wants existence")
	case config.IsNull() && !planned.IsNull():
		return broken(root, "planned for existence but config wants notFound")
	}
	return attributesProblems(known.attributes, prior, config, planned, root)
}

func attributesProblems(
	attributes []*tfprotov6.SchemaAttribute,
	prior, config, planned tftypes.Value,
	path *tftypes.AttributePath,
) []problem {
	var problems []problem
	for _, attribute := range attributes {
		problems = append(
			problems,
			attributeProblems(attribute, part(prior, attribute), part(config, attribute), part(planned, attribute),
				path.WithAttributeName(attribute.Name))...)
	}
	return problems
}

func attributeProblems(
	attribute *tfprotov6.SchemaAttribute,
	prior, config, planned tftypes.Value,
	path *tftypes.AttributePath,
) []problem {
	switch {
	case planned.Equal(config):
		return nil
	case planned.Equal(prior) && !prior.IsNull() && !config.IsNull():
		return nil
	case attribute.Computed && (!attribute.Optional || config.IsNull()):
		return nil
	case config.IsNull() && attribute.Sensitive:
		return broken(path, "sensitive planned value for a non-computed attribute")
	case config.IsNull():
		return broken(path, "planned value %s for a non-computed attribute", shown(planned))
	case attribute.NestedType != nil:
		return nestedProblems(attribute.NestedType, prior, config, planned, path)
	case attribute.Sensitive:
		return broken(path, "sensitive planned value does not match config value nor prior value")
	case prior.IsNull():
		return broken(path, "planned value %s does not match config value %s", shown(planned), shown(config))
	default:
		return broken(
			path,
			"planned value %s does not match config value %s nor prior value %s",
			shown(planned),
			shown(config),
			shown(prior),
		)
	}
}

func nestedProblems(
	nested *tfprotov6.SchemaObject,
	prior, config, planned tftypes.Value,
	path *tftypes.AttributePath,
) []problem {
	switch {
	case planned.IsNull():
		return broken(path, "planned for notFound but config wants existence")
	case !planned.IsKnown():
		return broken(path, "planned unknown for configured value")
	}
	switch nested.Nesting {
	case tfprotov6.SchemaObjectNestingModeMap:
		return mapProblems(nested, prior, config, planned, path)
	case tfprotov6.SchemaObjectNestingModeList:
		return listProblems(nested, prior, config, planned, path)
	case tfprotov6.SchemaObjectNestingModeSet:
		return setProblems(config, planned, path)
	default:
		return attributesProblems(nested.Attributes, prior, config, planned, path)
	}
}

func mapProblems(
	nested *tfprotov6.SchemaObject,
	prior, config, planned tftypes.Value,
	path *tftypes.AttributePath,
) []problem {
	previous := fieldsOf(prior)
	configured := fieldsOf(config)
	intended := fieldsOf(planned)
	if !config.IsKnown() || len(configured) != len(intended) {
		return broken(
			path,
			"count in plan (%d) disagrees with count in config (%s)",
			len(intended),
			count(config, len(configured)),
		)
	}
	var problems []problem
	for _, key := range sortedKeys(intended) {
		element, ok := configured[key]
		if !ok {
			problems = append(problems, broken(path, "map key %q from plan is not present in config", key)...)
			continue
		}
		problems = append(
			problems,
			attributesProblems(
				nested.Attributes,
				previous[key],
				element,
				intended[key],
				path.WithElementKeyString(key),
			)...)
	}
	for _, key := range sortedKeys(configured) {
		if _, ok := intended[key]; !ok {
			problems = append(problems, broken(path, "map key %q from config is not present in plan", key)...)
		}
	}
	return problems
}

func listProblems(
	nested *tfprotov6.SchemaObject,
	prior, config, planned tftypes.Value,
	path *tftypes.AttributePath,
) []problem {
	previous := itemsOf(prior)
	configured := itemsOf(config)
	intended := itemsOf(planned)
	if !config.IsKnown() || len(configured) != len(intended) {
		return broken(
			path,
			"count in plan (%d) disagrees with count in config (%s)",
			len(intended),
			count(config, len(configured)),
		)
	}
	var problems []problem
	for i, element := range intended {
		var before tftypes.Value
		if i < len(previous) {
			before = previous[i]
		}
		problems = append(
			problems,
			attributesProblems(nested.Attributes, before, configured[i], element, path.WithElementKeyInt(i))...)
	}
	return problems
}

// setProblems compares only the number of elements: they have no identity, so
// Terraform leaves the rest to the provider.
func setProblems(config, planned tftypes.Value, path *tftypes.AttributePath) []problem {
	if config.IsKnown() && config.IsFullyKnown() && planned.IsFullyKnown() &&
		len(itemsOf(config)) != len(itemsOf(planned)) {
		return broken(
			path,
			"count in plan (%d) disagrees with count in config (%d)",
			len(itemsOf(planned)),
			len(itemsOf(config)),
		)
	}
	return nil
}

func count(value tftypes.Value, length int) string {
	if !value.IsKnown() {
		return "unknown"
	}
	return strconv.Itoa(length)
}
