// Package purchases keeps the books: the limits of a run's purchases, and the
// log that guards a purchase until something ends it.
//
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
