// Package api contains the endpoints of the character, media and generation
// service, one file per area of the interface, and reads their replies. Package
// transport sends the requests. Package evidence decides what a reply proves.
// Package purchases buys.
//
// A nil pointer in a result means that the service sent nothing, null, or a
// value that the field's type cannot hold. No reply is refused because of such
// a field.
//
//	characters.go, assets.go, dataset.go, training.go, generations.go, groups.go,
//	chat.go, categories.go   the areas
//	services.go              the types that hold the endpoints of an area
//	client.go                the client that sends their requests
//	batch.go, batch_reply.go the outcome of each prompt of a batch
//	paid.go, receipt.go      POSTs that cost credits: purchases.Buy sends them
//	status.go                status words, and how a generation has ended
//	existing.go              ids that the body of an error names
//	pages.go, decode.go      one page of a list, and one reply
package api
