// Package api contains the endpoints of the character, media and generation
// service, one file per area of its interface. Package transport sends the
// requests.
//
// One Client serves a whole run. Every nil pointer in a result means that the
// service sent nothing, null, or something unreadable as the field's type; no
// reply is refused because of such a field.
//
// # Paid requests
//
// Client.buy (purchases.go) sends every one: a batch, an image, or the work of a
// WorkOrder (work.go). The tables next and effectOf (transport/retry.go) decide
// how it goes on:
//
//	how it ends                             sent again  limits    purchase log
//	a limit or an open entry refuses it     never sent  free      no line, or unsent
//	no connection, a 429; once, a 401 or    yes         reserved  sending
//	403 that another token may change
//	a 2xx                                   no          charged   answered
//	a 2xx that says no, a 4xx but a 408     no          free      refused
//	Ctrl-C before it is sent                no          free      unsent
//	a reset, a time-out, 1xx, 3xx, 408,     no          reserved  unknown, open
//	5xx, a 2xx that is broken or no JSON
//
// What breaks off before all of the request was sent has no effect, and is not
// sent again either. Ctrl-C while it is in flight leaves it wait.Grace to be
// answered, and is a time-out then. A 2xx that says no counts as what it shows:
// as accepted if it counts credits, as unknown if it names what may have been
// made.
//
// The entry of a purchase is open from its first line until a state is known to
// have what was bought. It guards type, character and Inputs, which must not be
// empty, against later runs. The caller records an unknown outcome
// (reply.IsEffectUnknown) as unconfirmed, with a warning, and never sends it
// again.
package api
