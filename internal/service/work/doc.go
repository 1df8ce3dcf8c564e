// Package work holds the work that the service does for a character after one
// paid request: trainings of body and of face LoRAs, and datasets, the
// generated images that a body LoRA learns from. Approvals of these images and
// regenerations of single ones are here too.
//
// One resource serves all kinds of work. A description of each kind says what
// it buys, how its state is read, what ends it, what a destroy does, and its
// words:
//
//   - kind.go: what a description has, and how a piece of work is loaded
//   - kind_training.go, kind_dataset.go: the descriptions
//   - resource_work.go: Create, Read, Update and Delete, of every kind
//   - create_work.go: the purchase
//   - plan_work.go: what plans say, count and refuse
//   - work.go: what every piece of work has during one operation
//   - messages_work.go: the messages that all kinds share, and the words in them
//
// What only trainings have:
//
//   - training.go, model_training.go, schema_training.go: the object of one operation, its private
//     state, what Terraform stores, and the attributes
//   - status_training.go: which jobs a status shows, and how far they are
//   - create_training.go, plan_training.go: what must hold before a start; unconfirmed starts; what
//     a plan says
//   - read_training.go, wait_training.go, cancel_training.go: refreshes, waits and cancellations
//   - messages_training.go, messages_ending.go: what is said of a job, and of one whose resource
//     ends
//   - action_…, list_…, data_source_training_status.go: the actions, the list and the data source
//
// What only datasets have is in files of the same names, with dataset for
// training; resource_approval.go, update_approval.go, model_approval.go and
// messages_approval.go are about approvals, resource_image_regeneration.go and
// messages_regeneration.go about regenerations. A regeneration is no kind: it
// is not awaited, and 13 of the 20 functions of its description would be empty.
//
// Refreshes and waits are written for each kind. A training's refresh has 25
// lines and a dataset's 14, of which 6 are the same: they differ in what a
// status proves.
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
//
// A dataset is one generation of images. They can be listed, and approved by a
// person elsewhere or here. Reading and approving them costs nothing:
//
//   - create reads the character's status, and sends one request, once, unless a dataset is being
//     generated, or was in this run. What that costs is not documented, so it counts as a purchase;
//     once it may have been accepted nothing is an error. If the reply is lost, the dataset is
//     unconfirmed: the status names no job, so each plan says what it shows, and concludes nothing;
//   - it ends when the status calls it complete, or has a word for a failure. A wait that ends early
//     is resumed by the next plan;
//   - only a refresh that finds the character gone drops it: a missing endpoint proves nothing;
//   - destroy forgets it; images and a running generation stay.
//
// Approvals of images can be given and withdrawn, that of the whole dataset is
// final:
//
//   - create and update send what differs, the approval of the dataset last;
//   - refresh reads the list that all resources of a character share, and drops an image whose
//     approval was withdrawn. What the list lacks is kept;
//   - destroy withdraws what it has approved itself, and is still approved, unless the dataset was
//     approved.
//
// A regeneration replaces one image by a new one, from a prompt:
//
//   - create sends it once. What it costs is not documented, so it counts as a purchase. If its reply
//     is lost, it is unconfirmed: create stores it with a warning that each plan repeats, and nothing
//     sends it again but triggers;
//   - refresh reads the approval, with one request for all regenerations of a character. Only an
//     image that a list has shown can vanish;
//   - destroy forgets it; the image stays as it is.
package work
