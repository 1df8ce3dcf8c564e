// Package generation holds the generation group and the generation.
//
// Life of a group: a batch of prompts is submitted and paid for; every prompt
// becomes a generation, which runs for minutes and ends with result addresses
// or an error. Later batches attach to the group by its id.
//
//   - Each prompt that a batch accepts costs credits, even if it fails later, and only where the
//     plan shows generations[key] as unknown.
//   - A batch is sent once. If its reply is lost, its prompts are unconfirmed: they are submitted
//     again only as another take or text. Each plan says what a person can import.
//   - A prompt is planned (plan_group.go), submitted (submit_group.go), runs and ends
//     (wait_group.go). If the reply does not tell which generation is whose, the statuses do at the
//     end of the same operation, or it stays open. Its phase decides how it is counted and planned.
//   - How a generation has ended is one table: prompts.Shown.End. What has had results is final.
//   - A changed prompt is bought again; the generation that it supersedes is deleted once the new
//     one certainly has results: prompts.Group.Deletable.
//   - Equal prompts may share one generation: each of their keys holds it, and it is deleted with
//     the last. If different prompts share one, nobody knows whose it is: they are unconfirmed.
//   - A group is this object's if the reply to a batch that was sent without a group's id names a
//     generation in it: see recordGroup.
//   - Destroy deletes the generations that the state holds, one by one, and the group as a whole,
//     in one request, if it is this object's and no other object of a run was seen to hold it.
//     Where groups are listed, the list has to prove that nothing else is in it, and is enough.
//   - Under deletion_policy = "keep" nothing is deleted, nor remembered: what the state gives up
//     goes to the purchase log, and stays in the group, with which a later destroy may delete it.
//
// A plan and an apply pass these places:
//
//   - plan: planning.show (plan_group.go) asks prompts.NewPlan what is bought, awaited, deleted
//     and forgotten. planning.finish counts what it shows as bought; run/planned_purchases.go adds
//     that, times the provider's price, to the state's purchases and cost, which are unknown where
//     the number is, and holds what may be bought against the limits of all plans of the run.
//     planning.warn (plan_warnings.go) says it.
//   - apply: execution.run (apply_group.go) executes the same plan, computed again with what is
//     known by then: submit, deleteRemoved, wait, deleteSuperseded. The tally is set from Plan.Buy,
//     and not reduced by what is refused. What may have bought something ends in group.store,
//     whatever stopped it.
//   - a batch: submitBatch (submit_group.go) sends it by Submit (api/batch.go). The table in
//     api/doc.go says when a paid request is sent again, and what the limits and the purchase log
//     make of it.
//   - a lost reply: recordUnknown (record_batch.go) stores the prompts as unconfirmed, with a
//     warning, and no other batch is sent. candidates.go looks for what may have been made, at each
//     refresh again; messages_unconfirmed.go says what a person can do. The next plan says it again
//     and buys what was not sent; what is unconfirmed only as another take or text.
//   - Ctrl-C: the CLI cancels the context. A batch in flight has wait.Grace, 2.5 seconds, to be
//     answered (bound in transport/attempt.go), else it is a lost reply. No request begins any more
//     (waitTurn in transport/limit.go): of a batch that is due, that is a warning if an earlier one
//     may be paid for, else an error, which leaves the attributes as they were. wait.Poll ends with
//     a CanceledError, which execution.wait makes a warning (waitEnded, messages_await.go); nothing
//     superseded is deleted. The next plan awaits what still runs, if wait_for_completion says so,
//     and buys what was not sent.
//   - old media: prompts/plan.go says what is superseded (fillNext), prompts/deletion.go when it
//     goes: once the key's new generation is a success whose addresses a status has shown, and no
//     other key or object needs the old one. A later wait or refresh may see that: the next update
//     deletes then. deleteSuperseded (delete_generation.go) sends for each a
//     DELETE /generation/generations/{generation_id}; if it fails, that is a warning, and the next
//     update tries again. Under "keep" the plan supersedes nothing (Plan.forget).
//
// The rules stand in the package prompts. This package converts, sends requests
// in order, writes state and says what has happened. An operation knows a group
// as a group; decode makes it of Terraform's groupModel, encode the reverse.
package generation
