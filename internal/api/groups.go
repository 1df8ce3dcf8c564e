package api

import (
	"net/url"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

const (
	// GroupsRoute is the route of the list of groups, which a deployment may lack.
	GroupsRoute = "/generation/groups"
	// GroupRoute is the route of the list of a group's generations.
	GroupRoute = "/generation/groups/{group_id}"

	// namedGroup is the field of an error body that holds the id of a group.
	namedGroup = "group_id"

	// ListedPerRequest is the number of a group's generations that one request
	// shows.
	ListedPerRequest = 200
)

// Group is a group of generations. It is read from the list of groups, or from
// the list of the group's generations.
type Group struct {
	ID                            string `reply:"group_id"`
	Title, CharacterID, CreatedAt *string
	GroupType                     *reply.Text
	GenerationCount               *int64
	// Generations are read from the list of the group's generations, in the
	// service's order. They have neither an error nor a progress. If AllListed is
	// false, a generation that is missing here may exist.
	Generations []*Generation `reply:"-"`
	AllListed   bool
}

// NamedGroup returns the id of the group that an error of the service names.
// The group may belong to anybody.
func NamedGroup(err error) string {
	if failure := reply.ErrorOf(err); failure != nil {
		return failure.Said.Named[namedGroup] // variant: error-group-id
	}
	return ""
}

// ByID returns the generations by their ids. A nil group has none.
func (g *Group) ByID() map[string]*Generation {
	shown := map[string]*Generation{}
	if g != nil {
		for _, generation := range g.Generations {
			shown[*generation.GenerationID] = generation
		}
	}
	return shown
}

// List returns GET /generation/groups: the groups of a character, or all groups
// if characterID is empty.
func (s *GroupService) List(characterID string) List[Group] {
	request := func(query url.Values) *transport.Request {
		if characterID != "" {
			query.Set("character_id", characterID)
		}
		return transport.Get(GroupsRoute).
			Optional("Do without extended_reads.").
			Query(query).
			Expect("groups", "group_id")
	}
	return List[Group]{
		Size:      PageSize,
		client:    s.client,
		request:   request,
		name:      "groups",
		id:        "group_id",
		hasErrors: true,
	}
}

// MayBeOf reports whether the group may belong to a character, because a
// service may ignore the filter. An empty id stands for any character.
func (g Group) MayBeOf(characterID string) bool {
	return characterID == "" || g.CharacterID == nil || *g.CharacterID == characterID
}

// Generations returns GET /generation/groups/{group_id}, the list of a group's
// generations.
func (s *GroupService) Generations(id string) List[Generation] {
	request := func(query url.Values) *transport.Request {
		return transport.Get(GroupRoute, id).
			Optional("Do without extended_reads.").
			Query(query).
			Expect("generations", "generation_id")
	}
	return List[Generation]{
		Size:      ListedPerRequest,
		client:    s.client,
		request:   request,
		name:      "generations",
		id:        "generation_id",
		hasErrors: true,
	}
}

// GroupOf reads the group's own fields from the list of its generations.
func GroupOf(said reply.Object, id string) *Group {
	group := decode[Group](said)
	group.ID = id
	return group
}
