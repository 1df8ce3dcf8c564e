// Package work has the work that the service does for a character after a
// single paid request: trainings of body and of face LoRAs, and datasets, the
// generated images that a body LoRA learns from. Approvals of these images and
// regenerations of single images are here too.
//
// One resource serves all kinds of work. The description of a kind says what is
// bought, how the state is read, what ends the work, what a destroy does, and
// how messages name it:
//
//   - kind.go: the fields of a description, and how a piece of work is loaded
//   - kind_training.go, kind_dataset.go: the descriptions
//   - resource_work.go: Create, Read, Update and Delete, of every kind
//   - create_work.go: the purchase
//   - plan_work.go: what plans say, count and refuse
//   - work.go: the values of every piece of work during one operation
//   - messages_work.go: the messages that all kinds share, and the words in them
//
// Files of trainings alone:
//
//   - training.go, model_training.go, schema_training.go: the object of one operation, its private
//     state, Terraform's model, and the attributes
//   - status_training.go: which jobs a status shows, and how far they are
//   - create_training.go, plan_training.go: conditions of a start; unconfirmed starts; what a plan
//     says
//   - read_training.go, wait_training.go, cancel_training.go: refreshes, waits and cancellations
//   - messages_training.go, messages_ending.go: messages about a job, and about a job whose resource
//     ends
//   - action_…, list_…, data_source_training_status.go: the actions, the list and the data source
//
// The files of datasets have the same names, with dataset for training.
// resource_approval.go, update_approval.go, model_approval.go and
// messages_approval.go are about approvals, resource_image_regeneration.go and
// messages_regeneration.go about regenerations. A regeneration is no kind:
// nothing waits for it, and 13 of the 20 functions of its description would be
// empty.
//
// Refreshes and waits are written for each kind. A training's refresh has 25
// lines and a dataset's 14, of which 6 are equal: they differ in what a status
// proves.
//
// A training is a single job that was paid for:
//
//   - Create reads the status first. A training of its kind that already runs is an error, at plan
//     too: it can be imported, but is never adopted. Otherwise a single request starts a job. The
//     request costs credits and is never sent again.
//   - Once the job may be paid for, nothing is an error, so that its id reaches the state: a wait
//     that ends early is a warning, and the next plan resumes it.
//   - A job that no reply has named is stored as "unconfirmed-…". Each plan warns of it, and names
//     the jobs that have appeared since, for a person to import.
//   - Refresh sends one request for the status of all trainings of a character, and a second one for
//     its capabilities if the status does not say how a job has ended.
//   - The states are running → succeeded, failed or stopped. The outcome is data, and never changes
//     once it is known. Only a change of triggers trains again.
//   - Destroy cancels a running job if a reply to this resource's own request has named the job and
//     no other object holds it; any other job is only forgotten. If the other holder is planned
//     later, it refuses the plan.
//
// A replacement ignores its predecessor's job, which is cancelled first. Under
// create_before_destroy Terraform hides the predecessor: the replacement cannot
// start while the predecessor's job runs.
//
// A dataset is one generation of images. They can be listed, and approved by a
// person at the service or here. Reading and approving them costs nothing:
//
//   - Create reads the character's status, and sends a single request, once. It sends none if the
//     service is generating a dataset, or was in this run. The price is not documented, so a dataset
//     counts as a purchase. Once the request may have been accepted, nothing is an error. If its
//     reply is lost, the dataset is unconfirmed: the status names no job, so each plan shows the
//     status, and concludes nothing.
//   - A dataset ends when the status calls it complete, or has a word for a failure. The next plan
//     resumes a wait that ended early.
//   - Only a refresh that finds the character gone removes the dataset from the state: a missing
//     endpoint proves nothing.
//   - Destroy forgets the dataset; images and a running generation stay.
//
// Approvals of images can be given and withdrawn; the approval of the whole
// dataset is final:
//
//   - Create and update send the differences, the approval of the dataset last.
//   - Refresh reads the list that all resources of a character share, and drops an image whose
//     approval was withdrawn. An image that is missing from the list is kept.
//   - Destroy withdraws the approvals that this resource has given and that still stand, unless the
//     dataset was approved.
//
// A regeneration replaces an image by a new image, from a prompt:
//
//   - Create sends the request once. The price is not documented, so a regeneration counts as a
//     purchase. If the reply is lost, the regeneration is unconfirmed: create stores it with a
//     warning that each plan repeats, and only new triggers send a request again.
//   - Refresh reads the approval, with one request for all regenerations of a character. Only an
//     image that a list has shown can vanish.
//   - Destroy forgets the regeneration; the image stays in its present form.
package work
