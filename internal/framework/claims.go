package framework

import (
	"maps"
	"slices"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Claims say which training jobs, or which assets, belong to a resource of this
// plan or apply, so that no other adopts them. The zero value has none.
type Claims struct {
	mutex      sync.Mutex
	characters map[string]*characterClaims
}

type characterClaims struct {
	by     map[string]Claim
	create wait.ContextMutex
}

// Claim is who says that a job or asset is its own. There may be several.
type Claim uint8

const (
	// ByState says that a refresh has found it in the state. No plan announces
	// that another resource adopts it, and no refresh gives it to another.
	ByState Claim = 1 << iota
	// ByCreate says that it was made or adopted. No other create may adopt it,
	// and the destroy of a predecessor leaves it alone.
	ByCreate
	// ByDestroy says that it is being cancelled or forgotten. Nobody may adopt it
	// then.
	ByDestroy
	// ByAnyone is each of them.
	ByAnyone = ByState | ByCreate | ByDestroy
)

// Claim notes a claim, and reports whether it is the first.
func (c *Claims) Claim(characterID, id string, by Claim) (first bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	of := c.of(characterID)
	first = of.by[id] == 0
	of.by[id] |= by
	return first
}

// IsClaimed reports whether there is one of these claims.
func (c *Claims) IsClaimed(characterID, id string, by Claim) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.of(characterID).by[id]&by != 0
}

// Claimed are the sorted ids of everything of a character that is claimed.
func (c *Claims) Claimed(characterID string) []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.Sorted(maps.Keys(c.of(characterID).by))
}

// CreateMutex is held by the one create of a character that looks for what it
// can adopt, or makes it.
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
