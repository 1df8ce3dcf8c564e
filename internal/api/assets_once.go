package api

import (
	"context"
	"sync"
)

// assetLists are the asset lists that all face images of a plan or apply
// share, by character and type.
type assetLists struct {
	mutex sync.Mutex
	lists map[[2]string]*assetList
}

type assetList struct {
	lazy[Assets]
	// begun is the client's count of mutations when the list was asked for.
	begun int64
}

// AssetsOnce is Assets, read once a character, type and client, and again once
// something was changed through this client. A failed read is repeated by the
// next caller.
func (c *Client) AssetsOnce(ctx context.Context, characterID, assetType string) (*Assets, error) {
	return c.assets.shared(characterID, assetType, c.mutations.Load()).
		get(ctx, func() (*Assets, error) { return c.Assets(ctx, characterID, assetType) })
}

func (l *assetLists) shared(characterID, assetType string, mutations int64) *assetList {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	key := [2]string{characterID, assetType}
	list := l.lists[key]
	if list == nil || list.begun != mutations {
		if l.lists == nil {
			l.lists = map[[2]string]*assetList{}
		}
		list = &assetList{begun: mutations}
		l.lists[key] = list
	}
	return list
}
