package evidence

import (
	"cmp"
	"context"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Candidate is an object in a list that an unconfirmed request may have made.
type Candidate struct {
	ID        string
	CreatedAt reply.Text
}

// knownID identifies a character or an asset of a character. characterID is
// empty for a character.
type knownID struct{ characterID, id string }

// note remembers an object that a list has shown, or that this process has
// made. An object that a lost request may have made is not noted as made.
func (c *Client) note(owner, id string, made bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	known := knownID{owner, id}
	c.known[known] = made || c.known[known]
}

// Known returns the ids of a character's assets that this client has read or
// made. With an empty characterID, it returns the ids of characters. It sends
// nothing.
func (c *Client) Known(characterID string) (ids []string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for known := range c.known {
		if known.characterID == characterID {
			ids = append(ids, known.id)
		}
	}
	return ids
}

// IsKnown reports whether this client has read or made a character. It sends
// nothing.
func (s *Characters) IsKnown(id string) bool {
	s.client.mutex.Lock()
	defer s.client.mutex.Unlock()
	_, isKnown := s.client.known[knownID{id: id}]
	return isKnown
}

// Since reads the list and returns the characters that are not in before and
// that this client has not made.
func (s *Characters) Since(ctx context.Context, before []string) (found []Candidate, err error) {
	for character, failure := range s.Each(ctx) {
		found = append(found, Candidate{character.ID, reply.Text(reply.ValueOf(character.CreatedAt))})
		err = failure
	}
	return s.client.since("", before, found), err
}

// Since reads the assets of a type and returns those that are not in before and
// that this client has not made.
func (s *Images) Since(
	ctx context.Context,
	characterID, assetType string,
	before []string,
) (found []Candidate, err error) {
	assets, err := s.List(ctx, characterID, assetType)
	if err != nil {
		return nil, err
	}
	for _, asset := range assets.Items {
		found = append(found, Candidate{reply.ValueOf(asset.ID), reply.Text(reply.ValueOf(asset.CreatedAt))})
	}
	return s.client.since(characterID, before, found), nil
}

// since returns the new candidates, the newest first if the service shows when
// they were created.
func (c *Client) since(owner string, before []string, listed []Candidate) []Candidate {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	found := slices.DeleteFunc(listed, func(seen Candidate) bool {
		return seen.ID == "" || slices.Contains(before, seen.ID) || c.known[knownID{owner, seen.ID}]
	})
	slices.SortStableFunc(found, func(a, b Candidate) int { return cmp.Compare(b.CreatedAt, a.CreatedAt) })
	return found
}
