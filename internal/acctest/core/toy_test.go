package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// toy is a provider with a service in memory. Its hooks, keyed by "create",
// "read", "update", "delete" and "plan", run at the end of the operation and
// may bend the response.
type toy struct {
	mutex  sync.Mutex
	things map[string]thing
	last   int
	calls  []string
	hooks  map[string]func(ctx context.Context, response any)
}

type thing struct {
	ID      types.String `tfsdk:"id"`
	Name    types.String `tfsdk:"name"`
	Label   types.String `tfsdk:"label"`
	Secret  types.String `tfsdk:"secret"`
	Weight  types.Number `tfsdk:"weight"`
	Parts   types.Map    `tfsdk:"parts"`
	Options types.Object `tfsdk:"options"`
	Rows    types.List   `tfsdk:"rows"`
	Marks   types.Set    `tfsdk:"marks"`
}

func newThing(id, name, label string) thing {
	return thing{
		ID:    types.StringValue(id),
		Name:  types.StringValue(name),
		Label: types.StringValue(label),
		Parts: types.MapNull(
			partType,
		),
		Options: types.ObjectNull(optionTypes),
		Rows:    types.ListNull(partType),
		Marks:   types.SetNull(partType),
	}
}

type thingIdentity struct {
	ID types.String `tfsdk:"id"`
}

func newToy() *toy {
	return &toy{things: map[string]thing{}, hooks: map[string]func(context.Context, any){}}
}

func (y *toy) serve() (tfprotov6.ProviderServer, error) {
	return providerserver.NewProtocol6WithError(&toyProvider{toy: y})()
}

func newWorkspace(t *testing.T) (*toy, *core.Workspace) {
	t.Helper()
	toy := newToy()
	return toy, core.New(t, toy.serve, core.Object{"region": "north"})
}

func (y *toy) fail(operation string) {
	y.hooks[operation] = func(_ context.Context, response any) {
		said := reflect.ValueOf(response).Elem().FieldByName("Diagnostics").Addr().Interface().(*diag.Diagnostics)
		said.AddError("No", "It failed.")
	}
}

func (y *toy) createNothing() {
	y.hooks["create"] = func(ctx context.Context, response any) {
		created := response.(*resource.CreateResponse)
		created.State.RemoveResource(ctx)
		created.Diagnostics.AddError("No", "It failed.")
	}
}

func (y *toy) note(format string, values ...any) {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	y.calls = append(y.calls, fmt.Sprintf(format, values...))
}

func (y *toy) count(prefix string) int {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	n := 0
	for _, call := range y.calls {
		if strings.HasPrefix(call, prefix) {
			n++
		}
	}
	return n
}

// only are the calls since the last time that begin with one of the prefixes.
func (y *toy) only(prefixes ...string) []string {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	var found []string
	for _, call := range y.calls {
		if slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(call, prefix) }) {
			found = append(found, call)
		}
	}
	y.calls = nil
	return found
}

func (y *toy) hook(ctx context.Context, name string, response any) {
	if hook, ok := y.hooks[name]; ok {
		hook(ctx, response)
	}
}

func (y *toy) put(t thing) {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	y.things[t.ID.ValueString()] = t
}

func (y *toy) get(id string) (thing, bool) {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	found, ok := y.things[id]
	return found, ok
}

func (y *toy) remove(id string) {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	delete(y.things, id)
}

func (y *toy) next(prefix string) types.String {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	y.last++
	return types.StringValue(fmt.Sprintf("%s%d", prefix, y.last))
}

type toyProvider struct{ toy *toy }

func (p *toyProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "toy"
}

func (p *toyProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerschema.Schema{
		Attributes: map[string]providerschema.Attribute{"region": providerschema.StringAttribute{Optional: true}},
	}
}

func (p *toyProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var region types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("region"), &region)...)
	p.toy.note("configure %s", region)
	if region.ValueString() == "nowhere" {
		resp.Diagnostics.AddAttributeError(path.Root("region"), "No Such Region", "There is no region nowhere.")
	}
}

func (p *toyProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return &thingResource{toy: p.toy} }}
}

func (p *toyProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

type thingResource struct{ toy *toy }

func (r *thingResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "toy_thing"
	resp.ResourceBehavior.MutableIdentity = true
}

var (
	partType = types.ObjectType{
		AttrTypes: map[string]attr.Type{"text": types.StringType, "note": types.StringType, "id": types.StringType},
	}
	optionTypes    = map[string]attr.Type{"fast": types.BoolType}
	partAttributes = map[string]schema.Attribute{
		"text": schema.StringAttribute{Required: true},
		"note": schema.StringAttribute{Optional: true, Computed: true},
		"id":   schema.StringAttribute{Computed: true},
	}
	keep = []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
)

func (r *thingResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"id": schema.StringAttribute{Computed: true, PlanModifiers: keep},
		"name": schema.StringAttribute{
			Required:      true,
			PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
		},
		"label":  schema.StringAttribute{Optional: true, Computed: true, PlanModifiers: keep},
		"secret": schema.StringAttribute{Optional: true, Sensitive: true},
		"weight": schema.NumberAttribute{Optional: true},
		"parts": schema.MapNestedAttribute{
			Optional:     true,
			NestedObject: schema.NestedAttributeObject{Attributes: partAttributes},
		},
		"rows": schema.ListNestedAttribute{
			Optional:     true,
			NestedObject: schema.NestedAttributeObject{Attributes: partAttributes},
		},
		"marks": schema.SetNestedAttribute{
			Optional:     true,
			NestedObject: schema.NestedAttributeObject{Attributes: partAttributes},
		},
		"options": schema.SingleNestedAttribute{
			Optional:   true,
			Attributes: map[string]schema.Attribute{"fast": schema.BoolAttribute{Optional: true}},
		},
	}}
}

