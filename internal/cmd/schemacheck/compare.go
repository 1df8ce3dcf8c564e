package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
)

// broken says what a change breaks.
type broken int

const (
	nothing        broken = iota
	states                // unless a higher version of the schema upgrades them
	configurations        // only a major version may break configurations
)

// change is a difference between two releases.
type change struct {
	where, what string
	breaks      broken
}

func (c change) String() string {
	return fmt.Sprintf(
		"%-22s%s: %s",
		[...]string{"", "breaks states", "breaks configurations"}[c.breaks],
		c.where,
		c.what,
	)
}

// comparison collects the changes of one type.
type comparison struct {
	kind, where string
	// upgraded is true if a higher version of the schema upgrades states.
	upgraded bool
	changes  []change
}

func (c *comparison) add(breaks broken, path, format string, values ...any) {
	stored := c.kind == "resource" || c.kind == "identity"
	if breaks == states && (!stored || c.upgraded) {
		breaks = nothing
	}
	where := c.where
	if path != "" {
		where += ", " + path
	}
	c.changes = append(c.changes, change{where, fmt.Sprintf(format, values...), breaks})
}

func compare(last, next release) []change {
	was := last.provider
	is := next.provider
	type schemas = map[string]*tfjson.Schema
	return slices.Concat(
		compareTypes("provider", schemas{"": was.ConfigSchema}, schemas{"": is.ConfigSchema}, nil, nil),
		compareTypes("resource", was.ResourceSchemas, is.ResourceSchemas, last.Plans, next.Plans),
		compareIdentities(was.ResourceIdentitySchemas, is.ResourceIdentitySchemas),
		compareTypes("data source", was.DataSourceSchemas, is.DataSourceSchemas, nil, nil),
		compareTypes("ephemeral resource", was.EphemeralResourceSchemas, is.EphemeralResourceSchemas, nil, nil),
		compareTypes("list resource", was.ListResourceSchemas, is.ListResourceSchemas, nil, nil),
		compareTypes("action", blocks(was.ActionSchemas), blocks(is.ActionSchemas), nil, nil),
		compareFunctions(was.Functions, is.Functions),
	)
}

// each calls one for every name that both maps have, and lists the other names.
func each[T any](
	kind string,
	was, is map[string]T,
	one func(c *comparison, name string, was, is T),
) (changes []change) {
	for _, name := range union(was, is) {
		c := &comparison{kind: kind, where: strings.TrimSpace(kind + " " + name)}
		before, existed := was[name]
		after, exists := is[name]
		switch {
		case !existed:
			c.add(nothing, "", "added")
		case !exists:
			c.add(configurations, "", "removed")
		default:
			one(c, name, before, after)
		}
		changes = append(changes, c.changes...)
	}
	return changes
}

func union[T any](one, other map[string]T) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(one)), maps.Keys(other))
	slices.Sort(all)
	return slices.Compact(all)
}

func compareTypes(kind string, was, is map[string]*tfjson.Schema, wasPlanned, isPlanned plans) []change {
	return each(kind, was, is, func(c *comparison, name string, before, after *tfjson.Schema) {
		c.versions(before.Version, after.Version)
		c.attributes(flatten(before.Block, wasPlanned[name]), flatten(after.Block, isPlanned[name]))
	})
}

func compareIdentities(was, is map[string]*tfjson.IdentitySchema) []change {
	return each("identity", was, is, func(c *comparison, _ string, before, after *tfjson.IdentitySchema) {
		c.versions(before.Version, after.Version)
		c.attributes(identity(before), identity(after))
	})
}

func (c *comparison) versions(was, is uint64) {
	switch {
	case is > was:
		c.add(nothing, "", "version %d of its schema, was %d", is, was)
		c.upgraded = true
	case is < was:
		c.add(states, "", "version %d of its schema, was %d: states cannot be read", is, was)
	}
}

func (c *comparison) attributes(was, is attributes) {
	for _, path := range union(was, is) {
		before, existed := was[path]
		after, exists := is[path]
		parent, _, isField := cutLast(path)
		_, parentExisted := was[parent]
		_, parentExists := is[parent]
		switch {
		case existed && exists:
			c.attribute(path, before, after)
		case existed && (parentExists || !isField):
			c.add(configurations, path, "removed")
		case exists && (parentExisted || !isField):
			c.added(path, after)
		}
	}
}

