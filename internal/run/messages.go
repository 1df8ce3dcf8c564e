package run

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// What the parts of a run say.

func configurationIsUnknown() diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		"Provider Configuration Not Known Yet",
		"The provider's configuration depends on values that are only known after apply, so the service cannot be "+
			"read during this plan. Nothing was sent. Give the provider values that are known at plan time, or apply "+
			"what they depend on first with -target.",
	)
}

// DestroyPlansFirst says why a destroy shows an error of a plan, and what leaves that plan out.
const DestroyPlansFirst = "A destroy plans the configuration first: add -refresh=false to destroy without that."

// noCharacter is about the first object of a plan whose character does not
// exist.
func noCharacter(id, does string, listed []api.Character) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Character Not Found", fmt.Sprintf(
		"Correct character_id, or use a credential of the organization that owns the character: the service shows "+
			"this one no character %q. %s, which the apply would refuse. Nothing was changed. %s%s",
		id,
		does,
		DestroyPlansFirst,
		SimilarCharacter(id, listed),
	))
}

// noCharacterAgain is about the other objects of the same character.
func noCharacterAgain(id string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Character Not Found", fmt.Sprintf(
		"There is no character %q for this credential: the same failure as another object's. Nothing was changed.",
		id,
	))
}

// priceIsMissing is about a limit in credits, and what has no price.
func priceIsMissing(limit *purchases.Limit, purchase PlannedPurchase) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Missing Price", fmt.Sprintf(
		"The limit %[1]s is set, but prices has no %[2]s, so nobody can tell whether the limit holds. "+
			"Nothing of that kind is bought until it has a price; the first to need one is the %[3]s.\n\n"+
			"Set prices = { %[2]s = … } in the provider's configuration, or MEDIAGEN_PRICES to "+
			"{\"%[2]s\": …}; or remove %[1]s. Beside MEDIAGEN_MAX_CREDITS, a price counts only if "+
			"MEDIAGEN_PRICES names it: one of the configuration alone could make the limit worth nothing.",
		limit.Attribute,
		purchase.Kind,
		purchase.Object,
	))
}

// limitIsExceeded says which limit would let the plan pass, what was planned so
// far, and names the five dearest.
func limitIsExceeded(limit *purchases.Limit, planned []PlannedPurchase, sum, thisMonth *big.Rat) diag.Diagnostic {
	const most = 5
	var count int64
	for _, seen := range planned {
		count += seen.Count
	}
	bought := fmt.Sprint(count)
	ofPlan := sum
	left := ""
	if limit.IsOfMonth {
		ofPlan = new(big.Rat).Sub(sum, thisMonth)
		left = fmt.Sprintf(
			", of which the purchase log has %s as spent in this month (UTC)",
			purchases.Decimal(thisMonth),
		)
	}
	if limit.Attribute != "max_purchases" {
		credits := purchases.Decimal(ofPlan)
		bought += " for " + credits + " credit"
		if credits != "1" {
			bought += "s"
		}
	}
	dearest := slices.SortedStableFunc(slices.Values(planned), func(a, b PlannedPurchase) int {
		return limit.Cost(b.Purchase).Cmp(limit.Cost(a.Purchase))
	})
	var lines []string
	for _, purchase := range dearest {
		lines = append(
			lines,
			fmt.Sprintf("- %s: %s", purchases.Decimal(limit.Cost(purchase.Purchase)), purchase.Object),
		)
	}
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("- and %d more objects", more))
	}
	return diag.NewErrorDiagnostic("Purchase Limit Exceeded", fmt.Sprintf(
		"Nothing is bought. To pass, raise %s (MEDIAGEN_%s) to %s or more; to buy less at a time, add "+
			"-target. %[9]s\n\nThe configuration buys %[4]s so far; %[1]s allows %[5]s%[8]s. In "+
			"%[6]s:\n%[7]s\n\nWhat depends on a refused object is not counted yet: a plan without the limit shows the "+
			"whole sum.",
		limit.Attribute,
		strings.ToUpper(limit.Attribute),
		purchases.Decimal(sum),
		bought,
		purchases.Decimal(limit.Most),
		limit.Unit,
		strings.Join(lines, "\n"),
		left,
		DestroyPlansFirst,
	))
}

// Doubt is what the warning of an unconfirmed purchase says of its kind.
type Doubt struct {
	Summary string
	Look    string // where a person finds out, and what may have been bought
	Import  string // the lines to paste; empty if nothing can be imported
	Again   string // how it is bought again
	Object  string
	Also    string // what else is known, after the state; may be empty
}

// Warning says at a purchase, and at every plan from then on, how a person
// settles what may have been bought.
func (u Unconfirmed) Warning(of Doubt) diag.Diagnostic {
	steps := of.Look
	if of.Import != "" {
		steps += "\n\n" + of.Import
	}
	return diag.NewWarningDiagnostic(of.Summary, fmt.Sprintf(
		"%s\n\n%s\n\nObject: %s\nReason: %s\n\nIt may be paid for, and is not sent again by itself.%s",
		steps,
		of.Again,
		of.Object,
		u.Why(),
		of.Also,
	))
}

