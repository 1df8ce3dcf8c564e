// Package training holds trainings of body and of face LoRAs, which differ by a
// value, kind.
//
// A training is one job that was paid for:
//
//   - create reads the status first. It adopts a training of its kind that
//     already runs, at no cost; otherwise one request starts a job, which costs credits
//     and is never sent again. The plan only warns of a running training: it
//     may have ended by the time of the apply;
//   - once it may be paid for, nothing is an error, so that its id reaches the
//     state: a wait that ends early is a warning, and the next plan resumes it;
//   - a job whose start got no reply is searched for. One that cannot be found
//     is stored as "unknown-…", and every refresh searches again for one that was
//     created at that time, by the service's clock;
//   - refresh sends one request for all trainings of a character, for their
//     status, and one more for its capabilities if the status does not say how
//     a job has ended;
//   - running → succeeded, failed or stopped. The outcome is data; once known
//     it never changes. Only a change of triggers trains again;
//   - destroy cancels a running job, unless another object holds it too, and
//     forgets one that has ended.
//
// Under create_before_destroy Terraform hides the predecessor from its
// replacement. If the predecessor's job runs, the service cannot start another:
// the replacement adopts it. Two resources may hold one job as well. Only the
// destroy of the last holder cancels it: a refresh stores with each who else holds
// its job. A plan that destroys one updates the other, which sends nothing: an
// apply thereby knows of it before it destroys a predecessor.
package training
