package purchase

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// newPurchasesDataSource describes the data source of the purchase log.
func newPurchasesDataSource() datasource.DataSource {
	return run.DataSource[listedPurchases]{
		Name: "purchases",
		Noun: "Purchases",
		Description: "The purchases that a purchase log has: what was spent, and what no state knows.\n\n" +
			"Reading them sends no request. A plan reads the log as it is before the apply.",
		Inputs: map[string]schema.Attribute{
			"path": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "File or bucket to read. Defaults to the provider's `purchase_log`.",
				Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			},
			"open_only": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether only open purchases are listed: those of which something is in no " +
					"known state, and was not ended, as by a deletion. Defaults to `false`.",
			},
			"user": only("user"),
			"host": only("host"),
			"job":  only("job"),
			framework.LabelsName: schema.MapAttribute{
				ElementType:         types.StringType,
				Optional:            true,
				MarkdownDescription: "Lists only purchases with these labels.",
				Validators:          []validator.Map{framework.LabelRules{}},
			},
		},
		Fields: listedFields,
		Read:   readPurchases,
	}.New()
}

// only is an input that filters purchases: a part of a listed purchase has to
// equal it.
func only(part string) schema.Attribute {
	return schema.StringAttribute{
		Optional:            true,
		MarkdownDescription: "Lists only this " + part + "'s purchases.",
		Validators:          []validator.String{framework.Text(), framework.NotBlank()},
	}
}

// listedPurchases are the listed purchases, with their sums.
type listedPurchases struct {
	purchases []purchases.Recorded
	totals    []total
	byLabel   []labelTotal
}

// total is the sum of a type's purchases.
type total struct {
	kind      string
	requests  int64
	purchases int64
	credits   *float64
}

// label is a key with its text.
type label struct{ key, text string }

// labelTotal is the sum of the purchases with a label.
type labelTotal struct {
	label
	total
}

var listedFields = []framework.Field[listedPurchases]{
	framework.ListField(
		"purchases",
		"Purchases, in the order of sending.",
		func(b *listedPurchases) []purchases.Recorded { return b.purchases },
		purchaseFields,
	),
	framework.ListField(
		"totals",
		"Sums of `purchases` by type, without those that were refused or not sent.",
		func(b *listedPurchases) []total { return b.totals },
		slices.Concat(
			[]framework.Field[total]{
				framework.TextField("type", "Type of the purchases.", func(t *total) *string { return &t.kind }),
			},
			sumFields(func(t *total) *total { return t }),
		),
	),
	framework.ListField(
		"totals_by_label",
		"The same sums by label.",
		func(b *listedPurchases) []labelTotal { return b.byLabel },
		slices.Concat(
			[]framework.Field[labelTotal]{
				framework.TextField("key", "Key of the label.", func(t *labelTotal) *string { return &t.key }),
				framework.TextField("value", "Value of the label.", func(t *labelTotal) *string { return &t.text }),
			},
			sumFields(func(t *labelTotal) *total { return &t.total }),
		),
	),
}

var purchaseFields = []framework.Field[purchases.Recorded]{
	framework.TextField(
		"request",
		"Id that the log gives the request.",
		func(r *purchases.Recorded) *string { return textOrNull(r.Request) },
	),
	framework.TextField(
		"time",
		"When it was about to be sent, in RFC 3339.",
		func(r *purchases.Recorded) *string { return textOrNull(r.Sent) },
	),
	framework.TextField(
		"type",
		"`batch` (of prompts), `training`, `dataset`, `image` or `image_regeneration`.",
		func(r *purchases.Recorded) *string { return textOrNull(r.Type) },
	),
	framework.TextField(
		"character_id",
		"Id of the character, if it has one.",
		func(r *purchases.Recorded) *string { return textOrNull(r.CharacterID) },
	),
	framework.TextField(
		"group_id",
		"Id of the group of a batch.",
		func(r *purchases.Recorded) *string { return textOrNull(r.GroupID) },
	),
	framework.TextField(
		"title",
		"Title of the group of a batch.",
		func(r *purchases.Recorded) *string { return r.Title },
	),
	framework.TextsField(
		"keys",
		"Keys of the prompts of a batch, without rejected ones.",
		func(r *purchases.Recorded) []string { return r.Keys },
	),
	framework.NumberField(
		"credits",
		"Credits deducted, as far as the service says.",
		func(r *purchases.Recorded) *float64 { return r.Credits },
	),
	framework.TextField(
		"user",
		"Who has started the CI job, else the system's user.",
		func(r *purchases.Recorded) *string { return textOrNull(r.By.User) },
	),
	framework.TextField(
		"host",
		"Name of the machine.",
		func(r *purchases.Recorded) *string { return textOrNull(r.By.Host) },
	),
	framework.TextField(
		"job",
		"Address of the CI job.",
		func(r *purchases.Recorded) *string { return textOrNull(r.By.Job) },
	),
	framework.TextsByKeyField(
		framework.LabelsName,
		"Labels that its object had.",
		func(r *purchases.Recorded) map[string]string { return r.Labels },
	),
	framework.TextField(
		"outcome",
		"How the request has ended: `answered`, `refused`, `unsent`, `unknown` (it may have been bought), or "+
			"`sending` if nobody knows.",
		func(r *purchases.Recorded) *string { return textOrNull(r.Outcome) },
	),
	framework.FlagField(
		"open",
		"Whether it is open, as in `open_only`.",
		func(r *purchases.Recorded) *bool { return r.IsOpen },
	),
	framework.TextField(
		"import_id",
		"Id that imports what was bought, as far as the service has named it.",
		importID,
	),
}

