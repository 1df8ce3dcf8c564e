package api

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
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

// ListedPerRequest is how many generations of a group one request shows.
const ListedPerRequest = 200

// GroupGenerations reads GET /generation/groups/{group_id}, where the deployment
// has it, and returns the generations that it shows, by their ids. They have
// neither an error nor a progress. That one is missing says nothing.
func (c *Client) GroupGenerations(ctx context.Context, groupID string) (map[string]*Generation, error) {
	const route = "/generation/groups/{group_id}"
	shown := map[string]*Generation{}
	for offset, more := 0, c.offers(route); more; {
		query := url.Values{"limit": {strconv.Itoa(ListedPerRequest)}, "offset": {strconv.Itoa(offset)}}
		reply, err := c.do(ctx, transport.Get(route, groupID).Query(query).Expect("generations", "group_id"))
		if err != nil && c.lacks(route, groupID, err) {
			return shown, nil
		}
		if err != nil {
			return nil, err
		}
		items, _ := reply.Objects("generations")
		before := len(shown)
		for _, item := range items {
			if generation := decodeGeneration(item); value(generation.GenerationID) != "" {
				shown[*generation.GenerationID] = generation
			}
		}
		offset += len(items)
		more = len(shown) > before && decodePagination(reply).more(len(items))
	}
	return shown, nil
}

// Success reports whether the generation has ended with results.
func (g *Generation) Success() bool {
	return g != nil && g.Phase() == Succeeded && slices.ContainsFunc(g.ResultURLs, func(address string) bool { return address != "" })
}
