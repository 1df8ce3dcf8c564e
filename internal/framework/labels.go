package framework

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The limits of labels. Tags at cloud providers have the same or higher limits.
const (
	mostLabels       = 50
	longestLabelKey  = 64 // in characters
	longestLabelText = 256
)

// LabelsName is the attribute with the labels of an object. Labels are only for
// the purchase log: whether a plan knows them does not affect any purchase.
const LabelsName = "labels"

// Labels is the attribute labels of objects that buy.
func Labels() schema.MapAttribute {
	labels := TextsOrNone("Labels in the `purchase_log`, over `default_labels`. A change is free, and counts for " +
		"what is bought from then on.")
	labels.Validators = []validator.Map{LabelRules{}}
	return labels
}

// LabelRules rejects invalid labels.
type LabelRules struct{}

// Description implements validator.Describer.
func (LabelRules) Description(context.Context) string {
	return fmt.Sprintf(
		"must be at most %d labels, with keys of 1 to %d characters and values of at most %d",
		mostLabels,
		longestLabelKey,
		longestLabelText,
	)
}

// MarkdownDescription implements validator.Describer.
func (r LabelRules) MarkdownDescription(ctx context.Context) string { return r.Description(ctx) }

// ValidateMap implements validator.Map. Unknown labels are checked once they
// are known.
func (LabelRules) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	elements := req.ConfigValue.Elements()
	reject := func(at path.Path, err error) {
		if err != nil {
			resp.Diagnostics.Append(InvalidValue(at, err.Error()))
		}
	}
	reject(req.Path, checkLabelCount(len(elements)))
	for _, key := range slices.Sorted(maps.Keys(elements)) {
		at := req.Path.AtMapKey(key)
		reject(at, checkLabelKey(key))
		text, _ := elements[key].(types.String)
		switch {
		case text.IsNull():
			reject(at, errors.New("is null. Leave its key out instead"))
		case !text.IsUnknown():
			reject(at, checkLabelText(text.ValueString()))
		}
	}
}

// Check returns the problem with labels, in the form of InvalidValue.
func (LabelRules) Check(labels map[string]string) error {
	err := checkLabelCount(len(labels))
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		err := checkLabelKey(key)
		if err == nil {
			err = checkLabelText(labels[key])
		}
		if err != nil {
			return fmt.Errorf("has the label %q, which %w", key, err)
		}
	}
	return nil
}

func checkLabelCount(count int) error {
	if count > mostLabels {
		return fmt.Errorf("has %d labels, and may have at most %d", count, mostLabels)
	}
	return nil
}

func checkLabelKey(key string) error {
	length := utf8.RuneCountInString(key)
	switch {
	case strings.TrimSpace(key) == "":
		return errors.New("has an empty or blank key")
	case length > longestLabelKey:
		return fmt.Errorf("has a key of %d characters, and may have at most %d", length, longestLabelKey)
	case strings.ContainsFunc(key, unicode.IsControl):
		return errors.New("has a key with a control character")
	}
	return nil
}

func checkLabelText(text string) error {
	length := utf8.RuneCountInString(text)
	switch {
	case length > longestLabelText:
		return fmt.Errorf("has %d characters, and may have at most %d", length, longestLabelText)
	case strings.ContainsFunc(text, unicode.IsControl):
		return errors.New("contains a control character")
	}
	return nil
}

// MergedLabels returns the defaults, overridden by labels.
func MergedLabels(defaults, labels map[string]string) map[string]string {
	merged := map[string]string{}
	maps.Copy(merged, defaults)
	maps.Copy(merged, labels)
	return merged
}

// IsKnownBut reports whether an object is known, apart from the named
// attribute.
func IsKnownBut(name string, object tftypes.Value) bool {
	var values map[string]tftypes.Value
	if !object.IsKnown() || object.As(&values) != nil {
		return false
	}
	for attribute, value := range values {
		if attribute != name && !value.IsFullyKnown() {
			return false
		}
	}
	return true
}
