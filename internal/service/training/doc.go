// Package training holds trainings of body LoRAs.
//
// A training is one job that the service was paid for:
//
//   - create reads the status first. A body training that runs already is
//     adopted and costs nothing; otherwise one request starts a job, which
//     costs credits and is never sent again. The plan only warns of a training
//     that runs: it may have ended when the apply gets there;
//   - the job's id is in state before anything waits for it. From then on
//     nothing is an error: a wait that ends early is a warning, and the next
//     plan resumes it;
//   - a job whose start was never answered is looked for. One that cannot be
//     found is recorded as "unknown-…", and every refresh looks again;
//   - running → succeeded, failed or stopped. How it ended is data; once known
//     it never changes. Only a change of triggers trains again;
//   - destroy cancels a job that runs and forgets one that has ended.
//
// Under create_before_destroy Terraform hides the predecessor from its
// replacement. If the predecessor's job runs, the service can start no other:
// the replacement takes the job over, and the predecessor's destroy leaves it
// alone.
package training
