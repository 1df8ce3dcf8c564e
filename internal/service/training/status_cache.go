package training

import (
	"context"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// statusCache has the training statuses that one plan or apply has read: one
// request a character, until something changes it. It is for refreshing and
// planning; whoever is about to pay reads afresh.
type statusCache struct {
	mutex       sync.Mutex
	byCharacter map[string]*cachedStatus
}

type cachedStatus struct {
	reading wait.ContextMutex
	status  *api.TrainingStatus
	version int // counts the invalidations
}

func statusesOf(data *framework.Data) *statusCache { return framework.Recall[statusCache](data) }

// get reads a character's status unless it is known. A failed read is repeated
// by the next caller, and one that was overtaken by a change is not kept.
func (c *statusCache) get(ctx context.Context, client *api.Client, characterID string) (*api.TrainingStatus, error) {
	cached := c.entry(characterID)
	if err := cached.reading.Lock(ctx); err != nil {
		return nil, err
	}
	defer cached.reading.Unlock()
	c.mutex.Lock()
	known, version := cached.status, cached.version
	c.mutex.Unlock()
	if known != nil {
		return known, nil
	}
	status, err := client.TrainingStatus(ctx, characterID)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err == nil && version == cached.version {
		cached.status = status
	}
	return status, err
}

func (c *statusCache) invalidate(characterID string) {
	cached := c.entry(characterID)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	cached.status = nil
	cached.version++
}

func (c *statusCache) entry(characterID string) *cachedStatus {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.byCharacter == nil {
		c.byCharacter = map[string]*cachedStatus{}
	}
	if c.byCharacter[characterID] == nil {
		c.byCharacter[characterID] = new(cachedStatus)
	}
	return c.byCharacter[characterID]
}
