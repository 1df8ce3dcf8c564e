package framework

import "sync"

// Claims remembers, for one plan or apply, which of the service's objects
// belong to a resource already, so that two resources whose replies were lost
// do not both adopt the same object.
type Claims struct {
	mutex sync.Mutex
	taken map[string]bool
}

// Take claims an object and reports whether nobody had.
func (c *Claims) Take(id string) bool {
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

// Taken reports whether somebody has claimed the object.
func (c *Claims) Taken(id string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.taken[id]
}
