package inference

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var (
	_ resource.ResourceWithConfigure   = (*snapshot[imageInputs, []string])(nil)
	_ resource.ResourceWithImportState = (*snapshot[imageInputs, []string])(nil)
	_ resource.ResourceWithModifyPlan  = (*snapshot[imageInputs, []string])(nil)
)

// snapshot is the resource of every type of this package. I is what its inputs
// are decoded to, R the reply that its fields show.
type snapshot[I, R any] struct {
	framework.Resource
	noun              string
	description, note string // the documentation's begin and end
	inputs            map[string]schema.Attribute
	fields            []attributes.Field[R]
	ask               func(context.Context, *api.Client, *I) (*R, error)
	id                func(*R) *string // nil if replies have none
	// Of what is bought, in place of ask: what counts for the limits, by its
	// name in prices; the order, which the purchase log guards; and the
	// request. Empty if no limit counts it.
	purchase string
	order    func(inputs *I, triggers map[string]string) api.ImageOrder
	buy      func(context.Context, *api.Client, api.ImageOrder) (*R, error)
}

// Create asks once. The answer stays in the state until an input or triggers
// change.
func (s *snapshot[I, R]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	// The configuration is the plan without its unknown outputs.
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	inputs := s.decode(ctx, config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !s.Data.Ready(&resp.Diagnostics) {
		return
	}
	defer s.Data.WarnOfFailedReads(&resp.Diagnostics)
	ctx, end := s.Data.BeginPurchase(ctx, resp.Private, &resp.Diagnostics)
	defer end()
	reply, err := s.send(ctx, inputs, config)
	bought, isBought := errors.AsType[*purchases.BoughtError](err)
	switch {
	case isBought:
		resp.Diagnostics.Append(s.guarded(bought.Found).Error())
		return
	case err != nil:
		resp.Diagnostics.Append(s.failure(err))
		return
	}
	id := "snapshot-" + strings.ToLower(rand.Text()) // not every reply has one
	if s.id != nil {
		id = cmp.Or(types.StringPointerValue(s.id(reply)).ValueString(), id)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, attributes.Show(ctx, config, s.fields, reply))...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id)...)
	if s.purchase != "" {
		resp.Diagnostics.Append(s.Data.Tally(run.Tally{}, s.one()).Set(ctx, resp.State.SetAttribute)...)
		run.HolderName(ctx, nil, resp.Private, &resp.Diagnostics) // tells the plan of a replacement
	}
	attributes.WarnOfOmitted(&resp.Diagnostics, req.Config.Raw, resp.State.Raw)
}

func (s *snapshot[I, R]) send(ctx context.Context, inputs *I, config types.Object) (*R, error) {
	if s.buy != nil {
		return s.buy(ctx, s.Data.Client, s.orderOf(inputs, config))
	}
	return s.ask(ctx, s.Data.Client, inputs)
}

func (s *snapshot[I, R]) orderOf(inputs *I, config types.Object) api.ImageOrder {
	triggers, _ := config.Attributes()["triggers"].(types.Map)
	return s.order(inputs, attributes.TriggerTexts(triggers))
}

func (s *snapshot[I, R]) one() purchases.Purchase {
	return purchases.Purchase{Kind: s.purchase, Count: 1}
}

// guarded says what an open entry of the purchase log has of this snapshot.
func (s *snapshot[I, R]) guarded(found []purchases.Bought) run.Guarded {
	noun := strings.ToLower(s.noun)
	return run.Guarded{
		Object:  noun + " of mediagen_" + s.Name,
		Found:   found,
		Again:   "triggers",
		Summary: func(what string) string { return report.Summary(what, noun, found[0].Request, "") },
	}
}

// warnOfGuarded says at plan what the purchase log guards.
func (s *snapshot[I, R]) warnOfGuarded(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	if !s.Data.Known() || !req.Config.Raw.IsFullyKnown() {
		return
	}
	var config types.Object
	diags.Append(req.Config.Get(ctx, &config)...)
	inputs := s.decode(ctx, config, diags)
	if diags.HasError() {
		return
	}
	if found := s.Data.Client.PurchaseLog().Find(s.orderOf(inputs, config).Entry()); len(found) > 0 {
		diags.Append(s.guarded(found).Warning())
	}
}

