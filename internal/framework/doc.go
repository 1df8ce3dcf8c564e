// Package framework holds the parts that the types of the provider share: parts
// of their schemas, their private state, and the words of their messages. It
// knows no type by name, and no client.
//
//	attributes.go, labels.go, durations.go   attributes that several types have
//	field.go, encode.go       fields that show a reply; address.go: addresses
//	                          that are too long for a state
//	validators.go, same.go    validators, and plan modifiers that keep a value
//	                          whose difference means nothing
//	private_state.go          data that the CLI stores beside the state and shows
//	                          to nobody; import_mark.go: the mark of an import;
//	                          unconfirmed.go: the memory of a lost reply
//	failure.go, causes.go     failures in words, for the person at 2 a.m.: the
//	                          first step, then the cause, the object, money and
//	                          state; sentences.go, summary.go, import_block.go
//	command.go                what the CLI is doing, as far as a provider can tell
package framework
