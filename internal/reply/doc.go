// Package reply is what comes back of a request: an object, read leniently, or an
// error, and what that means. It sends nothing.
//
//	object.go      decoding: no field makes a reply fail
//	receipt.go     what the reply to a paid request tells
//	errors.go      a request that did not succeed
//	error_body.go  what the reply says of it, and what errors may show of that
//	cause.go       why, in words, and which errors have that in common
//	questions.go   what an error means to those who get it
//	connection.go  why a connection failed, in words
package reply
