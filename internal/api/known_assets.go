package api

import (
	"slices"
	"sync"
)

// KnownAssets are those of a character that the lists of this client have shown
// so far.
type KnownAssets struct {
	IDs []string `json:"ids"`
	// Whole: one of the lists had all assets, so that any other is newer.
	Whole bool `json:"whole"`
}

// assetLists are what the lists of this client have shown, by character.
type assetLists struct {
	mutex sync.Mutex
	known map[string]KnownAssets
}

// KnownAssets sends nothing. An upload that begins later cannot have made any of
// them.
func (c *Client) KnownAssets(characterID string) KnownAssets {
	c.assetLists.mutex.Lock()
	defer c.assetLists.mutex.Unlock()
	return c.assetLists.known[characterID]
}

func (l *assetLists) note(characterID string, items []Asset, whole bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	known := KnownAssets{IDs: slices.Clone(l.known[characterID].IDs), Whole: whole || l.known[characterID].Whole}
	for i := range items {
		if id := items[i].ID; id != nil {
			known.IDs = append(known.IDs, *id)
		}
	}
	slices.Sort(known.IDs)
	known.IDs = slices.Compact(known.IDs)
	if l.known == nil {
		l.known = map[string]KnownAssets{}
	}
	l.known[characterID] = known
}
