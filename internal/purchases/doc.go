// Package purchases holds everything that costs credits: the purchases that
// plans announce, the limits, the log that guards a purchase until something
// ends it, and the only function that sends a paid request.
//
// # The way of a purchase
//
// A prompt of a group is bought in these steps. For a training, a dataset or an
// image, only the files of service/ differ:
//
//  1. The plan of the object decides what it buys: service/generation/plan_group.go,
//     by the rules in package prompts.
//  2. PlanPurchase (planned.go) holds the sum of the run's plans against the
//     limits. The purchases and cost of the object are its tally (tally.go).
//     WarnOfGuarded (guarded.go) asks the log, and notes what the plan wants.
//  3. The apply calls Create or Update: service/generation/apply_group.go, and
//     submit_group.go for each batch. BeginPurchase and RefuseGuarded (states.go,
//     guarded.go) come first: nothing is sent if another run has bought the same.
//  4. OrderBatch (order_batch.go) makes an Order: the request (api/batch.go), its
//     count for the limits, and its entry in the log.
//  5. Buy calls Send (order.go), which alone sends paid requests: the limits reserve
//     (account.go), the log writes a line and guards (log.go), and the request is
//     sent once.
//  6. transport/send.go and attempt.go send the request over a connection of its
//     own; receive.go and meaning.go judge the reply.
//  7. api/batch_reply.go reads the outcome of each prompt. Send charges the limits,
//     and writes the second line of the log.
//  8. The Buyer stores the outcome: service/generation/record_batch.go. The state is
//     given to the CLI, and the next refresh tells the log that it was stored
//     (states.go).
//
// # Paid requests
//
// Each paid request is an Order: of a batch, a training, a dataset, an image or
// a regenerated image. Buy buys the order, and ends with one Outcome. The
// tables meaning (transport/meaning.go), next and effectOf (transport/retry.go)
// decide what follows from the way a request ends:
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
// A reply is a limit of requests if it is a 429; a different 4xx with a
// Retry-After, with no request remaining, or with words that say so; or a 2xx
// that refuses in such words. A reply that counts or names a purchase is no
// limit of requests. Neither is a 408 or 503 to a POST.
//
// A request that breaks off before it was sent completely has no effect, but is
// not sent again either. After Ctrl-C, a request in flight has wait.Grace to be
// answered; without an answer, it counts as a time-out. A 2xx that says no is
// accepted if it counts credits, and unknown if it names something that may
// have been made. A 2xx for an image that names no image is accepted, because
// no later reply would name the image.
//
// A purchase guards against other runs. A batch guards its Prompts, and has no
// Inputs. Any other order guards its Inputs, which must not be empty. The Buyer
// handles each outcome. An unknown outcome is recorded as unconfirmed, with a
// warning, and the request is never sent again.
//
// # Files
//
//	purchaser.go  the client, limits and log with which one run buys
//	planned.go    the purchases that plans announce; tally.go: the purchases of an
//	              object in its life; guarded.go, probe.go: the log's answers to plans
//	order.go      Buy and Send; order_batch.go, order_work.go, order_image.go: the orders
//	states.go     what states tell the log about purchases
//	noted.go      requests that make or delete something without a price
//	listed.go     the purchases of a log, in the form that the data source shows
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
//	              nevertheless; questions.go: who asks the log
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
// The plan decides, and the apply obeys. If a plan buys the equal of a living
// purchase, it notes whether any state that it was given has that purchase. The
// apply refuses to buy if no state ever had the purchase, or if no state that
// the plan was given has it. Nothing is adopted from the log: only a reply to
// this provider's own request, or a person's import, makes an object part of a
// state.
package purchases
