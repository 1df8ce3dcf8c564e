package core

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// resultProblems checks that actual completes planned: only unknown values may
// have changed.
func resultProblems(known *kind, planned, actual tftypes.Value) []problem {
	root := tftypes.NewAttributePath()
	switch {
	case planned.IsNull() && actual.IsNull():
		return nil
	case planned.IsNull():
		return broken(root, "Root object was absent, but now present")
	case actual.IsNull():
		return broken(root, "Root object was present, but now absent")
	}
	before := fieldsOf(planned)
	after := fieldsOf(actual)
	var problems []problem
	for _, attribute := range known.attributes {
		path := root.WithAttributeName(attribute.Name)
		found := completionProblems(before[attribute.Name], after[attribute.Name], path)
		if len(found) > 0 && attribute.Sensitive {
			found = broken(path, "inconsistent values for sensitive attribute")
		}
		problems = append(problems, found...)
	}
	return problems
}

func completionProblems(planned, actual tftypes.Value, path *tftypes.AttributePath) []problem {
	switch {
	case !planned.IsKnown(), planned.IsNull() && actual.IsNull():
		return nil
	case actual.IsNull():
		return broken(path, "was %s, but now null", shown(planned))
	case planned.IsNull():
		return broken(path, "was null, but now %s", shown(actual))
	case !actual.IsKnown():
		return broken(path, "was known, but now unknown")
	}
	switch typ := planned.Type(); {
	case typ.Is(tftypes.Object{}):
		var problems []problem
		before := fieldsOf(planned)
		after := fieldsOf(actual)
		for _, name := range sortedKeys(before) {
			problems = append(problems, completionProblems(before[name], after[name], path.WithAttributeName(name))...)
		}
		return problems
	case typ.Is(tftypes.Map{}):
		return mapCompletionProblems(fieldsOf(planned), fieldsOf(actual), path)
	case typ.Is(tftypes.List{}):
		return listCompletionProblems(itemsOf(planned), itemsOf(actual), path)
	case typ.Is(tftypes.Set{}):
		return setCompletionProblems(itemsOf(planned), itemsOf(actual), path)
	case !planned.Equal(actual):
		return broken(path, "was %s, but now %s", shown(planned), shown(actual))
	}
	return nil
}

func mapCompletionProblems(planned, actual map[string]tftypes.Value, path *tftypes.AttributePath) []problem {
	var problems []problem
	for _, key := range sortedKeys(planned) {
		if element, ok := actual[key]; ok {
			problems = append(problems, completionProblems(planned[key], element, path.WithElementKeyString(key))...)
		} else {
			problems = append(problems, broken(path, "element %q has vanished", key)...)
		}
	}
	for _, key := range sortedKeys(actual) {
		if _, ok := planned[key]; !ok {
			problems = append(problems, broken(path, "new element %q has appeared", key)...)
		}
	}
	return problems
}

func listCompletionProblems(planned, actual []tftypes.Value, path *tftypes.AttributePath) []problem {
	var problems []problem
	for i := range max(len(planned), len(actual)) {
		switch {
		case i >= len(actual):
			problems = append(problems, broken(path, "element %d has vanished", i)...)
		case i >= len(planned):
			problems = append(problems, broken(path, "new element %d has appeared", i)...)
		default:
			problems = append(problems, completionProblems(planned[i], actual[i], path.WithElementKeyInt(i))...)
		}
	}
	return problems
}

// setCompletionProblems requires a counterpart on the other side for every
// element; elements that end up equal may be merged.
func setCompletionProblems(planned, actual []tftypes.Value, path *tftypes.AttributePath) []problem {
	completes := func(before, after tftypes.Value) bool { return len(completionProblems(before, after, path)) == 0 }
	var problems []problem
	for _, element := range planned {
		if !slices.ContainsFunc(actual, func(after tftypes.Value) bool { return completes(element, after) }) {
			problems = append(
				problems,
				broken(path, "planned set element %s does not correlate with any element in actual", shown(element))...)
		}
	}
	if len(problems) > 0 {
		return problems
	}
	for _, element := range actual {
		if !slices.ContainsFunc(planned, func(before tftypes.Value) bool { return completes(before, element) }) {
			problems = append(
				problems,
				broken(path, "actual set element %s does not correlate with any element in plan", shown(element))...)
		}
	}
	if len(planned) < len(actual) {
		problems = append(problems, broken(path, "length changed from %d to %d", len(planned), len(actual))...)
	}
	return problems
}

// shown returns a value in the form of a message.
func shown(value tftypes.Value) string {
	if !value.IsKnown() {
		return string(Unknown)
	}
	return showPlain(decode(value))
}

func showPlain(value any) string {
	if value == Unknown {
		return string(Unknown)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	return string(text)
}

// unknownPaths returns the paths of the unknown parts of a value.
func unknownPaths(value tftypes.Value) []*tftypes.AttributePath {
	var paths []*tftypes.AttributePath
	_ = tftypes.Walk(value, func(path *tftypes.AttributePath, part tftypes.Value) (bool, error) {
		if !part.IsKnown() {
			paths = append(paths, path)
		}
		return true, nil
	})
	return paths
}

// withoutUnknowns replaces unknown values by null.
func withoutUnknowns(value tftypes.Value) tftypes.Value {
	if value.IsNull() {
		return value
	}
	known, err := tftypes.Transform(value, func(_ *tftypes.AttributePath, part tftypes.Value) (tftypes.Value, error) {
		if !part.IsKnown() {
			return tftypes.NewValue(part.Type(), nil), nil
		}
		return part, nil
	})
	if err != nil {
		panic(err)
	}
	return known
}
