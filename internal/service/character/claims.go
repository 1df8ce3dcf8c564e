package character

import (
	"maps"
	"slices"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// claims are what one plan or apply knows of the assets of each character: a
// lost upload adopts none that belongs to an image, or that was there before.
type claims struct {
	mutex      sync.Mutex
	characters map[string]*claimed
}

type claimed struct {
	taken  map[string]bool // by an image, so that no other adopts it too
	listed map[string]bool // by lists so far
	whole  bool            // one of them was complete
}

// knownAssets are those that a lost upload cannot be. Whole tells that any
// other is newer; without it an asset must prove its age.
type knownAssets struct {
	IDs   []string `json:"ids"`
	Whole bool     `json:"whole"`
}

// take claims an asset and reports whether nobody had.
func (c *claims) take(character, id string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	of := c.of(character)
	if of.taken[id] {
		return false
	}
	of.taken[id] = true
	return true
}

// has reports whether somebody has claimed the asset.
func (c *claims) has(character, id string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.of(character).taken[id]
}

// list remembers what a list has shown.
func (c *claims) list(character string, assets *api.Assets) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	of := c.of(character)
	of.whole = of.whole || assets.Complete
	for i := range assets.Items {
		if id := assets.Items[i].ID; id != nil {
			of.listed[*id] = true
		}
	}
}

// known are the assets that were listed so far.
func (c *claims) known(character string) knownAssets {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	of := c.of(character)
	return knownAssets{IDs: slices.Sorted(maps.Keys(of.listed)), Whole: of.whole}
}

// with adds those that images have claimed: only this plan or apply knows of
// all of them.
func (c *claims) with(character string, known knownAssets) knownAssets {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for id := range c.of(character).taken {
		if !slices.Contains(known.IDs, id) {
			known.IDs = append(known.IDs, id)
		}
	}
	slices.Sort(known.IDs)
	return known
}

func (c *claims) of(character string) *claimed {
	if c.characters == nil {
		c.characters = map[string]*claimed{}
	}
	if c.characters[character] == nil {
		c.characters[character] = &claimed{taken: map[string]bool{}, listed: map[string]bool{}}
	}
	return c.characters[character]
}
