// Package purchases keeps the books: what a run may buy, and the log that
// guards what was bought.
//
//	account.go  how much one run may buy, and has bought
//	entry.go    what the log says of a request: one line before it, one after
//	log.go      what is written, and when
//	file.go     one file of the log; lock.go: who may write to it
//	index.go    the entries that are open
//	read.go     how a file is read; decode.go: which bytes are an entry, which are
//	            nothing, and which make a file unreadable (unreadable.go)
//	guard.go    what an open entry forbids, and what closes it
//
// A log is the diary of one state. The entry of a purchase is open from the
// moment before it is sent until it is refused, until a later run is given a
// state that holds what was bought, or, after a lost reply, one that remembers
// the request, or until that is deleted, kept or forgotten. What an open entry
// of another run has bought is not bought again, and not taken either: only a
// reply to our own request, or a person's import, makes something ours.
package purchases