// decode reads the inputs out of a configuration, whose outputs are unknown.
func (s *snapshot[I, R]) decode(ctx context.Context, config types.Object, diags *diag.Diagnostics) *I {
	attributeTypes := map[string]attr.Type{}
	values := map[string]attr.Value{}
	for name := range s.inputs {
		attributeTypes[name] = config.AttributeTypes(ctx)[name]
		values[name] = config.Attributes()[name]
	}
	inputs := new(I)
	diags.Append(types.ObjectValueMust(attributeTypes, values).As(ctx, inputs, basetypes.ObjectAsOptions{})...)
	return inputs
}

// failure says that nothing was stored, on the attribute that the service
// blames.
func (s *snapshot[I, R]) failure(err error) diag.Diagnostic {
	failure := report.Failure{
		Verb:        "Create",
		Noun:        s.noun,
		Consequence: "Nothing was stored. The next apply asks again.",
		Fields:      map[string]path.Path{"autoTurn": path.Root("auto_turn")},
	}
	for name := range s.inputs {
		failure.Fields[name] = path.Root(name)
	}
	var job *api.CategorizationJobError
	switch {
	case errors.As(err, &job) && job.Err != nil:
		failure.Consequence = "Nothing was stored; the job may be charged. The next apply begins another one."
	case errors.As(err, &job):
		failure.Consequence = "The service works on the medium as a job, and its interface has no way to read what " +
			"comes out of it, other than with extended_reads. Nothing was stored; the job may be charged. Give " +
			"media_url the address of an image, or of a shorter video."
	case reply.IsEffectUnknown(err):
		failure.Consequence = "The service may have answered, and charged for it, but the answer is lost. Nothing " +
			"was stored, and the request was not repeated. The next apply asks again, which may be charged again."
		if s.purchase != "" {
			failure.Consequence += " If there is a purchase log (purchase_log), it asks again only once triggers " +
				"change."
		}
	}
	return failure.Error(err)
}

// Read keeps the state: the service is never asked again.
func (s *snapshot[I, R]) Read(ctx context.Context, req resource.ReadRequest, _ *resource.ReadResponse) {
	s.Data.Stored(ctx, req.Private, purchases.Holding{})
}

// Delete forgets the reply.
func (s *snapshot[I, R]) Delete(ctx context.Context, req resource.DeleteRequest, _ *resource.DeleteResponse) {
	s.Data.Forgotten(ctx, req.Private, purchases.Holding{})
}

// Update stores what only its notation has changed: every other change replaces.
func (s *snapshot[I, R]) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}

// ImportState refuses: the service cannot be asked what it once answered.
func (s *snapshot[I, R]) ImportState(
	_ context.Context,
	_ resource.ImportStateRequest,
	resp *resource.ImportStateResponse,
) {
	resp.Diagnostics.AddError(
		"Import Not Possible",
		"The service cannot be asked for an earlier answer, so there is nothing to import. Nothing was sent. Remove "+
			"the import and apply: a new "+strings.ToLower(s.noun)+" is created, which asks the service once.",
	)
}

// Schema has the inputs, the fields of the reply, and what all snapshots have.
func (s *snapshot[I, R]) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	all := attributes.Of(s.fields)
	maps.Copy(all, s.inputs)
	all["id"] = attributes.ComputedText("Id of the reply, or one that begins with `snapshot-` if it has none.")
	all["triggers"] = schema.MapAttribute{
		Optional:            true,
		ElementType:         types.StringType,
		PlanModifiers:       []planmodifier.Map{attributes.KeepSame()},
		MarkdownDescription: "Arbitrary values of your own. A change asks the service again.",
	}
	counts := "no limit counts it"
	if s.purchase != "" {
		counts = "it counts as a purchase"
		maps.Copy(all, run.TallyAttributes("images", s.purchase))
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: s.description + "\n\n" +
			"Create asks the service; the service documents no cost, and " + counts + ". Refresh and destroy send " +
			"nothing. A change of any argument asks the service again. See " +
			"[Inference](../guides/inference.md)." + s.note,
		Attributes: all,
	}
}

func requiredText(description string, rules ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		Required:            true,
		MarkdownDescription: description,
		Validators:          append([]validator.String{attributes.Text()}, rules...),
	}
}

func optionalText(description string, rules ...validator.String) schema.StringAttribute {
	text := requiredText(description, rules...)
	text.Required = false
	text.Optional = true
	return text
}

func jsonObject() attributes.StringRule {
	return attributes.StringRule{Must: "must be a JSON object", Check: func(text string) error {
		if !json.Valid([]byte(text)) || !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return errors.New("must be a JSON object, as in jsonencode({ type = \"object\" })")
		}
		return nil
	}}
}
