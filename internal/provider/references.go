package provider

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A reference is an input with the id of the object that a resource belongs to,
// such as the character of a group. A different id replaces the resource. An
// unknown id, however, need not be a different id. If it replaced the resource,
// a module that looks up its character by name would buy everything again and
// delete the old media whenever anything else in the module changes.
//
// A resource with an unknown reference is therefore planned with the reference
// of its state, and the CLI is told that only the reference is unknown: an
// update in place. The plan that the apply makes knows the reference. If it is
// the stored id, nothing changes; if it is a different id, the apply fails
// before anything is sent. The reference has to be shown as unknown: a plan
// without a change is not made again during the apply, and a different
// reference would pass in silence.

// managedType is the part of a type that a plan has to know.
type managedType struct {
	object     tftypes.Type
	references []string
}

// managedTypes returns each managed type by its name. The types are equal in
// all processes.
var managedTypes = sync.OnceValue(func() map[string]managedType {
	ctx := context.Background()
	found := map[string]managedType{}
	for _, create := range newProvider("", Options{}).Resources(ctx) {
		one := create()
		var named resource.MetadataResponse
		one.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "mediagen"}, &named)
		var described resource.SchemaResponse
		one.Schema(ctx, resource.SchemaRequest{}, &described)
		found[named.TypeName] = managedType{
			object:     described.Schema.Type().TerraformType(ctx),
			references: referencesOf(described.Schema),
		}
	}
	return found
})

// referencesOf finds references by their names, so that no type can forget a
// reference.
func referencesOf(described schema.Schema) []string {
	var references []string
	for name, attribute := range described.Attributes {
		isInput := attribute.IsRequired() || attribute.IsOptional()
		isID := name == "id" || strings.HasSuffix(name, "_id")
		if isInput && isID && attribute.GetType().Equal(types.StringType) {
			references = append(references, name)
		}
	}
	slices.Sort(references)
	return references
}

// plannedChange is a CLI's request to plan an object that exists and stays, or
// is replaced.
type plannedChange struct {
	typeName      string
	of            managedType
	config, prior map[string]tftypes.Value
	// open are the unknown references. The plan assumes their values in the
	// state.
	open []string
}

// changeOf returns nil for a create and a destroy, and for a request that
// cannot be decoded, which the framework reports. ended(id) is true if this
// plan destroys that object: an unknown reference to it then means a different
// object.
func changeOf(req *tfprotov6.PlanResourceChangeRequest, ended func(id string) bool) *plannedChange {
	of, isKnown := managedTypes()[req.TypeName]
	if !isKnown {
		return nil
	}
	prior := attributesOf(req.PriorState, of.object)
	config := attributesOf(req.Config, of.object)
	if prior == nil || config == nil {
		return nil
	}
	change := &plannedChange{
		typeName: req.TypeName,
		of:       of,
		config:   config,
		prior:    prior,
	}
	for _, name := range of.references {
		if !config[name].IsKnown() && !prior[name].IsNull() && !ended(textOf(prior[name])) {
			change.open = append(change.open, name)
		}
	}
	return change
}

// referenceIsGone reports whether the plan has found that the object of an open
// reference is gone.
func (c *plannedChange) referenceIsGone(ended func(id string) bool) bool {
	return slices.ContainsFunc(c.open, func(name string) bool { return ended(textOf(c.prior[name])) })
}

// asPrior returns the request with the open references of the state.
func (c *plannedChange) asPrior(
	req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeRequest, error) {
	if len(c.open) == 0 {
		return req, nil
	}
	asked := *req
	var err error
	asked.Config, err = c.with(req.Config, c.prior)
	if err != nil {
		return nil, err
	}
	asked.ProposedNewState, err = c.with(req.ProposedNewState, c.prior)
	return &asked, err
}

// asConfigured makes the open references of a plan unknown again.
func (c *plannedChange) asConfigured(planned *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
	if len(c.open) == 0 {
		return planned, nil
	}
	return c.with(planned, c.config)
}

// with returns an object with the open references of other.
func (c *plannedChange) with(
	object *tfprotov6.DynamicValue,
	other map[string]tftypes.Value,
) (*tfprotov6.DynamicValue, error) {
	values := attributesOf(object, c.of.object)
	if values == nil {
		return object, nil // a destroy, or an error
	}
	for _, name := range c.open {
		values[name] = other[name]
	}
	changed, err := tfprotov6.NewDynamicValue(c.of.object, tftypes.NewValue(c.of.object, values))
	return &changed, err
}

func (c *plannedChange) isReference(name string) bool { return slices.Contains(c.of.references, name) }

// replacedInputs returns the inputs for which the plan replaces the object.
func (c *plannedChange) replacedInputs(resp *tfprotov6.PlanResourceChangeResponse) []string {
	var names []string
	for _, path := range resp.RequiresReplace {
		if name, isName := path.NextStep().(tftypes.AttributeName); isName {
			names = append(names, string(name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// unknownOf returns the inputs that are unknown as a whole or in part.
func (c *plannedChange) unknownOf(names []string) []string {
	var unknown []string
	for _, name := range names {
		if !c.config[name].IsFullyKnown() {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

// attributesOf returns nil if there is no object.
func attributesOf(object *tfprotov6.DynamicValue, of tftypes.Type) map[string]tftypes.Value {
	if object == nil {
		return nil
	}
	value, err := object.Unmarshal(of)
	if err != nil || value.IsNull() {
		return nil
	}
	var attributes map[string]tftypes.Value
	if value.As(&attributes) != nil {
		return nil
	}
	return maps.Clone(attributes) // the attributes belong to the object
}

// textOf returns an empty text for a null or unknown value.
func textOf(value tftypes.Value) string {
	var text string
	if value.IsKnown() && !value.IsNull() {
		_ = value.As(&text) // references are texts
	}
	return text
}
