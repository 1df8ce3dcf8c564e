package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// extendedReads are the reads that only some deployments answer. They are sent if
// Config.ExtendedReads says that this one does, and save requests: what they do
// not show is read as without.
type extendedReads struct {
	mutex sync.Mutex
	// missing are the objects for which there seems to be no such route, by route.
	// untold are the failures because of which one was given up, and nobody was told.
	missing map[string][]string
	untold  []error
}

// ExtendedReads reports whether the configuration says that the deployment answers
// them.
func (c *Client) ExtendedReads() bool { return c.config.ExtendedReads }

// enough objects for which a route does not exist: one answer may be about the
// object.
const enough = 2

// offers reports whether a route is worth a request.
func (c *Client) offers(route string) bool {
	c.extended.mutex.Lock()
	defer c.extended.mutex.Unlock()
	return c.config.ExtendedReads && len(c.extended.missing[route]) < enough
}

// lacks reports whether an answer may mean that the service has no such route.
// It proves nothing about the object.
func (c *Client) lacks(route, object string, err error) bool {
	switch transport.Status(err) {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
	default:
		return false
	}
	c.extended.mutex.Lock()
	defer c.extended.mutex.Unlock()
	if c.extended.missing == nil {
		c.extended.missing = map[string][]string{}
	}
	objects := c.extended.missing[route]
	if slices.Contains(objects, object) {
		return true
	}
	if c.extended.missing[route] = append(objects, object); len(objects)+1 == enough {
		c.extended.untold = append(c.extended.untold, err)
	}
	return true
}

// MissingReads returns, once for each extended read that was given up, the last
// answer that there is no such thing.
func (c *Client) MissingReads() (answers []error) {
	c.extended.mutex.Lock()
	defer c.extended.mutex.Unlock()
	answers, c.extended.untold = c.extended.untold, nil
	return answers
}

// offered makes a read of an object that only some deployments answer: nil where this
// one does not.
func offered[T any](c *Client, route, object string, read func() (*T, error)) (found *T, err error) {
	if !c.offers(route) {
		return nil, nil
	}
	found, err = read()
	if err != nil && c.lacks(route, object, err) {
		return nil, nil
	}
	return found, err
}

// OfferedGroups is Groups as an extended read.
func (c *Client) OfferedGroups(ctx context.Context, characterID string) (*GroupList, error) {
	return offered(c, groupsRoute, characterID, func() (*GroupList, error) { return c.Groups(ctx, characterID) })
}

// OfferedGroup is Group as an extended read.
func (c *Client) OfferedGroup(ctx context.Context, id string) (*Group, error) {
	return offered(c, groupRoute, id, func() (*Group, error) { return c.Group(ctx, id) })
}

const characterRoute = "/characters/{character_id}"

// mayReadAlone decides, with the client's mutex held, whether the next request for
// a character is for it alone, or for a page. The number of pages is not known
// before the last one: taken in turn, both together are at most twice as many as
// the cheaper ones alone, and one more.
func (c *Client) mayReadAlone(list *characterList, id string) bool {
	if !c.offers(characterRoute) || !list.alone[id] && int64(len(list.alone)) > list.pages {
		return false
	}
	list.alone[id] = true
	return true
}

// readAlone reads GET /characters/{character_id} into the shared list. That the
// character is not there says nothing.
func (c *Client) readAlone(ctx context.Context, id string) error {
	_, err := c.characters.Get(ctx, id)
	if _, is := errors.AsType[*Error](err); err != nil && !is {
		return &Error{Operation: "GET /characters/" + id, Err: err}
	}
	return err
}

func (c *Client) characterAlone(ctx context.Context, id string) (shown bool, err error) {
	reply, err := c.do(ctx, transport.Get(characterRoute, id).Expect("character_id", "name"))
	if err != nil && c.lacks(characterRoute, id, err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	character := decodeCharacter(reply)
	if character.ID != id {
		return false, nil
	}
	c.transport.Owns(value(character.OrganizationID))
	c.remember(character)
	return true, nil
}

// Success reports whether the generation has ended with results.
func (g *Generation) Success() bool {
	return g != nil && g.Phase() == Succeeded && slices.ContainsFunc(g.ResultURLs, func(address string) bool { return address != "" })
}
