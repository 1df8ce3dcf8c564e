// Package evidence remembers what one run has read of the service, and decides
// what the replies prove. Package api sends the requests.
//
// A reply proves only what the service itself says. No other package decides
// whether an object is gone: Judge decides from one reply, Find from one or two
// reads, and FindUnlisted from the lists of characters.
//
//	client.go             the memory of one run, with the endpoints in
//	                      characters.go, images.go, trainings.go, datasets.go,
//	                      groups.go and models.go
//	evidence.go, gone.go  the proof that an object is gone
//	caller.go             who sends the requests, and whether the same caller saw
//	                      the object last
//	candidate.go          objects that a lost request may have made
//	pages.go              lists of many pages, and what their pages prove;
//	                      character_list.go: the list that all characters share
//	filter.go             filters that a service may refuse or ignore
//	optional_endpoints.go reads that some deployments offer; missing_list.go:
//	                      the conclusion that a deployment lacks the list of a
//	                      group
//	best_effort.go        reads that let a plan say more
package evidence
