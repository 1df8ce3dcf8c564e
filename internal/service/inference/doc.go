// Package inference holds snapshots of the replies of the service's models: a
// chat completion, a vision completion, the categories of a medium, an image.
//
// All share one life cycle, in resource_snapshot.go:
//
//   - create sends the request, once. If its reply is lost, the same apply does not send it again:
//     it may have been charged. Nothing is stored then, and the next apply sends a new one;
//   - the reply is kept as it is. The service cannot return it again, so a refresh sends nothing,
//     and there is no import;
//   - a change of any input, or of triggers, replaces the snapshot, that is, sends a new request.
//     JSON with only another notation, and texts and addresses that are the same, are no change;
//   - destroy forgets it.
//
// The interface names no price for these requests. An image counts as a
// purchase, and so is bought once: if its reply is lost, it is stored as
// unconfirmed, with null outputs and a warning that each plan repeats. A reply
// that names no image is an answer, and is stored with a warning. Only a changed
// input, or triggers, buys it again.
package inference
