// Package story holds the random runs: the provider, in process and on a clock
// that jumps, goes through random stories. A story is a service with its own
// habits, a configuration, and some chapters: edits, faults, other actors, a
// command, and perhaps a mistake in the configuration or an import. Then the
// faults end, applies follow until nothing is left to do, and everything is
// destroyed.
//
// After each command, and at the end, these rules hold:
//
//   - the provider breaks no rule of the CLI, and nothing is tainted;
//   - the service has charged what the plan announced, or less, and exactly the announced amount
//     if nothing went wrong;
//   - no paid request was processed twice for a single announced purchase;
//   - neither the ledger nor a plan exceeds max_purchases or max_credits, if it is set;
//   - the purchase log holds every purchase of the ledger, including purchases of killed commands,
//     and the objects that it names exist at the service;
//   - after an unconfirmed batch nothing more of its group is bought;
//   - no job of another actor is adopted or cancelled, nor a job among several that run;
//   - a prompt with neither a text nor a photo is an error, and nothing is sent; an unknown photo
//     is no error;
//   - the plan after an import keeps the prompts that the service has rendered. It buys all others
//     and no more, and names them with both texts. If the apply could buy nothing, the next plan
//     does the same;
//   - no prompt is bought again while a generation of the same prompt, running or successful, is
//     given up;
//   - a generation that a key holds, and keeps according to the plan, is not deleted; the running
//     job of an object that stays is not cancelled;
//   - nothing is deleted that no state held, except the rest of a group that the provider has made:
//     neither objects that another actor has generated, though a refusal names them, nor objects
//     that an import has left out;
//   - no object of another actor is in the state, even if it has our titles and texts, and the
//     reply to our batch was lost;
//   - an import outlives all events before the object's turn in an apply: refreshes, and applies
//     that fail;
//   - a command at an address of another version buys and deletes nothing, and does not keep
//     silent;
//   - the state or a message names each generation, group and running job that is ours (private
//     state names superseded ones);
//   - a 404 may prove nothing, because it comes from a gateway, is for another caller or address,
//     or answers only a single read. Then everything that still exists at the service stays in the
//     state, even if a message names it and the command was a destroy. Exceptions are objects that
//     were imported and bought again, a group of unconfirmed prompts, and a running job that a
//     destroy only forgets;
//   - applies without faults end in an empty plan, in which each key has the generation of its own
//     prompt, or the plan says that the generation may belong to another key;
//   - after the destroy, objects that were in the state are left only if a message names them.
//
// Exceptions are purchases of a killed command, effects of other actors,
// objects that the user lost before an import, an empty group that no reply has
// named, and the rest of a purchase whose prompts or character a warning has
// named, because no reply has contained all its ids.
//
// The service itself never lies. It does not return a 404 with its own error
// body to us for an existing object, except to a single read. An index that it
// gives is true. Nothing was done after a 4xx other than 408, nor after a 2xx
// that says no and neither names nor counts purchases. If its errors have
// another form, the provider trusts every 404; such a service has neither
// gateways nor other callers, and nothing appears late.
//
// Killed runs are stories of their own, shorter, without faults, and with a
// purchase log. A run is killed before a request or after its work, or ends in
// order. A backend has not stored its state, or has lost the last 20 seconds of
// it. Another run may have bought the same. The next run may be on another
// host, with a copy of the log, with another key, or at another name of the
// loopback interface. Titles and keys may change, and any number of plans come
// before each apply.
//
// Then a person does exactly what each message says: the person imports objects
// that are named or can be found, deletes duplicate purchases, or changes take
// or triggers. Each cure works the first time. A state that plans have seen may
// also be lost later: all of it, or the part after the kill. At last an object
// is replaced, or everything is destroyed and applied, which buys what its plan
// announces.
//
// After each command nothing was bought that no plan has announced, nothing was
// bought twice without a person's request, and no object of another actor is in
// the state. At the end the state has everything that was bought, or it lives
// in the log. These stories have groups and trainings, and one kill each.
//
// A failure prints its shortest story, and the seed that repeats it.
package story
