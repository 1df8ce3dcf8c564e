// Package purchases is all that costs credits: what plans announce, what the
// limits allow, the log that guards a purchase until something ends it, and the
// one door through which a paid request is sent.
//
// # The way of a purchase
//
// A prompt of a group is bought on this way; a training, a dataset and an image
// differ in the files of service/ alone:
//
//  1. The plan of the object decides what it buys: service/generation/plan_group.go,
//     by the rules in package prompts.
//  2. PlanPurchase (planned.go) holds the sum of the run's plans against the limits;
//     the object's purchases and cost are its tally (tally.go). WarnOfGuarded (guarded.go) asks the log, and
//     notes what the plan wants.
//  3. The apply calls Create or Update: service/generation/apply_group.go, and
//     submit_group.go for each batch. BeginPurchase and RefuseGuarded (states.go,
//     guarded.go) come first: nothing is sent if another run has bought the same.
//  4. OrderBatch (order_batch.go) makes an Order: the request (api/batch.go), what
//     the limits count of it, and its entry in the log.
//  5. Buy and Send (order.go), the one door: the limits reserve (account.go), the
//     log writes a line and guards (log.go), and the request is sent once.
//  6. transport/send.go and attempt.go send it over a connection of its own;
//     receive.go and meaning.go judge the reply.
//  7. api/batch_reply.go reads what became of each prompt. Send charges the limits,
//     and writes the second line of the log.
//  8. The Buyer stores the outcome: service/generation/record_batch.go. The state is
//     given to the CLI, and the next refresh tells the log that it was stored
//     (states.go).
//
// # Paid requests
//
// Each is an Order: of a batch, a training, a dataset, an image or a regenerated
// image. Buy buys it, and ends with one Outcome. The tables meaning
// (transport/meaning.go), next and effectOf (transport/retry.go) decide how it
// goes on:
//
//	how it ends                             sent again  limits    purchase log   outcome
//	the purchase log guards it              never sent  free      no line        Guarded
//	a limit or the log refuses it           never sent  free      no line        Refused
//	no connection, a limit of requests;     yes         reserved  sending
//	once, a 401 or 403 that another token
//	may change
//	a 2xx                                   no          charged   answered       Accepted
//	a 2xx that says no, a 4xx but a 408,    no          free      refused        Refused
//	a 307 or 308 that names where to
//	Ctrl-C before it is sent                no          free      unsent         Refused
//	a reset, a time-out, 1xx, other 3xx,    no          reserved  unknown        Unknown
//	408, 5xx, a 2xx that is broken or no JSON
//
// A limit of requests is told by a 429; by another 4xx with a Retry-After, with
// no request remaining, or in words; or by a 2xx that says no in such words. It
// is none if the reply counts or names what was bought, and a 408 or 503 is none
// of a POST.
//
// What breaks off before all of the request was sent has no effect, and is not
// sent again either. Ctrl-C while it is in flight leaves it wait.Grace to be
// answered, and is a time-out then. A 2xx that says no counts as what it shows:
// as accepted if it counts credits, as unknown if it names what may have been
// made. A 2xx for an image that names no image is accepted all the same: no
// later reply would name one.
//
// A purchase guards the Prompts of a batch, which has no Inputs, against other
// runs, or the Inputs of any other order, which must not be empty. The Buyer
// handles each outcome: an unknown one is recorded as unconfirmed, with a
// warning, and never sent again.
//
// # Files
//
//	purchaser.go  what one run buys with: its client, limits and log
//	planned.go    what plans announce; tally.go: what an object has bought in its life;
//	              guarded.go, probe.go: what the log says of it
//	order.go      the door; order_batch.go, order_work.go, order_image.go: the orders
//	states.go     what states have of purchases
//	noted.go      what is made or deleted without a price
//	listed.go     the purchases of a log, as the data source shows them
//	messages_*.go the words for people
//	account.go    the limits of a run, and its purchases; monthly.go: the limit of
//	              all runs in a month, for which spending.go adds up the costs
//	caller.go     who buys, and who may be the same customer
//	entry.go      the log's entries of a request: a line before it, a line after
//	              it, and notes
//	log.go        the lines of a request; notes.go: the lines of states and plans
//	book.go       where a log is kept: in a file (file.go; lock.go: who may write to
//	              it) or in a store (store.go) of numbered objects (numbered.go)
//	index.go      the living purchases, and the events that end them
//	guard.go      which purchases equal an order, and whether the order is bought
//	              nevertheless; questions.go: who asks that
//	read.go       how a file is read; read_store.go: how a store is read, of which
//	              a start needs only a few objects (carry.go); decode.go: which bytes
//	              are an entry, which are ignored, and which make a log unreadable
//	              (unreadable.go)
//	recorded.go   the purchases of a log, for a list
//
// A log is the diary of a single state. A purchase lives from the moment before
// its request is sent until something ends it: a refusal, a deletion, a
// cancellation, the end of its object, the proof that it is gone, or a later
// equal purchase by the same object. A state that has the purchase does not end
// it, because the state can be lost.
//
// The plan decides, and the apply obeys. A plan that buys the equal of a living
// purchase notes whether it was given a state that has that purchase. The apply
// refuses to buy if no state ever had the purchase, or if its plan was given no
// state that has it. Nothing is adopted from the log: only a reply to this
// provider's own request, or a person's import, makes an object part of a
// state.
package purchases