// Why says when the request was sent, and why its outcome is not known. The
// message around it says the rest.
func (u Unconfirmed) Why() string {
	why := framework.Sentence(cmp.Or(framework.ButEffect(u.Reason), "no answer has settled what became of it"))
	if u.Sent.IsZero() {
		return why
	}
	return fmt.Sprintf("sent at %s: %s", u.Sent.UTC().Format(time.RFC3339), why)
}

func logCannotBeWritten(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Purchase Log Cannot Be Written", fmt.Sprintf(
		"An apply buys nothing until the purchase log can be written. Reason: %s Correct purchase_log "+
			"(MEDIAGEN_PURCHASE_LOG), or remove it to buy without one.",
		framework.Sentence(err.Error()),
	))
}

// storeCannotBeRead warns of a plan that knows nothing of what was bought.
func storeCannotBeRead(err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Purchase Log Cannot Be Read", fmt.Sprintf(
		"This plan cannot tell what other runs have bought, or what the month has cost, since the store of the "+
			"purchase log (purchase_log) cannot be read. An apply buys nothing until it can be: it needs the rights "+
			"to list, to read and to add objects. Reason: %s",
		framework.Sentence(err.Error()),
	))
}

// logCannotBeRead warns of lines that guard nothing.
func logCannotBeRead(err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Purchase Log Cannot Be Read", fmt.Sprintf(
		"An apply buys nothing until each line of the purchase log (purchase_log) can be read: such a line may be of "+
			"a purchase, which would be bought again. Reason: %s %s",
		framework.Sentence(err.Error()),
		purchases.MendLog,
	))
}

// logIsIncomplete hands over what the log could not take.
func logIsIncomplete(lines []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		"Purchase Log Is Incomplete",
		"What these lines say has happened, but they could not be written to the purchase log (purchase_log). To "+
			"keep the log complete, add them by hand.\n\n"+strings.Join(lines, "\n\n"),
	)
}

// What a plan and an apply say of purchases that the log has.

// Warning is for a plan that buys what no state given to it has. A state that
// has it may be given to the plan later.
func (g Guarded) Warning() diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		g.Summary("Another Run Has Bought This"),
		g.text("An apply refuses to buy it again, unless an object that this plan reads later has it."),
	)
}

// Error is for an apply, before anything is sent.
func (g Guarded) Error() diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		g.Summary("Another Run Has Bought This"),
		g.text("Nothing was sent, and nothing was bought."),
	)
}

// NotDeleted is for an apply that has refused to buy for another object what this
// one has.
func (g Guarded) NotDeleted() diag.Diagnostic {
	return diag.NewErrorDiagnostic(g.Summary("Not Deleted Beside What Was Refused"), fmt.Sprintf(
		"Plan and apply again, with one purchase log for both: nothing of this object was deleted. If you have "+
			"renamed the resource, write a moved block, which buys and deletes nothing:\n\n%s\n\n"+
			"The purchase log has no note of the plan, so that this apply has refused to buy for another object what "+
			"this one has, the %s:\n%s",
		movedBlock,
		g.Object,
		g.lines(),
	))
}

// EqualWarning is for a plan that buys what another object of the state has.
func (g Guarded) EqualWarning() diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.Summary("Bought Already for Another Object"), fmt.Sprintf(
		"%s\n\nThis plan buys the %s. Another object of the state has the same already:\n%s",
		renaming,
		g.Object,
		g.lines(),
	))
}

// OfferedWarning is for an object that has what the plan of another buys, which
// was said to be in no state.
func (g Guarded) OfferedWarning() diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.Summary("Bought Again for Another Object"), fmt.Sprintf(
		"%s\n\nThis object has the %s. Another object of this plan buys the same; the warning there, that no state "+
			"has it, does not hold: this one was read later.\n%s",
		renaming,
		g.Object,
		g.lines(),
	))
}

// renaming says what to do where two objects have the same, of which one is new.
const renaming = "If you have renamed the resource, write a moved block, which buys and deletes nothing:\n\n" +
	movedBlock + "\n\n" +
	"Otherwise do nothing: the apply buys it once more, as the plan shows."

// movedBlock is what a person writes for a renamed object.
const movedBlock = "  moved {\n    from = FORMER_ADDRESS\n    to   = ADDRESS\n  }"

// UnclaimedWarning is for an object that a killed run has bought once more.
func (g Guarded) UnclaimedWarning() diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.Summary("Another Run Has Bought This Once More"), fmt.Sprintf(
		"%s\n\n%sThis plan buys nothing. The purchase log says that another run has once more bought the %s, and was "+
			"probably killed while it replaced the object:\n%s",
		g.settling(),
		g.doingWithout(),
		g.Object,
		g.lines(),
	))
}

