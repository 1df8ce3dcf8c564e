// Package generation holds the generation group and the generation.
//
// Life of a group: a batch of prompts is submitted and paid for; every prompt
// becomes a generation, which runs for minutes and ends with result addresses
// or an error. Later batches attach to the group by its id.
//
//   - Each prompt that a batch accepts costs credits, even if it fails later, and only where the
//     plan shows generations[key] as unknown.
//   - A batch is sent once. If its reply is lost, its prompts are unconfirmed: they are submitted
//     again only as another take. Each plan says what a person can import.
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
// An apply passes these places:
//
//   - plan: planning.show (plan_group.go) asks prompts.NewPlan what is bought, awaited, deleted
//     and forgotten; planning.finish counts it, and run.PlanPurchase holds it against the limits.
//   - apply: execution.run (apply_group.go) executes the same plan: submit, deleteRemoved, wait,
//     deleteSuperseded. What may have bought something ends in group.store, whatever stopped it.
//   - a batch: submitBatch (submit_group.go) sends it by the client's buy (api/purchases.go), which
//     asks the limits and the purchase log. The tables next and effectOf (transport/retry.go)
//     decide whether it is sent again, which a POST never is once it may have been processed, and
//     whether it was accepted, refused or neither is known.
//   - a lost reply: recordUnknown (record_batch.go) stores the prompts as unconfirmed, and no
//     other batch is sent. candidates.go looks for what may have been made; messages_unconfirmed.go says
//     what a person can do.
//   - Ctrl-C: the CLI cancels the context. A batch in flight has wait.Grace to be answered, else it
//     is a lost reply. wait.Poll ends with a CanceledError, which execution.wait makes a warning;
//     nothing superseded is deleted, and the next plan awaits what still runs.
//   - old media: prompts/deletion.go decides, deleteSuperseded (delete_generation.go) sends.
//
// The rules stand in the package prompts. This package converts, sends requests
// in order, writes state and says what has happened. An operation knows a group
// as a group; decode makes it of Terraform's groupModel, encode the reverse.
package generation
