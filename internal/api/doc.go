// Package api contains the endpoints of the character, media and generation
// service, one file per area of its interface, and how their replies are read.
// Package transport sends the requests. What a reply proves is in package
// evidence, and what is bought in package purchases.
//
// Every nil pointer in a result means that the service sent nothing, null, or
// something unreadable as the field's type; no reply is refused because of such a
// field.
//
//	characters.go, assets.go, dataset.go, training.go, generations.go, groups.go,
//	chat.go, categories.go   the areas
//	batch.go, batch_reply.go what becomes of the prompts of a batch
//	paid.go, receipt.go      POSTs that cost credits: purchases.Buy sends them
//	status.go                status words, and how a generation has ended
//	pages.go, decode.go      one page of a list, and one reply
package api
