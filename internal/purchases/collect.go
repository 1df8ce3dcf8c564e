package purchases

import (
	"context"
	"sync"
)

// collection holds the entries that an operation has begun.
type collection struct {
	object  string            // the buying object, by its name in private state
	labels  map[string]string // of the purchases
	mutex   sync.Mutex
	entries []*Entry
}

// collectionKey is the key of the collection in a context.
type collectionKey struct{}

// Collect prepares an operation that buys for an object, with its labels. The
// function bought returns the requests of everything that was bought, or may
// have been. The state remembers them, so that a later run knows that the state
// was stored.
func Collect(
	ctx context.Context, object string, labels map[string]string,
) (purchasing context.Context, bought func() []string) {
	collected := &collection{object: object, labels: labels}
	return context.WithValue(ctx, collectionKey{}, collected), func() (requests []string) {
		collected.mutex.Lock()
		defer collected.mutex.Unlock()
		for _, entry := range collected.entries {
			if entry.isBought() {
				requests = append(requests, entry.Request)
			}
		}
		return requests
	}
}

// objectOf returns the buying object of an operation that Collect has prepared.
func objectOf(ctx context.Context) string {
	if collected, is := ctx.Value(collectionKey{}).(*collection); is {
		return collected.object
	}
	return ""
}

// labelsOf returns the labels of the purchases in an operation that Collect has
// prepared.
func labelsOf(ctx context.Context) map[string]string {
	if collected, is := ctx.Value(collectionKey{}).(*collection); is {
		return collected.labels
	}
	return nil
}

// collect adds an entry to the operation of ctx.
func collect(ctx context.Context, entry *Entry) {
	if collected, is := ctx.Value(collectionKey{}).(*collection); is {
		collected.mutex.Lock()
		defer collected.mutex.Unlock()
		collected.entries = append(collected.entries, entry)
	}
}
