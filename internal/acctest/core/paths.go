package core

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// pathText returns an attribute's path in the usual notation, as in
// `parts["a"].text`; "" is the whole object.
func pathText(path *tftypes.AttributePath) string {
	var text strings.Builder
	for _, step := range path.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			if text.Len() > 0 {
				text.WriteByte('.')
			}
			text.WriteString(string(step))
		case tftypes.ElementKeyString:
			fmt.Fprintf(&text, "[%q]", string(step))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&text, "[%d]", int64(step))
		case tftypes.ElementKeyValue:
			fmt.Fprintf(&text, "[%s]", shown(tftypes.Value(step)))
		}
	}
	return text.String()
}

// valueAt follows a path into a value. Below an unknown value everything is
// unknown; below a null one there is nothing.
func valueAt(value tftypes.Value, path *tftypes.AttributePath) (tftypes.Value, bool) {
	for _, step := range path.Steps() {
		if !value.IsKnown() {
			return tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue), true
		}
		next, err := value.ApplyTerraform5AttributePathStep(step)
		if err != nil {
			return tftypes.Value{}, false
		}
		value = next.(tftypes.Value) //nolint:forcetypeassert // a value's steps lead to values
	}
	return value, true
}

var pathStep = regexp.MustCompile(`^(?:\.?([A-Za-z_][A-Za-z0-9_-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])`)

// Lookup follows a path such as `parts["a"].rows[0]` into plain Go values. It
// returns nil if there is no value, and Unknown below an unknown value.
func Lookup(value any, path string) any {
	for path != "" {
		step := pathStep.FindStringSubmatch(path)
		if step == nil {
			panic(fmt.Sprintf("%q is not a path", path))
		}
		path = path[len(step[0]):]
		switch content := value.(type) {
		case unknown:
			return Unknown
		case Object:
			name := step[1]
			if step[3] != "" {
				name, _ = strconv.Unquote(step[3])
			}
			value = content[name]
		case []any:
			i, err := strconv.Atoi(step[2])
			if err != nil || i >= len(content) {
				return nil
			}
			value = content[i]
		default:
			return nil
		}
	}
	return value
}

// unknownIDs returns the paths of the unknown attributes named id that can be
// reached by names and keys only. If a value above such an attribute is
// unknown, it returns that value's path. The outermost paths come first.
func unknownIDs(value tftypes.Value) []string {
	var ids []string
	_ = tftypes.Walk(value, func(path *tftypes.AttributePath, part tftypes.Value) (bool, error) {
		if !part.IsKnown() && (path.LastStep() == tftypes.AttributeName("id") || hasID(part.Type())) {
			ids = append(ids, pathText(path))
		}
		return !part.Type().Is(tftypes.List{}) && !part.Type().Is(tftypes.Set{}), nil
	})
	depth := func(path string) int { return strings.Count(path, ".") + strings.Count(path, "[") }
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(depth(a), depth(b)), cmp.Compare(a, b)) })
	return ids
}

// hasID reports whether a type is an object with an id, or a map of such
// objects.
func hasID(typ tftypes.Type) bool {
	switch typ := typ.(type) {
	case tftypes.Object:
		return typ.AttributeTypes["id"] != nil
	case tftypes.Map:
		return hasID(typ.ElementType)
	}
	return false
}
