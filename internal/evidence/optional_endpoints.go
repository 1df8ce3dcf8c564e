package evidence

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// optionalEndpoints are reads that only some deployments offer. They are sent
// if Config.ExtendedReads says that this one does, and save requests: what they
// do not show, for whatever reason, is read from the other endpoints.
type optionalEndpoints struct {
	mutex    sync.Mutex
	failed   map[string][]string // the objects for which a route has failed
	answered map[string]bool     // the routes that have shown an object
	missing  map[string]bool     // the routes that the deployment lacks
	lists    groupLists
	failure  error // the first of them
	told     bool  // somebody was told of it
}

func newOptionalEndpoints() optionalEndpoints {
	return optionalEndpoints{
		failed:   map[string][]string{},
		answered: map[string]bool{},
		missing:  map[string]bool{},
		lists:    groupLists{notFound: map[string]error{}},
	}
}

// ExtendedReads reports whether the configuration says that the deployment
// answers them.
func (c *Client) ExtendedReads() bool { return c.config.ExtendedReads }

// mayHave reports whether a route is worth a request. One failure may be about
// its object.
func (c *Client) mayHave(route string) bool {
	c.optional.mutex.Lock()
	defer c.optional.mutex.Unlock()
	return c.config.ExtendedReads && !c.optional.missing[route] && len(c.optional.failed[route]) < 2
}

// noteResult reports whether a read has succeeded, and records how it ended.
// That the service itself says that there is no such object says nothing: it
// says so of a missing route, too.
func (e *optionalEndpoints) noteResult(route, object string, err error) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	switch {
	case err == nil:
		e.answered[route] = true
	case isProvenNotFound(err):
		if route == api.GroupRoute {
			e.lists.notFound[object] = err
		}
	case !slices.Contains(e.failed[route], object):
		e.failed[route] = append(e.failed[route], object)
		e.failure = cmp.Or(e.failure, err)
	}
	return err == nil
}

// isProvenNotFound reports whether the service itself says that there is no
// such object.
func isProvenNotFound(err error) bool {
	failure := reply.ErrorOf(err)
	return failure != nil && failure.Proves.NotFound == reply.NotFoundProven
}

// FailedRead returns, once, why an optional endpoint was not used; nil if none
// failed.
func (c *Client) FailedRead() error {
	c.optional.mutex.Lock()
	defer c.optional.mutex.Unlock()
	if c.optional.told {
		return nil
	}
	c.optional.told = c.optional.failure != nil
	return c.optional.failure
}

// readOptional reads an object from an optional endpoint. The result is nil if
// this deployment does not offer it, however it says so; half of the
// operation's time is left for the other endpoints. The error is that the
// operation has ended.
func readOptional[T any](
	ctx context.Context,
	c *Client,
	route, object string,
	read func(context.Context) (*T, error),
) (*T, error) {
	if !c.mayHave(route) {
		return nil, nil
	}
	bounded := ctx
	if deadline, is := wait.Deadline(ctx); is {
		bounded = wait.Within(ctx, c.clock, deadline.Sub(c.clock.Now())/2)
	}
	found, err := read(bounded)
	switch {
	case ctx.Err() != nil:
		return nil, err
	case c.optional.noteResult(route, object, err):
		return found, nil
	default:
		return nil, nil
	}
}

// GetOptional is Group from an optional endpoint.
func (s *Groups) GetOptional(ctx context.Context, id string) (*api.Group, error) {
	return readOptional(
		ctx,
		s.client,
		api.GroupRoute,
		id,
		func(ctx context.Context) (*api.Group, error) { return s.Get(ctx, id) },
	)
}

// mayReadAlone decides, with the client's mutex held, whether the next request
// for a character is for it alone, or for a page. The number of pages is not
// known before the last one: taken in turn, both together are at most twice as
// many as the cheaper ones alone, and one more.
func (s *Characters) mayReadAlone(list *characterList, id string) bool {
	if !s.client.mayHave(api.CharacterRoute) || list.alone[id] || int64(len(list.alone)) > list.pages {
		return false
	}
	list.alone[id] = true
	return true
}

// readAlone reads GET /characters/{character_id} into the shared list. Absence
// says nothing.
func (s *Characters) readAlone(ctx context.Context, id string) error {
	character, err := readOptional(
		ctx,
		s.client,
		api.CharacterRoute,
		id,
		func(ctx context.Context) (*api.Character, error) {
			return s.Get(ctx, id)
		},
	)
	if character != nil && character.ID == id {
		s.client.caller.noteOrganization(reply.ValueOf(character.OrganizationID))
		s.updateList(*character)
	}
	return err
}
