// Package generation has the generation group and the generation.
//
// Life of a group: a batch of prompts is submitted and paid for; every prompt
// becomes a generation, which runs for minutes and ends with result addresses
// or an error. Later batches attach to the group by its id.
//
//   - Each prompt that a batch accepts costs credits, even if it fails later, and only where the
//     plan shows generations[key] as unknown.
//   - A batch is sent once. If its reply is lost, its prompts are unconfirmed: they are submitted
//     again only with a new take or text. Each plan says what a person can import.
//   - A prompt is planned (plan_group.go) and submitted (submit_group.go), runs and ends
//     (wait_group.go). If the reply does not tell which generation belongs to which key, the
//     statuses do at the end of that operation, or the generation stays open. The prompt's phase
//     decides how it is counted and planned.
//   - A single table says how a generation has ended: prompts.Shown.End. A generation that has had
//     results is final.
//   - A changed prompt is bought again; the generation that it supersedes is deleted once the new
//     generation certainly has results: prompts.Group.Deletable.
//   - Equal prompts may share a generation: each of their keys has it, and it is deleted with
//     the last key. If different prompts share a generation, nobody knows its prompt: all of these
//     prompts are unconfirmed.
//   - A group belongs to this object if a batch was sent without a group's id, and the reply names
//     a generation in the group: see recordGroup.
//   - Destroy deletes the generations that the state has, one by one. It deletes the group as a
//     whole, in a single request, if the group belongs to this object and no other object of a run
//     was seen to hold it. Where groups are listed, the list has to prove that nothing else is in
//     the group, and is proof enough.
//   - Under deletion_policy = "keep" nothing is deleted. The generations that the state gives up
//     are recorded in the purchase log, and stay in the group. A later destroy may delete them with
//     the group.
//
// A plan and an apply pass these places:
//
//   - plan: planning.show (plan_group.go) asks prompts.NewPlan which prompts are bought, awaited,
//     deleted and forgotten. planning.finish counts the prompts that are shown as bought.
//     purchases/planned.go adds that number to the state's purchases, and its price to the
//     cost; they are unknown where the number is unknown. It also counts the prompts that may be
//     bought, for the limits of all plans of the run. planning.warn (plan_warnings.go) adds the
//     warnings.
//   - apply: execution.run (apply_group.go) executes the same plan, computed again with the values
//     known by then: submit, deleteRemoved, wait, deleteSuperseded. The tally is set from Plan.Buy,
//     and not reduced by refused prompts. Whatever stops an operation that may have bought
//     something, it ends in group.store.
//   - an update that sends nothing: it is planned for an unknown reference
//     (provider/references.go), for prompts that are not known yet (planning.showUnknown), for
//     values that only the state has (title, labels, timeouts, deletion_policy, a renamed key), and
//     after an import, whose values the plan takes over. An update that resumes a wait or deletes
//     leftovers sends something and buys nothing.
//   - a batch: submitBatch (submit_group.go) sends it by Submit (api/batch.go). The table in
//     purchases/doc.go says when a paid request is sent again, and what the limits and the purchase log
//     make of it.
//   - an accepted batch: execution.record (record_batch.go) stores the group, the receipt and the
//     generations. prompts.Group.RecordEffects decides which keys are in doubt and which share a
//     generation. The messages take that value (accepted), and follow all of it.
//   - a lost reply: submission.Unknown (record_batch.go) stores the prompts as unconfirmed, with a
//     warning, and no other batch is sent. candidates.go looks for generations that may have been
//     made, and again at each refresh; messages_unconfirmed.go says what a person can do. The next
//     plan repeats that, and buys the prompts that were not sent. It buys unconfirmed prompts only
//     with a new take or text.
//   - Ctrl-C: the CLI cancels the context. A batch in flight has wait.Grace, 2.5 seconds, to be
//     answered (bound in transport/attempt.go), else its reply is lost. No new request begins
//     (waitTurn in transport/limit.go). A batch that was still due is a warning if an earlier batch
//     may be paid for, else an error, which leaves the attributes as they were. wait.Poll ends with
//     a CanceledError, which execution.wait turns into a warning (waitEnded, messages_await.go);
//     no superseded generation is deleted. The next plan awaits the running generations if
//     wait_for_completion is set, and buys the prompts that were not sent.
//   - old media: prompts/plan.go says which generations are superseded (fillNext), and
//     prompts/deletion.go when they are deleted: once the key's new generation is a success whose
//     addresses a status has shown, and no other key or object needs the old generation. If a later
//     wait or refresh sees that, the next update deletes. deleteSuperseded (delete_generation.go)
//     sends a DELETE /generation/generations/{generation_id} for each; a failure is a warning, and
//     the next update tries again. Under "keep" the plan supersedes nothing (Plan.forget).
//
// The rules are in the package prompts. This package converts values, sends
// requests in order, writes state and reports the outcome. Operations work with
// a group; decode makes a group from Terraform's groupModel, and encode
// converts it back.
package generation
