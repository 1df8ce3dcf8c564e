package purchases

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Messages of plans and applies about purchases that the log has.

// Warning is shown by a plan that buys an order of the log that no state given
// to the plan has. The plan may be given such a state later.
func (g GuardedOrder) Warning() diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		g.Summary("Another Run Has Bought This"),
		g.text("An apply refuses to buy it again, unless an object that this plan reads later has it."),
	)
}

// Error is shown by an apply before it sends anything.
func (g GuardedOrder) Error() diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		g.Summary("Another Run Has Bought This"),
		g.text("Nothing was sent, and nothing was bought."),
	)
}

// NotDeleted is shown by an apply that keeps an object because it has refused
// to buy an equal object.
func (g GuardedOrder) NotDeleted() diag.Diagnostic {
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

// EqualWarning is shown by a plan that buys an order that another object of the
// state has.
func (g GuardedOrder) EqualWarning() diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.Summary("Bought Already for Another Object"), fmt.Sprintf(
		"%s\n\nThis plan buys the %s. Another object of the state has the same already:\n%s",
		renaming,
		g.Object,
		g.lines(),
	))
}

// OfferedWarning is shown by the plan of an object that was read late. The plan
// of another object buys the same order, and has said that no state has it.
func (g GuardedOrder) OfferedWarning() diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.Summary("Bought Again for Another Object"), fmt.Sprintf(
		"%s\n\nThis object has the %s. Another object of this plan buys the same; the warning there, that no state "+
			"has it, does not hold: this one was read later.\n%s",
		renaming,
		g.Object,
		g.lines(),
	))
}

// renaming tells a person what to do if a new object equals an existing object.
const renaming = "If you have renamed the resource, write a moved block, which buys and deletes nothing:\n\n" +
	movedBlock + "\n\n" +
	"Otherwise do nothing: the apply buys it once more, as the plan shows."

// movedBlock is the block that a person writes for a renamed object.
const movedBlock = "  moved {\n    from = FORMER_ADDRESS\n    to   = ADDRESS\n  }"

// UnclaimedWarning is shown by the plan of an object whose order a killed run
// has bought once more.
func (g GuardedOrder) UnclaimedWarning() diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.Summary("Another Run Has Bought This Once More"), fmt.Sprintf(
		"%s\n\n%sThis plan buys nothing. The purchase log says that another run has once more bought the %s, and was "+
			"probably killed while it replaced the object:\n%s",
		g.settling(),
		g.doingWithout(),
		g.Object,
		g.lines(),
	))
}

// doingWithout says how the warning ends without an import. It returns nothing
// unless every bought prompt has an id, because only a generation with an id
// can be proven gone after a deletion.
func (g GuardedOrder) doingWithout() string {
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

// text names the purchases of the log, and says how to import them, or how to
// buy them again on purpose.
func (g GuardedOrder) text(consequence string) string {
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

// ownLog is the line that a person writes for a second state.
const ownLog = "  purchase_log = \"purchases-${terraform.workspace}.jsonl\""

// whoHasIt says whether any state is known to have had the purchases.
func (g GuardedOrder) whoHasIt() string {
	for _, found := range g.Found {
		if !found.WasStored {
			return "no state is known to have it"
		}
	}
	return "a state has had it, but none that this run was given"
}

// settling says what a person does first, with the lines to type and write. A
// plan of a create does not know whether the state has an object at the
// address, for example in a replacement.
func (g GuardedOrder) settling() string {
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

func (g GuardedOrder) lines() string {
	var lines []string
	for _, found := range g.Found {
		lines = append(lines, "- "+describeBought(found))
	}
	return strings.Join(lines, "\n")
}

// describeBought names a purchase, with its ids as far as they are known.
func describeBought(found Bought) string {
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

// authorOf names the person to ask about a purchase, if the entry has one.
func authorOf(found Bought) string {
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

// idsOf names the objects of a purchase at the service. The names come from a
// file that somebody may have edited.
func idsOf(found Bought) (ids []string) {
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
