package generation

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// Warnings of an operation that buys: everything that it cannot undo.

// buyAgain is how a person has unconfirmed prompts submitted again.
const buyAgain = "To submit the prompts again, and perhaps pay twice, raise max_attempts; for one of them alone, change its take."

// again says how prompts without results are submitted once more: by the next
// apply, unasked, where max_attempts leaves some.
func (g *group) again(keys []string, otherwise string) string {
	attempts := g.model.MaxAttempts.ValueInt64()
	due := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !g.IsToBeBought(key, attempts) })
	if len(due) == 0 {
		return otherwise
	}
	return fmt.Sprintf("max_attempts is %d: the next apply submits %s again, which may cost credits again. Lower it first if it should not.", attempts, quoted(due))
}

// named names prompts as a person finds them, and never by their texts or title.
func (g *group) named(keys []string) string {
	text := "prompts " + quoted(keys)
	if id := g.model.ID.ValueString(); id != "" {
		text += fmt.Sprintf(" of the generation group %q", id)
	}
	if character := g.model.CharacterID.ValueString(); character != "" {
		text += fmt.Sprintf(", of the character %q", character)
	}
	return text
}

// quote names a group of an answer that has accepted nothing.
func (g *group) quote(id string) string {
	if id == "" || id == g.model.ID.ValueString() {
		return ""
	}
	return fmt.Sprintf(" The service names the group %q, which is not taken over and not deleted; if it is empty and yours, delete it there.", id)
}

// warnOfUnconfirmed names prompts that may have been bought; also is what the service
// has named without accepting anything.
func (g *group) warnOfUnconfirmed(keys []string, also string, diags *diag.Diagnostics) {
	diags.AddWarning(g.summary("Unconfirmed Prompts"),
		fmt.Sprintf("%s\nObject: %s\n\nThey are in the state as unconfirmed: they may be paid for, and are not sent again.%s %s",
			g.Generations[keys[0]].Error.Get(), g.named(keys), also, g.toConfirm(keys)))
}

func (op *operation) warnOfShared(equal, different []string) {
	if len(equal) > 0 {
		op.diags.AddWarning("Equal Prompts Share a Generation",
			fmt.Sprintf("The service's reply names %s. Each of these keys has the generation and its results, which are deleted when the last of the keys goes. "+
				"What was deducted is in credits_deducted as far as the service says.", framework.Several(equal, "; ")))
	}
	if len(different) > 0 {
		unconfirmed := op.group.KeysIn(op.group.Keys(), prompts.PhaseUnconfirmed)
		op.diags.AddWarning(op.group.summary("Different Prompts Were Given One Generation"),
			fmt.Sprintf("The service's reply names %s. These prompts are different, so it is not known which of them it belongs to, nor what became of the others. "+
				"Those that were just submitted are in the state as unconfirmed, and this apply does not send them again; the generation is deleted with the last of the keys, or once they have other results. "+
				"Look at it at the service. %s", framework.Several(different, "; "), op.group.again(unconfirmed, buyAgain)))
	}
}

func (op *operation) warnOfSurplus(ids []string) {
	if len(ids) > 0 {
		op.diags.AddWarning(op.group.summary("Unrequested Generations in a Reply"),
			fmt.Sprintf("The reply to the batch names more generations than prompts. These are in no state: %s. A destroy deletes them only with the whole group %q; else delete them at the service.", everyOf(ids), op.group.model.ID.ValueString()))
	}
}

// warnOfFailures names the bought prompts that ended this run without results.
func (op *operation) warnOfFailures(bought []string) {
	g := op.group
	var lines []string
	failed := g.KeysIn(g.Keys(), prompts.PhaseFailed, prompts.PhaseRejected)
	for _, key := range failed {
		line := fmt.Sprintf("%q: %s", key, g.Generations[key].Error.Get())
		if old := g.Superseded[key]; len(old) > 0 {
			line += fmt.Sprintf(" (the former generation %s is kept)", everyOf(old))
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 {
		op.diags.AddWarning(g.summary("Generations Failed"),
			fmt.Sprintf("In the generation group %q these prompts have no results:\n%s\n\nWhat was deducted for them is in credits_deducted as far as the service says. %s", g.model.ID.ValueString(), framework.Several(lines, "\n"),
				g.again(failed, "To submit them again (and pay again), raise max_attempts; for one of them alone, change its take or its text.")))
	}
	if left := g.KeysIn(bought, prompts.PhaseUnsubmitted); len(left) > 0 {
		op.diags.AddWarning("Prompts Not Submitted", fmt.Sprintf("These prompts were not submitted: %s. They cost nothing; the next apply submits them.", quoted(left)))
	}
}