// doingWithout says how the warning ends without an import: only what has an id
// of its own, and can be deleted, is ever proven gone.
func (g Guarded) doingWithout() string {
	var ids []string
	for _, found := range g.Found {
		for _, key := range found.Keys {
			if found.Generations[key] == "" {
				return ""
			}
			ids = append(ids, fmt.Sprintf("%q", reply.Text(found.Generations[key])))
		}
	}
	return fmt.Sprintf(
		"Or delete it at the service, as %s: the next plan then finds it gone.\n\n",
		strings.Join(ids, ", "),
	)
}

// text names what the log has, how to import it, and how to buy it once more on
// purpose.
func (g Guarded) text(consequence string) string {
	return fmt.Sprintf(
		"%s\n\n%s The purchase log says that another run has sent the %s, and %s:\n%s\n\n"+
			"To buy it again, change %s. If you used -target, apply once without it. If another state has it, "+
			"as of a test or an alias, give each a log of its own:\n\n%s",
		g.settling(),
		consequence,
		g.Object,
		g.whoHasIt(),
		g.lines(),
		g.Again,
		ownLog,
	)
}

// ownLog is what a person writes for a second state.
const ownLog = "  purchase_log = \"purchases-${terraform.workspace}.jsonl\""

// whoHasIt says what is known of states.
func (g Guarded) whoHasIt() string {
	for _, found := range g.Found {
		if !found.WasStored {
			return "no state is known to have it"
		}
	}
	return "a state has had it, but none that this run was given"
}

// settling says what a person does first, types and writes. A plan that creates
// is not told what the state has at the address, as in a replacement.
func (g Guarded) settling() string {
	switch {
	case g.Import == "":
		return "It cannot be imported: only the reply had it."
	case !g.IsInState:
		return "If no state has it, import it, which buys nothing:\n\n" +
			"  # Only if the state has ADDRESS, as in a replacement. What that has stays at the service.\n" +
			framework.ImportLines(g.Import)
	case len(g.Leaves) > 0:
		return fmt.Sprintf(
			"If no state has it, import it in place of what the state has now, which buys nothing and leaves %s at "+
				"the service:\n\n%s",
			strings.Join(g.Leaves, ", "),
			framework.ImportLines(g.Import),
		)
	default:
		return "If no state has it, import it in place of what the state has now, which buys nothing:\n\n" +
			framework.ImportLines(g.Import)
	}
}

func (g Guarded) lines() string {
	var lines []string
	for _, found := range g.Found {
		lines = append(lines, "- "+describeBought(found))
	}
	return strings.Join(lines, "\n")
}

// describeBought names a purchase, and its ids as far as they are known.
func describeBought(found purchases.Bought) string {
	text := fmt.Sprintf(
		"sent at %s%s (entry %q)",
		reply.Text(found.Sent),
		authorOf(found),
		reply.Text(found.Request),
	)
	ids := idsOf(found)
	also := ""
	if len(found.Others) > 0 {
		also = "; it has also bought " + framework.Several(quoteEach(found.Others), ", ")
	}
	switch named := strings.Join(ids, ", "); {
	case !found.IsAnswered && len(ids) > 0:
		return text + ": the answer broke off, so that it may have been bought. It had named " + named + also + "."
	case !found.IsAnswered:
		return text + ": no answer is known, so that it may have been bought. Look for it at the service."
	case len(ids) == 0:
		return text + ": the answer named no id."
	default:
		return text + ": " + named + also
	}
}

// authorOf says who to ask about a purchase, as far as the entry does.
func authorOf(found purchases.Bought) string {
	by := found.Author
	switch {
	case by.Job != "":
		return fmt.Sprintf(" by %s", reply.Text(by.Job))
	case by.User != "" && by.Host != "":
		return fmt.Sprintf(" by %s on %s", reply.Text(by.User), reply.Text(by.Host))
	case by.User != "":
		return fmt.Sprintf(" by %s", reply.Text(by.User))
	default:
		return ""
	}
}

// idsOf names what a purchase has at the service. All of it is what a file says,
// which somebody may have edited.
func idsOf(found purchases.Bought) (ids []string) {
	if found.GroupID != "" {
		ids = append(ids, fmt.Sprintf("group %q", reply.Text(found.GroupID)))
	}
	if found.JobID != "" {
		ids = append(ids, fmt.Sprintf("job %q", reply.Text(found.JobID)))
	}
	for _, key := range slices.Sorted(maps.Keys(found.Generations)) {
		ids = append(ids, fmt.Sprintf("%q = %q", reply.Text(key), reply.Text(found.Generations[key])))
	}
	return ids
}

func quoteEach(texts []string) (quoted []string) {
	for _, text := range texts {
		quoted = append(quoted, strconv.Quote(text))
	}
	return quoted
}
