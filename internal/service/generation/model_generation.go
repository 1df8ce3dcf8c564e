package generation

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// statusUnknown is the status of what may have been bought.
const statusUnknown = "unknown"

// generationModel is what became of one prompt.
type generationModel struct {
	ID                  types.String `tfsdk:"id"`
	Status              types.String `tfsdk:"status"`
	Succeeded           types.Bool   `tfsdk:"succeeded"`
	Progress            types.Int64  `tfsdk:"progress"`
	ResultURLs          types.List   `tfsdk:"result_urls"`
	Error               types.String `tfsdk:"error"`
	Attempts            types.Int64  `tfsdk:"attempts"`
	Service             types.String `tfsdk:"service"`
	GenerationType      types.String `tfsdk:"generation_type"`
	CreatedAt           types.String `tfsdk:"created_at"`
	PerformanceMetadata types.String `tfsdk:"performance_metadata"`
}

var generationType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"id": types.StringType, "status": types.StringType, "succeeded": types.BoolType, "progress": types.Int64Type,
	"result_urls": types.ListType{ElemType: types.StringType}, "error": types.StringType, "attempts": types.Int64Type,
	"service": types.StringType, "generation_type": types.StringType, "created_at": types.StringType,
	"performance_metadata": types.StringType,
}}

// unsubmitted is a prompt of which nothing is at the service.
func unsubmitted(attempts int64) generationModel {
	return generationModel{ResultURLs: types.ListNull(types.StringType), Attempts: types.Int64Value(attempts)}
}

// newGeneration is one of which nothing but the id is known.
func newGeneration(id string) generationModel {
	generation := unsubmitted(1)
	generation.ID = types.StringValue(id)
	return generation
}

// toBeBought is the plan of a generation that will be submitted: every
// attribute unknown. The unknown id is what says that credits are spent.
func toBeBought() generationModel {
	return generationModel{
		ID: types.StringUnknown(), Status: types.StringUnknown(), Succeeded: types.BoolUnknown(), Progress: types.Int64Unknown(),
		ResultURLs: types.ListUnknown(types.StringType), Error: types.StringUnknown(), Attempts: types.Int64Unknown(),
		Service: types.StringUnknown(), GenerationType: types.StringUnknown(), CreatedAt: types.StringUnknown(),
		PerformanceMetadata: types.StringUnknown(),
	}
}

// toBeAwaited is the plan of a running generation whose wait is resumed: it is
// paid for, so its id and its attempts stay known.
func toBeAwaited(running generationModel) generationModel {
	planned := toBeBought()
	planned.ID, planned.Attempts = running.ID, running.Attempts
	return planned
}

// withStatus is the generation as a status shows it. What a status leaves out stays
// as it was.
func (m generationModel) withStatus(status *api.Generation) generationModel {
	m.Status = latest(status.Status, m.Status)
	if status.Progress != nil {
		m.Progress = types.Int64Value(*status.Progress)
	}
	m.Service = latest(status.Service, m.Service)
	m.GenerationType = latest(status.GenerationType, m.GenerationType)
	m.CreatedAt = latest(status.CreatedAt, m.CreatedAt)
	m.PerformanceMetadata = latest(status.PerformanceMetadata, m.PerformanceMetadata)
	m.Succeeded, m.Error = types.BoolNull(), types.StringNull()
	switch status.Phase() {
	case api.Succeeded:
		m.Succeeded = types.BoolValue(true)
	case api.Failed, api.Stopped:
		m.Succeeded = types.BoolValue(false)
		m.Error = failureText(status)
	case api.Running:
	}
	m.ResultURLs = m.results(status.ResultURLs)
	return m
}

// results keeps the stored addresses as long as only their signatures or their
// order differ.
func (m generationModel) results(served []string) types.List {
	if served == nil {
		return m.ResultURLs
	}
	served = framework.BoundedAddresses(served)
	ordered := slices.Sorted(slices.Values(m.addresses()))
	if slices.Equal(framework.SameAddresses(ordered, slices.Sorted(slices.Values(served))), ordered) {
		return m.ResultURLs
	}
	return stringList(served)
}

// addresses are those of the stored results.
func (m generationModel) addresses() []string {
	var stored []string
	for _, element := range m.ResultURLs.Elements() {
		if address, ok := element.(types.String); ok {
			stored = append(stored, address.ValueString())
		}
	}
	return stored
}

func failureText(status *api.Generation) types.String {
	if status.Error != nil && *status.Error != "" {
		return types.StringValue(*status.Error)
	}
	word := "no status"
	if status.Status != nil {
		word = "status " + *status.Status
	}
	return types.StringValue("The service gave no reason (" + word + ").")
}

func latest(served *string, stored types.String) types.String {
	if served == nil {
		return stored
	}
	return types.StringValue(*served)
}
