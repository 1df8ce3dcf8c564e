// Package dataset holds the generated images that a character is trained on.
//
// The service generates them; they can be listed, and approved by a person
// elsewhere or here. Reading and approving them costs nothing.
//
// A dataset is one generation of images:
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
package dataset
