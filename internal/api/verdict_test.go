package api_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// TestVerdict is the whole rule of what a 404 means.
// Fault F13.
func TestVerdict(t *testing.T) {
	t.Parallel()
	type row struct {
		notFound                                reply.NotFound
		failed, shown, stranger, moved, trusted bool
	}
	both := []bool{false, true}
	want := func(r row) api.Existence {
		switch r.notFound {
		case reply.NotFoundUnsaid:
			if r.failed {
				return api.Undecided
			}
			return api.Present
		case reply.NotFoundShown:
			return api.Gone
		case reply.NotFoundUnproven, reply.NotFoundProven:
		}
		proven := r.notFound == reply.NotFoundProven && !r.stranger && !r.moved
		switch {
		case r.trusted:
			return api.Gone
		case !r.shown && !r.moved:
			return api.NotYetSeen
		case r.shown && proven:
			return api.Gone
		}
		return api.Undecided
	}
	for notFound := reply.NotFoundUnsaid; notFound <= reply.NotFoundShown; notFound++ {
		for _, failed := range both {
			for _, shown := range both {
				for _, stranger := range both {
					for _, moved := range both {
						for _, trusted := range both {
							r := row{notFound, failed, shown, stranger, moved, trusted}
							if got := api.ExistenceOf(r.notFound, r.failed, r.shown, r.stranger, r.moved, r.trusted); got != want(r) {
								t.Errorf("%+v is judged %d, want %d", r, got, want(r))
							}
						}
					}
				}
			}
		}
	}
}