func (r *thingResource) IdentitySchema(
	_ context.Context,
	_ resource.IdentitySchemaRequest,
	resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{"id": identityschema.StringAttribute{RequiredForImport: true}},
	}
}

func (r *thingResource) fill(ctx context.Context, t *thing) {
	if t.ID.IsUnknown() {
		t.ID = r.toy.next("t")
	}
	if t.Label.IsUnknown() {
		t.Label = types.StringValue("made")
	}
	elements := map[string]partModel{}
	_ = t.Parts.ElementsAs(ctx, &elements, false)
	for _, key := range slices.Sorted(maps.Keys(elements)) {
		elements[key] = r.filled(elements[key])
	}
	if !t.Parts.IsNull() {
		t.Parts, _ = types.MapValueFrom(ctx, partType, elements)
	}
	var rows, marks []partModel
	_ = t.Rows.ElementsAs(ctx, &rows, false)
	_ = t.Marks.ElementsAs(ctx, &marks, false)
	slices.SortFunc(
		marks,
		func(a, b partModel) int { return strings.Compare(a.Text.ValueString(), b.Text.ValueString()) },
	)
	for _, list := range [][]partModel{rows, marks} {
		for i := range list {
			list[i] = r.filled(list[i])
		}
	}
	if !t.Rows.IsNull() {
		t.Rows, _ = types.ListValueFrom(ctx, partType, rows)
	}
	if !t.Marks.IsNull() {
		t.Marks, _ = types.SetValueFrom(ctx, partType, marks)
	}
}

func (r *thingResource) filled(part partModel) partModel {
	if part.ID.IsUnknown() {
		part.ID = r.toy.next("p")
	}
	if part.Note.IsUnknown() {
		part.Note = types.StringNull()
	}
	return part
}

type partModel struct {
	Text types.String `tfsdk:"text"`
	Note types.String `tfsdk:"note"`
	ID   types.String `tfsdk:"id"`
}

func (r *thingResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var t thing
	resp.Diagnostics.Append(req.Plan.Get(ctx, &t)...)
	r.fill(ctx, &t)
	r.toy.note("create %s %s", t.ID.ValueString(), t.Name.ValueString())
	r.toy.put(t)
	resp.Diagnostics.Append(resp.State.Set(ctx, &t)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, thingIdentity{t.ID})...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, "seen", []byte(`"created"`))...)
	r.toy.hook(ctx, "create", resp)
}

func (r *thingResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var t thing
	resp.Diagnostics.Append(req.State.Get(ctx, &t)...)
	private, _ := req.Private.GetKey(ctx, "seen")
	var seen string
	_ = json.Unmarshal(private, &seen)
	r.toy.note("read %s %s", t.ID.ValueString(), seen)
	found, ok := r.toy.get(t.ID.ValueString())
	if !ok {
		resp.State.RemoveResource(ctx)
		resp.Diagnostics.Append(resp.Identity.Set(ctx, thingIdentity{t.ID})...)
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &found)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, thingIdentity{found.ID})...)
	r.toy.hook(ctx, "read", resp)
}

func (r *thingResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var t thing
	resp.Diagnostics.Append(req.Plan.Get(ctx, &t)...)
	r.fill(ctx, &t)
	r.toy.note("update %s", t.ID.ValueString())
	r.toy.put(t)
	resp.Diagnostics.Append(resp.State.Set(ctx, &t)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, thingIdentity{t.ID})...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, "seen", []byte(`"updated"`))...)
	r.toy.hook(ctx, "update", resp)
}

func (r *thingResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var t thing
	resp.Diagnostics.Append(req.State.Get(ctx, &t)...)
	r.toy.note("delete %s", t.ID.ValueString())
	r.toy.hook(ctx, "delete", resp)
	if !resp.Diagnostics.HasError() {
		r.toy.remove(t.ID.ValueString())
	}
}

func (r *thingResource) ModifyPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	r.toy.note("plan destroy=%t", req.Plan.Raw.IsNull())
	r.toy.hook(ctx, "plan", resp)
}

func (r *thingResource) ImportState(
	ctx context.Context,
	req resource.ImportStateRequest,
	resp *resource.ImportStateResponse,
) {
	r.toy.note("import")
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("id"), path.Root("id"), req, resp)
}
