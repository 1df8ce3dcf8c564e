package inference

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var (
	_ resource.ResourceWithConfigure   = (*snapshot[imageInputs, []string])(nil)
	_ resource.ResourceWithImportState = (*snapshot[imageInputs, []string])(nil)
	_ resource.ResourceWithModifyPlan  = (*snapshot[imageInputs, []string])(nil)
)

// snapshot is the resource of every type of this package. I is the type of its
// decoded inputs, R the type of the reply that its fields show.
type snapshot[I, R any] struct {
	run.Resource
	noun              string
	description, note string // the beginning and the end of the documentation
	inputs            map[string]schema.Attribute
	fields            []framework.Field[R]
	ask               func(context.Context, *evidence.Client, *I) (*R, error)
	id                func(*R) *string // nil if replies have no id
	// For a purchase, in place of ask: its kind in prices, by which the limits
	// count it; its order; and whether a reply shows nothing. Empty if no limit
	// counts it.
	purchase string
	order    func(inputs *I, triggers map[string]string) purchases.Order[R]
	isEmpty  func(R) bool
}

// Create asks the model once. A snapshot with a price is bought. The answer stays
// in the state until an input or triggers change.
func (s *snapshot[I, R]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	// The request contains the configured values; the state also has defaults.
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	inputs := s.decode(ctx, config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !s.Data.Ready(&resp.Diagnostics) {
		return
	}
	defer s.Data.WarnOfFailedReads(&resp.Diagnostics)
	created := &creation[I, R]{
		snapshot: s,
		req:      req,
		resp:     resp,
	}
	none := tftypes.NewValue(req.Plan.Raw.Type(), nil)
	resp.Diagnostics.Append(run.Configured(req.Plan, none).Get(ctx, &created.inputs)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if s.order != nil {
		ctx, end := s.Data.BeginPurchase(ctx, req.Plan, resp.Private, &resp.Diagnostics)
		defer end()
		purchases.Buy(ctx, &s.Data.Purchaser, s.orderOf(inputs, config), created)
		return
	}
	answer, err := s.ask(ctx, s.Data.Client, inputs)
	if err != nil {
		resp.Diagnostics.Append(s.failure(err))
		return
	}
	created.storeReply(ctx, answer)
}

// idOf returns the id in a reply, or a new id of the provider's, because not
// every reply has an id.
func (s *snapshot[I, R]) idOf(answer *R) string {
	id := "snapshot-" + strings.ToLower(rand.Text())
	if s.id == nil {
		return id
	}
	return cmp.Or(types.StringPointerValue(s.id(answer)).ValueString(), id)
}

// creation is the create of a snapshot, and its purchase if it is bought.
type creation[I, R any] struct {
	*snapshot[I, R]
	inputs types.Object // in planned form; its outputs are null
	req    resource.CreateRequest
	resp   *resource.CreateResponse
}

var _ purchases.Buyer[[]string] = (*creation[imageInputs, []string])(nil)

// Accepted stores the reply, with a warning if it shows nothing. There is no
// second reply, and this one may have been charged.
func (c *creation[I, R]) Accepted(ctx context.Context, answer R, _ time.Time) {
	id := c.storeReply(ctx, &answer)
	c.storePurchase(ctx)
	if c.isEmpty(answer) {
		c.resp.Diagnostics.Append(c.showsNothing(id))
	}
}

// Unknown stores a snapshot without a reply. The parts of a broken reply prove
// nothing.
func (c *creation[I, R]) Unknown(ctx context.Context, _ R, unconfirmed framework.Unconfirmed) {
	id := framework.UnconfirmedID()
	c.store(ctx, id, c.inputs)
	c.storePurchase(ctx)
	c.resp.Diagnostics.Append(framework.StorePrivate(ctx, c.resp.Private, unconfirmed)...)
	c.resp.Diagnostics.Append(c.isUnconfirmed(id, unconfirmed))
}

// Refused is an error, and nothing is stored.
func (c *creation[I, R]) Refused(_ context.Context, err error) {
	c.resp.Diagnostics.Append(c.failure(err))
}

// Guarded is an error: another run has bought the snapshot.
func (c *creation[I, R]) Guarded(_ context.Context, found []purchases.Bought) {
	c.resp.Diagnostics.Append(c.guarded(found).Error())
}

// storeReply writes the state of a reply, and returns its id.
func (c *creation[I, R]) storeReply(ctx context.Context, answer *R) types.String {
	id := types.StringValue(c.idOf(answer))
	c.store(ctx, id, framework.Show(ctx, c.inputs, c.fields, answer))
	framework.WarnOfOmitted(&c.resp.Diagnostics, c.req.Config.Raw, c.resp.State.Raw)
	return id
}

// store writes the state.
func (c *creation[I, R]) store(ctx context.Context, id types.String, shown types.Object) {
	c.resp.Diagnostics.Append(c.resp.State.Set(ctx, shown)...)
	c.resp.Diagnostics.Append(c.resp.State.SetAttribute(ctx, path.Root("id"), id)...)
}

// storePurchase writes the attributes that only a purchase has.
func (c *creation[I, R]) storePurchase(ctx context.Context) {
	diags := &c.resp.Diagnostics
	diags.Append(c.Data.Tally(purchases.Tally{}, c.one()).Set(ctx, c.resp.State.SetAttribute)...)
}

func (s *snapshot[I, R]) orderOf(inputs *I, config types.Object) purchases.Order[R] {
	triggers, _ := config.Attributes()["triggers"].(types.Map)
	return s.order(inputs, framework.TextsByKey(triggers))
}

func (s *snapshot[I, R]) one() purchases.Purchase {
	return purchases.Purchase{Kind: s.purchase, Count: 1}
}

// warnOfGuarded warns at plan of a snapshot that the purchase log guards.
func (s *snapshot[I, R]) warnOfGuarded(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	if s.order == nil || !purchases.KnowsOrder(req.Config) {
		return
	}
	var config types.Object
	diags.Append(req.Config.Get(ctx, &config)...)
	inputs := s.decode(ctx, config, diags)
	if diags.HasError() {
		return
	}
	want := purchases.Wanted{Order: s.orderOf(inputs, config).Entry, Describe: s.guarded}
	s.Data.WarnOfGuarded(ctx, req, want, diags)
}

// decode reads the inputs from a configuration. It leaves out the outputs,
// which are unknown.
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

// Read keeps the state: the service is never asked again.
func (s *snapshot[I, R]) Read(ctx context.Context, req resource.ReadRequest, _ *resource.ReadResponse) {
	s.Data.Refreshed(ctx, req.Private, purchases.Holding{})
}

// Delete forgets the reply.
func (s *snapshot[I, R]) Delete(ctx context.Context, req resource.DeleteRequest, _ *resource.DeleteResponse) {
	s.Data.Forgotten(ctx, req.Private, purchases.Holding{})
}

// Update stores labels, and inputs that have changed only in notation. Every
// other change is a replacement.
func (s *snapshot[I, R]) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}

// ImportState refuses, because the service cannot repeat an earlier answer.
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

// Schema has the inputs, the fields of the reply, and the attributes that all
// snapshots have.
func (s *snapshot[I, R]) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	all := framework.AttributesOf(s.fields)
	maps.Copy(all, s.inputs)
	all["id"] = framework.ComputedText("Id of the reply, or one that begins with `snapshot-` if it has none.")
	all["triggers"] = framework.TextsOrNone("Arbitrary values of your own. A change asks the service again.")
	inputs := "argument"
	counts := "no limit counts it"
	if s.purchase != "" {
		all["id"] = framework.ComputedText(
			"Id that begins with `snapshot-`, or with `unconfirmed-` if the reply was lost.",
		)
		inputs += " but `labels`"
		counts = "it counts as a purchase"
		maps.Copy(all, purchases.TallyAttributes("images", s.purchase))
		all[framework.LabelsName] = framework.Labels()
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: s.description + "\n\n" +
			"The service documents no cost, and " + counts + ". A change of any " + inputs + " asks the service " +
			"again. The guide *Inference* has more." + s.note,
		Attributes: all,
	}
}

func requiredText(description string, rules ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		Required:            true,
		MarkdownDescription: description,
		Validators:          append([]validator.String{framework.Text()}, rules...),
	}
}

func optionalText(description string, rules ...validator.String) schema.StringAttribute {
	text := requiredText(description, rules...)
	text.Required = false
	text.Optional = true
	return text
}

func jsonObject() framework.StringRule {
	return framework.StringRule{Must: "must be a JSON object", Check: func(text string) error {
		if !json.Valid([]byte(text)) || !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return errors.New("must be a JSON object, as in jsonencode({ type = \"object\" })")
		}
		return nil
	}}
}
