package purchases

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Listed are the listed purchases and their sums.
type Listed struct {
	purchases []Recorded
	totals    []total
	byLabel   []labelTotal
}

// total is the sum of the purchases of a type.
type total struct {
	kind      string
	requests  int64
	purchases int64
	credits   *float64
}

// label is the key and the text of a label.
type label struct{ key, text string }

// labelTotal is the sum of the purchases with a label.
type labelTotal struct {
	label
	total
}

// ListedFields show the listed purchases and their sums.
var ListedFields = []framework.Field[Listed]{
	framework.ListField(
		"purchases",
		"Purchases, in the order of sending.",
		func(b *Listed) []Recorded { return b.purchases },
		purchaseFields,
	),
	framework.ListField(
		"totals",
		"Sums of `purchases` by type, without those that were refused or not sent.",
		func(b *Listed) []total { return b.totals },
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
		func(b *Listed) []labelTotal { return b.byLabel },
		slices.Concat(
			[]framework.Field[labelTotal]{
				framework.TextField("key", "Key of the label.", func(t *labelTotal) *string { return &t.key }),
				framework.TextField("value", "Value of the label.", func(t *labelTotal) *string { return &t.text }),
			},
			sumFields(func(t *labelTotal) *total { return &t.total }),
		),
	),
}

var purchaseFields = []framework.Field[Recorded]{
	framework.TextField(
		"request",
		"Id that the log gives the request.",
		func(r *Recorded) *string { return textOrNull(r.Request) },
	),
	framework.TextField(
		"time",
		"When it was about to be sent, in RFC 3339.",
		func(r *Recorded) *string { return textOrNull(r.Sent) },
	),
	framework.TextField(
		"type",
		"`batch` (of prompts), `training`, `dataset`, `image` or `image_regeneration`.",
		func(r *Recorded) *string { return textOrNull(r.Type) },
	),
	framework.TextField(
		"character_id",
		"Id of the character, if it has one.",
		func(r *Recorded) *string { return textOrNull(r.CharacterID) },
	),
	framework.TextField(
		"group_id",
		"Id of the group of a batch.",
		func(r *Recorded) *string { return textOrNull(r.GroupID) },
	),
	framework.TextField(
		"title",
		"Title of the group of a batch.",
		func(r *Recorded) *string { return r.Title },
	),
	framework.TextsField(
		"keys",
		"Keys of the prompts of a batch, without rejected ones.",
		func(r *Recorded) []string { return r.Keys },
	),
	framework.NumberField(
		"credits",
		"Credits deducted, as far as the service says.",
		func(r *Recorded) *float64 { return r.Credits },
	),
	framework.TextField(
		"user",
		"Who has started the CI job, else the system's user.",
		func(r *Recorded) *string { return textOrNull(r.By.User) },
	),
	framework.TextField(
		"host",
		"Name of the machine.",
		func(r *Recorded) *string { return textOrNull(r.By.Host) },
	),
	framework.TextField(
		"job",
		"Address of the CI job.",
		func(r *Recorded) *string { return textOrNull(r.By.Job) },
	),
	framework.TextsByKeyField(
		framework.LabelsName,
		"Labels that its object had.",
		func(r *Recorded) map[string]string { return r.Labels },
	),
	framework.TextField(
		"outcome",
		"How the request has ended: `answered`, `refused`, `unsent`, `unknown` (it may have been bought), or "+
			"`sending` if nobody knows.",
		func(r *Recorded) *string { return textOrNull(r.Outcome) },
	),
	framework.FlagField(
		"open",
		"Whether it is open, as in `open_only`.",
		func(r *Recorded) *bool { return r.IsOpen },
	),
	framework.TextField(
		"import_id",
		"Id that imports what was bought, as far as the service has named it.",
		importID,
	),
}

// sumFields show the total that is a part of T.
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

// List reads the purchases that a person asks for. If file is empty, it reads
// the provider's own log, which may not exist before the first purchase. A
// named file must exist.
func (p *Purchaser) List(ctx context.Context, file string, asked Asked, diags *diag.Diagnostics) *Listed {
	if file == "" {
		file = p.log.GuardName()
	} else if _, err := os.Stat(file); err != nil && !IsStore(file) {
		diags.Append(logIsUnreadable(file, err))
		return nil
	}
	if file == "" {
		diags.Append(noLog())
		return nil
	}
	recorded, err := p.log.Recorded(ctx, file)
	unreadable, isPartial := errors.AsType[*UnreadableError](err)
	switch {
	case isPartial:
		diags.Append(linesAreLeftOut(unreadable))
	case err != nil:
		diags.Append(logIsUnreadable(file, err))
		return nil
	}
	listed := slices.DeleteFunc(recorded, func(r Recorded) bool { return !asked.has(&r) })
	return &Listed{
		purchases: listed,
		totals:    totalsOf(listed),
		byLabel:   totalsByLabel(listed),
	}
}

// Asked selects the purchases that a person asks for.
type Asked struct {
	OpenOnly bool
	By       Author // an empty part matches anything
	Labels   map[string]string
}

// has reports whether a purchase is selected.
func (a Asked) has(r *Recorded) bool {
	isOpen := r.IsOpen != nil && *r.IsOpen
	isUsers := a.By.User == "" || a.By.User == r.By.User
	isOnHost := a.By.Host == "" || a.By.Host == r.By.Host
	isInJob := a.By.Job == "" || a.By.Job == r.By.Job
	isBy := isUsers && isOnHost && isInJob
	return (isOpen || !a.OpenOnly) && isBy && hasLabels(r, a.Labels)
}

// hasLabels reports whether a purchase has all of the labels.
func hasLabels(r *Recorded, labels map[string]string) bool {
	for key, text := range labels {
		its, has := r.Labels[key]
		if !has || its != text {
			return false
		}
	}
	return true
}

// totalsOf adds up purchases by their type, in the order of the types' names.
func totalsOf(all []Recorded) (totals []total) {
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
func totalsByLabel(all []Recorded) (totals []labelTotal) {
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

func (t *total) add(purchase *Recorded) {
	t.requests++
	t.purchases += purchase.Count()
	if purchase.Credits == nil {
		return
	}
	if t.credits == nil {
		t.credits = new(float64)
	}
	*t.credits = AddCredits(*t.credits, *purchase.Credits)
}

// importID returns the id for an import of the purchase, or nil if no reply has
// named an id.
func importID(r *Recorded) *string {
	switch {
	case r.Generations != "":
		return &r.Generations
	case r.JobID != "" && r.CharacterID != "":
		return new(framework.ImportID(r.CharacterID, r.JobID))
	case r.ImageID != "" && r.CharacterID != "":
		return new(framework.ImportID(r.CharacterID, r.ImageID))
	}
	return nil
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