// sumFields show a sum that is a part of T.
func sumFields[T any](of func(*T) *total) []framework.Field[T] {
	return []framework.Field[T]{
		framework.IntegerField(
			"requests",
			"Number of their requests.",
			func(t *T) *int64 { return &of(t).requests },
		),
		framework.IntegerField(
			"purchases",
			"Number of prompts, or of what else was bought.",
			func(t *T) *int64 { return &of(t).purchases },
		),
		framework.NumberField(
			"credits",
			"Credits deducted, as far as the service says; else null.",
			func(t *T) *float64 { return of(t).credits },
		),
	}
}

// readPurchases reads the log. A file in the input has to exist; the provider's
// own file is only created by the first purchase.
func readPurchases(ctx context.Context, client *api.Client, inputs run.Inputs) (*listedPurchases, error) {
	file := inputs.Text("path").ValueString()
	if file == "" {
		file = client.PurchaseLog().GuardName()
	} else if _, err := os.Stat(file); err != nil && !purchases.IsStore(file) {
		inputs.Diagnostics.Append(logIsUnreadable(file, err))
		return nil, nil
	}
	if file == "" {
		inputs.Diagnostics.Append(noLog())
		return nil, nil
	}
	recorded, err := client.PurchaseLog().Recorded(ctx, file)
	unreadable, isPartial := errors.AsType[*purchases.UnreadableError](err)
	switch {
	case isPartial:
		inputs.Diagnostics.Append(linesAreUnreadable(unreadable))
	case err != nil:
		inputs.Diagnostics.Append(logIsUnreadable(file, err))
		return nil, nil
	}
	asked := askedOf(inputs)
	listed := slices.DeleteFunc(recorded, func(r purchases.Recorded) bool { return !asked.has(&r) })
	return &listedPurchases{
		purchases: listed,
		totals:    totalsOf(listed),
		byLabel:   totalsByLabel(listed),
	}, nil
}

// asked says which purchases are requested.
type asked struct {
	openOnly bool
	by       purchases.Author // an empty part matches anything
	labels   map[string]string
}

func askedOf(inputs run.Inputs) asked {
	openOnly := inputs.Flag("open_only")
	return asked{
		openOnly: openOnly != nil && *openOnly,
		by: purchases.Author{
			User: inputs.Text("user").ValueString(),
			Host: inputs.Text("host").ValueString(),
			Job:  inputs.Text("job").ValueString(),
		},
		labels: inputs.Texts(framework.LabelsName),
	}
}

// has reports whether a purchase is requested.
func (a asked) has(r *purchases.Recorded) bool {
	isOpen := r.IsOpen != nil && *r.IsOpen
	isUsers := a.by.User == "" || a.by.User == r.By.User
	isOnHost := a.by.Host == "" || a.by.Host == r.By.Host
	isInJob := a.by.Job == "" || a.by.Job == r.By.Job
	isBy := isUsers && isOnHost && isInJob
	return (isOpen || !a.openOnly) && isBy && hasLabels(r, a.labels)
}

// hasLabels reports whether a purchase has all of the labels.
func hasLabels(r *purchases.Recorded, labels map[string]string) bool {
	for key, text := range labels {
		its, has := r.Labels[key]
		if !has || its != text {
			return false
		}
	}
	return true
}

// totalsOf adds up purchases by their type, in the order of the types' names.
func totalsOf(all []purchases.Recorded) (totals []total) {
	for i := range all {
		purchase := &all[i]
		if !purchase.IsBought() {
			continue
		}
		place, found := slices.BinarySearchFunc(totals, purchase.Type, func(t total, kind string) int {
			return cmp.Compare(t.kind, kind)
		})
		if !found {
			totals = slices.Insert(totals, place, total{kind: purchase.Type})
		}
		totals[place].add(purchase)
	}
	return totals
}

// totalsByLabel adds up purchases by each of their labels, in the order of the
// labels.
func totalsByLabel(all []purchases.Recorded) (totals []labelTotal) {
	sums := map[label]*total{}
	for i := range all {
		purchase := &all[i]
		if !purchase.IsBought() {
			continue
		}
		for key, text := range purchase.Labels {
			of := label{key, text}
			if sums[of] == nil {
				sums[of] = &total{}
			}
			sums[of].add(purchase)
		}
	}
	for of, sum := range sums {
		totals = append(totals, labelTotal{of, *sum})
	}
	slices.SortFunc(totals, func(a, b labelTotal) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.text, b.text))
	})
	return totals
}

func (t *total) add(purchase *purchases.Recorded) {
	t.requests++
	t.purchases += purchase.Count()
	if purchase.Credits == nil {
		return
	}
	if t.credits == nil {
		t.credits = new(float64)
	}
	*t.credits = purchases.AddCredits(*t.credits, *purchase.Credits)
}

// importID returns the id by which the purchased objects are imported; nil if
// no reply has named them.
func importID(r *purchases.Recorded) *string {
	switch {
	case r.Generations != "":
		return &r.Generations
	case r.JobID != "" && r.CharacterID != "":
		return new(run.ImportID(r.CharacterID, r.JobID))
	case r.ImageID != "" && r.CharacterID != "":
		return new(run.ImportID(r.CharacterID, r.ImageID))
	}
	return nil
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
