// Package inference has snapshots of the replies of the service's models: a
// chat completion, a vision completion, the categories of a medium, an image.
//
// All share the same life cycle, in resource_snapshot.go:
//
//   - Create sends the request, once. If its reply is lost, this apply does not send it again, because
//     it may have been charged. Nothing is stored then, and the next apply sends a new request.
//   - The reply is kept unchanged. The service cannot return it again, so a refresh sends nothing, and
//     there is no import.
//   - A change of any input, or of triggers, replaces the snapshot, that is, sends a new request. A
//     different notation of equal JSON, texts or addresses is no change.
//   - Destroy forgets the snapshot.
//
// The interface names no price for these requests. An image counts as a
// purchase, and so is bought once: if its reply is lost, it is stored as
// unconfirmed, with null outputs and a warning that each plan repeats. A reply
// that names no image is an answer, and is stored with a warning. Only a
// changed input, or triggers, buys the image again.
package inference
