// Package story holds the random runs: the provider, in process and on a clock
// that jumps, goes through random stories. A story is a service with its own
// habits, a configuration, and some chapters: edits, faults, other actors, a
// command, and perhaps a mistake in the configuration or an import. Then the
// faults end, applies follow until nothing is left to do, and everything is
// destroyed.
//
// After each command, and at the end, these hold:
//
//   - the provider breaks no rule of the CLI, and nothing is tainted;
//   - what the service has charged is what the plan announced, or less, and
//     exactly that if nothing went wrong;
//   - no paid request was processed twice for one announced purchase;
//   - neither the ledger nor a plan exceeds max_purchases or max_credits, where
//     it is set;
//   - the purchase log holds every purchase of the ledger, including those of
//     killed commands, and what it names is what the service has;
//   - after an unconfirmed batch nothing more of its group is bought;
//   - no job of somebody else is adopted or cancelled, nor one of several that run;
//   - a prompt of neither a text nor a photo is an error, and nothing is sent; a
//     photo that is not known yet is none;
//   - the plan after an import keeps the prompts that the service has rendered,
//     and buys the others, which it names with both texts, and no others; so
//     does the next one, if the apply could buy nothing;
//   - no prompt is bought again while a generation of the same prompt, running
//     or successful, is given up;
//   - what a key holds, and keeps according to the plan, is not deleted; the
//     running job of an object that stays is not cancelled;
//   - nothing is deleted that no state held, except the rest of a group that the
//     provider has made: neither what somebody else has generated, though a
//     refusal names it, nor what an import has left out;
//   - nothing of another actor's is in the state, though it has our titles and texts,
//     and the reply to our batch was lost;
//   - an import outlives what happens before the object's turn in an apply:
//     refreshes, and applies that fail;
//   - a command at an address of another version buys and deletes nothing, and
//     does not keep silent;
//   - each generation, group and running job of ours is named by the state
//     (superseded ones by private state) or by a message;
//   - where a 404 proves nothing, because it is a gateway's or for another
//     caller or address, or is said to a single read, all that still exists at
//     the service stays in the state, even if a message names it and the command
//     was a destroy, except what was imported and bought again, a group of
//     unconfirmed prompts, and a running job that a destroy only forgets;
//   - applies without faults end in an empty plan, in which each key has the
//     generation of its own prompt, or the plan says that it may be another key's;
//   - after the destroy nothing that was in the state is left, unless a message
//     names it.
//
// Exceptions are what a killed command bought, what other actors did, what the
// user lost before an import, an empty group that no reply has named, and what
// is left of a purchase whose prompts or character a warning has named, because
// no reply has contained all its ids.
// The service itself never lies: with its own error body it does not return 404
// to us for what exists, except to a single read; an index that it gives is
// true; a 4xx other than 408 means that nothing was done, and so does a 2xx that
// says no and neither names nor counts what was bought.
// If its errors have another form, the provider trusts every 404, and there are
// neither gateways nor other callers, nor does anything appear late.
//
// Killed runs are stories of their own, shorter, without faults, and with a
// purchase log. A run is killed before a request or after its work, or ends in
// order; a backend has not stored its state, or not the last 20 seconds of it;
// somebody else may have bought the same; the next run may be on another host,
// with a copy of the log, with another key, or at another name of the loopback.
// Titles and keys may change, and any number of plans come before each apply.
// Then a person does what each message says, to the letter: imports what is
// named or can be found, deletes what was bought once more, or changes take or
// triggers; each cure works once. A state that plans have seen may be lost
// later, too: all of it, or what came after the kill. At last an object is
// replaced, or all is destroyed and applied, which buys what its plan announces.
// After each command nothing was bought that no plan has announced, nothing
// twice that nobody has asked for, and nothing of somebody else's is in the
// state; at the end the state has what was bought, or it lives in the log. They
// have groups and trainings, and one kill each.
//
// A failure prints its shortest story, and the seed that repeats it.
package story
