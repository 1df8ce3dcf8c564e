package evidence

import (
	"context"
	"iter"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// maxWithoutTotal limits the length of a group's list that does not say how
// many generations the group has.
const maxWithoutTotal = 100 * api.ListedPerRequest

// Groups are the groups that a run reads, if the deployment shows them.
type Groups struct {
	*api.GroupService
	client *Client
}

// Each reads the groups of a character, or all groups if characterID is empty.
// It reads pages only when they are needed. It ends with ErrIncompleteList if
// the pages contradict each other.
func (s *Groups) Each(ctx context.Context, characterID string) iter.Seq2[api.Group, error] {
	return func(yield func(api.Group, error) bool) {
		for group, err := range newPager(s.List(characterID)).all(ctx) {
			if (err != nil || group.MayBeOf(characterID)) && !yield(group, err) {
				return
			}
		}
	}
}

// Some reads one page of the groups of a character, for a person to search. It
// returns nil if nothing was read.
func (s *Groups) Some(ctx context.Context, characterID string) ([]api.Group, error) {
	read, err := readOptional(
		ctx,
		s.client,
		api.GroupsRoute,
		characterID,
		func(ctx context.Context) (*api.Page[api.Group], error) {
			return s.List(characterID).Read(ctx, new(int64(api.PageSize)), nil)
		},
	)
	if read == nil {
		return nil, err
	}
	return slices.DeleteFunc(
		read.Items,
		func(group api.Group) bool { return group.ID == "" || !group.MayBeOf(characterID) },
	), err
}

// Get reads the list of a group's generations. It fails with ErrIncompleteList
// if the pages show more generations than they count.
func (s *Groups) Get(ctx context.Context, id string) (*api.Group, error) {
	read := newPager(s.Generations(id))
	shown := 0
	ends := true
	err := read.until(ctx, func() bool {
		if all := len(read.order); all > shown {
			count := read.last.Integer("generation_count")
			shown = all
			ends = count == nil && all < maxWithoutTotal || int64(all) <= reply.ValueOf(count)
		}
		return read.ended || !ends
	})
	if err == nil && !ends {
		err = &reply.Error{Sent: reply.Request{Operation: read.operation}, Err: ErrIncompleteList}
	}
	if err != nil {
		return nil, err
	}
	group := api.GroupOf(read.last, id)
	for _, id := range read.order {
		group.Generations = append(group.Generations, read.byID[id])
	}
	group.AllListed = !read.inconsistent && group.GenerationCount != nil &&
		*group.GenerationCount == int64(len(group.Generations))
	return group, nil
}
