package api

import (
	"maps"
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

// KnownAssets sends nothing. An upload that begins later cannot have made any of
// them.
func (c *Client) KnownAssets(characterID string) KnownAssets { return c.assetLists.of(characterID) }

// assetLists are what the lists of this client have shown, by character.
type assetLists struct {
	mutex sync.Mutex
	ids   map[string]map[string]bool
	whole map[string]bool
}

func (l *assetLists) note(characterID string, items []Asset, whole bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.ids == nil {
		l.ids, l.whole = map[string]map[string]bool{}, map[string]bool{}
	}
	if l.ids[characterID] == nil {
		l.ids[characterID] = map[string]bool{}
	}
	for i := range items {
		if id := items[i].ID; id != nil {
			l.ids[characterID][*id] = true
		}
	}
	l.whole[characterID] = l.whole[characterID] || whole
}

func (l *assetLists) of(characterID string) KnownAssets {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return KnownAssets{IDs: slices.Sorted(maps.Keys(l.ids[characterID])), Whole: l.whole[characterID]}
}
