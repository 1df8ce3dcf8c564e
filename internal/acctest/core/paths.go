package core

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// pathText is an attribute's path as people write it, as in
// `prompts["a"].use_body_lora`; "" is the whole object.
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

// Lookup follows a path such as `generations["a"].result_urls[0]` into plain
// Go values. It is nil where there is nothing, and Unknown below what is
// unknown.
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
