// Package training holds trainings of body and of face LoRAs, which differ by a
// value, kind.
//
// A training is one job that was paid for:
//
//   - create reads the status first. A training of its kind that already runs is an error, at plan
//     too: it is imported, never adopted. Otherwise one request starts a job, which costs credits
//     and is never sent again;
//   - once it may be paid for, nothing is an error, so that its id reaches the state: a wait that
//     ends early is a warning, and the next plan resumes it;
//   - a job that no reply has named is stored as "unconfirmed-…". Each plan warns of it, and names
//     what has appeared since, for a person to import;
//   - refresh sends one request for all trainings of a character, for their status, and one more for
//     its capabilities if the status does not say how a job has ended;
//   - running → succeeded, failed or stopped. The outcome is data; once known it never changes. Only
//     a change of triggers trains again;
//   - destroy cancels a running job that a reply to its own request has named, unless another object
//     holds it too, and forgets any other. If the other is planned later, it refuses the plan.
//
// A replacement ignores its predecessor's job, which is cancelled first. Under
// create_before_destroy Terraform hides the predecessor: the replacement cannot
// start while its job runs.
package training
