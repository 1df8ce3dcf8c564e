package framework

import (
	"maps"
	"slices"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Claims record which assets belong to a resource of this plan or apply, so that no
// other adopts them. The zero value is empty.
type Claims struct {
	mutex      sync.Mutex
	characters map[string]*characterClaims
}

type characterClaims struct {
	by     map[string]Claim
	create wait.ContextMutex
}

// Claim says who claims an asset. There may be several claims on one.
type Claim uint8

const (
	// ByState says that a refresh has found it in the state. No plan announces
	// that another resource adopts it, and no refresh assigns it to another.
	ByState Claim = 1 << iota
	// ByApply says that this apply has created or adopted it, or cancels or forgets
	// it. No other create may adopt it.
	ByApply
	// ByAnyone is any of those who have it.
	ByAnyone = ByState | ByApply
)

// Claim adds a claim, and reports whether it is the first.
func (c *Claims) Claim(characterID, id string, by Claim) (first bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	of := c.of(characterID)
	first = of.by[id] == 0
	of.by[id] |= by
	return first
}

// IsClaimed reports whether any of these claims exists.
func (c *Claims) IsClaimed(characterID, id string, by Claim) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.of(characterID).by[id]&by != 0
}

// Claimed returns the sorted ids of everything claimed of a character.
func (c *Claims) Claimed(characterID string) []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.Sorted(maps.Keys(c.of(characterID).by))
}

// CreateMutex returns the mutex of a character that a create holds while it
// looks for something to adopt, or creates it.
func (c *Claims) CreateMutex(characterID string) *wait.ContextMutex {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return &c.of(characterID).create
}

func (c *Claims) of(characterID string) *characterClaims {
	if c.characters == nil {
		c.characters = map[string]*characterClaims{}
	}
	if c.characters[characterID] == nil {
		c.characters[characterID] = &characterClaims{by: map[string]Claim{}}
	}
	return c.characters[characterID]
}
