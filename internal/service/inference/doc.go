// Package inference holds snapshots of what the service's models answered: a
// chat completion, a vision completion, the categories of a medium, an image.
//
// All four live the same life, which snapshot.go tells once:
//
//   - create asks the service, once. A question whose answer is lost is not
//     asked again by the same apply: it may have been charged. Nothing is stored
//     then, and the next apply asks anew;
//   - the answer is kept as it is. The service cannot be asked for it again, so
//     that a refresh sends nothing, and there is no import;
//   - a change of any input, or of triggers, replaces the snapshot, that is,
//     asks again. JSON that is only written differently is no change;
//   - destroy forgets.
//
// The interface names no price of these requests.
package inference
