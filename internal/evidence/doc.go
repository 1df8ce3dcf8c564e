// Package evidence is what one run has read of the service, and what that proves.
// Package api sends the requests.
//
// A reply proves what the service itself says, and no more. Whether an object is
// gone is concluded here alone: Judge concludes from one reply, Find from one
// read or two, FindUnlisted from the lists of characters.
//
//	client.go             what a run remembers of its reads, with the services
//	                      characters.go, images.go, works.go, groups.go, models.go
//	evidence.go, gone.go  the proof that an object is gone
//	caller.go             who asks, and whether that is the caller who saw the
//	                      object last
//	candidate.go          what a lost request may have made
//	pages.go              lists of many pages, and what their pages prove;
//	                      character_list.go: the list that all characters share
//	filter.go             filters that a service may refuse or ignore
//	optional_endpoints.go reads that some deployments offer; missing_list.go:
//	                      the conclusion that a deployment lacks one
//	best_effort.go        reads that let a plan say more
package evidence
