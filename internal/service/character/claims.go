package character

import "sync"

// claims are the assets that belong to an image already, in one plan or apply,
// so that two images whose replies were lost do not both adopt the same asset.
type claims struct {
	mutex sync.Mutex
	taken map[string]bool
}

// take claims an asset and reports whether nobody had.
func (c *claims) take(id string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.taken[id] {
		return false
	}
	if c.taken == nil {
		c.taken = map[string]bool{}
	}
	c.taken[id] = true
	return true
}

// has reports whether somebody has claimed the asset.
func (c *claims) has(id string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.taken[id]
}