func cutLast(path string) (parent, name string, found bool) {
	i := strings.LastIndex(path, ".")
	return path[:max(i, 0)], path[i+1:], i >= 0
}

func (c *comparison) added(path string, a attribute) {
	switch {
	case a.required:
		c.add(configurations, path, "added, and required")
	case c.kind == "identity":
		c.add(states, path, "added: identities in states lack it")
	case a.Default != "" && !a.KeepsNull:
		c.add(states, path, "added with a default, which states lack: an upgrade plans an update")
	default:
		c.add(nothing, path, "added")
	}
}

// attribute compares an attribute in two releases. A change that replaces or
// buys counts as breaking, because it deletes objects or costs credits.
func (c *comparison) attribute(path string, was, is attribute) {
	for _, rule := range []struct {
		applies bool
		breaks  broken
		what    string
	}{
		{is.kind != was.kind, configurations, fmt.Sprintf("%s, was %s", is.kind, was.kind)},
		{is.required && !was.required, configurations, "required now"},
		{was.required && is.optional, nothing, "optional now"},
		{was.settable() && !is.settable(), configurations, "can no longer be set"},
		{!was.settable() && is.optional, nothing, "can be set now"},
		{was.computed && !is.computed, configurations, "no longer computed"},
		{!was.computed && is.computed, nothing, "computed now"},
		{is.sensitive && !was.sensitive, configurations, "sensitive now: outputs that show it fail"},
		{was.sensitive && !is.sensitive, configurations, "no longer sensitive: plans and logs show it"},
		{is.writeOnly != was.writeOnly, configurations, fmt.Sprintf("write-only is %t now", is.writeOnly)},
		{is.Default != was.Default, ofDefault(was, is), fmt.Sprintf("default %s, was %s", orNone(is.Default),
			orNone(was.Default))},
		{was.Replaces == "" && is.Replaces != "", configurations, "a change replaces or buys now: " + is.Replaces},
		{was.Replaces != "" && is.Replaces != was.Replaces, nothing, fmt.Sprintf("a change replaces or buys: %s, "+
			"was: %s", orNone(is.Replaces), was.Replaces)},
		{is.deprecated && !was.deprecated, nothing, "deprecated"},
	} {
		if rule.applies {
			c.add(rule.breaks, path, "%s", rule.what)
		}
	}
}

// ofDefault returns what a changed default breaks: nothing if states with null
// in place of the default keep the null.
func ofDefault(was, is attribute) broken {
	if was.Default == "" && is.KeepsNull {
		return nothing
	}
	return states
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func compareFunctions(was, is map[string]*tfjson.FunctionSignature) []change {
	return each("function", was, is, func(c *comparison, _ string, before, after *tfjson.FunctionSignature) {
		if !after.ReturnType.Equals(before.ReturnType) {
			c.add(
				configurations,
				"result",
				"%s, was %s",
				after.ReturnType.FriendlyName(),
				before.ReturnType.FriendlyName(),
			)
		}
		if len(after.Parameters) != len(before.Parameters) {
			c.add(configurations, "", "%d parameters, was %d", len(after.Parameters), len(before.Parameters))
			return
		}
		for i, parameter := range before.Parameters {
			c.parameter(parameter, after.Parameters[i])
		}
		switch rest := after.VariadicParameter; {
		case before.VariadicParameter != nil && rest != nil:
			c.parameter(before.VariadicParameter, rest)
		case before.VariadicParameter != nil:
			c.add(configurations, "", "no further parameters")
		case rest != nil:
			c.add(nothing, "", "further parameters")
		}
	})
}

func (c *comparison) parameter(was, is *tfjson.FunctionParameter) {
	if !is.Type.Equals(was.Type) {
		c.add(configurations, was.Name, "%s, was %s", is.Type.FriendlyName(), was.Type.FriendlyName())
	}
	if was.IsNullable && !is.IsNullable {
		c.add(configurations, was.Name, "null is refused now")
	}
}
