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
// only if Config.ExtendedReads says that the deployment offers them. They save
// requests: if they fail to show an object, the other endpoints are read.
type optionalEndpoints struct {
	mutex    sync.Mutex
	failed   map[string][]string // the objects for which a route has failed
	answered map[string]bool     // the routes that have shown an object
	missing  map[string]bool     // the routes that the deployment lacks
	lists    groupLists
	failure  error // the first failure
	told     bool  // FailedRead has returned the failure
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
// answers the optional endpoints.
func (c *Client) ExtendedReads() bool { return c.config.ExtendedReads }

// mayHave reports whether a route is worth a request. A single failure does not
// count against the route, because the cause may be the object.
func (c *Client) mayHave(route string) bool {
	c.optional.mutex.Lock()
	defer c.optional.mutex.Unlock()
	return c.config.ExtendedReads && !c.optional.missing[route] && len(c.optional.failed[route]) < 2
}

// noteResult records the result of a read, and reports whether the read has
// succeeded. A 404 from the service itself does not count against the route: it
// may mean a missing object or a missing route.
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

// isProvenNotFound reports whether the service itself has answered that the
// object does not exist.
func isProvenNotFound(err error) bool {
	failure := reply.ErrorOf(err)
	return failure != nil && failure.Proves.NotFound == reply.NotFoundProven
}

// FailedRead returns why an optional endpoint was not used, or nil if none has
// failed. It returns the reason only once.
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
// the deployment does not offer the endpoint, whichever way it says so. The
// read may take half of the operation's time, so that the other endpoints have
// the other half. The error is nil unless the operation has ended.
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

// GetOptional is Get for a deployment that may lack the endpoint.
func (s *Groups) GetOptional(ctx context.Context, id string) (*api.Group, error) {
	return readOptional(
		ctx,
		s.client,
		api.GroupRoute,
		id,
		func(ctx context.Context) (*api.Group, error) { return s.Get(ctx, id) },
	)
}

// mayReadAlone decides whether the next request reads the character alone, or a
// page of the list. The caller holds the client's mutex. The number of pages is
// unknown until the last page, so the two kinds of requests alternate. Together
// they are at most twice the number of the cheaper kind, plus one.
func (s *Characters) mayReadAlone(list *characterList, id string) bool {
	if !s.client.mayHave(api.CharacterRoute) || list.alone[id] || int64(len(list.alone)) > list.pages {
		return false
	}
	list.alone[id] = true
	return true
}

// readAlone reads GET /characters/{character_id} into the shared list. A 404
// proves nothing: the deployment may lack the route.
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
