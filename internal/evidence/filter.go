package evidence

import (
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// The interface does not show by which query parameters its lists can be
// filtered. A service may ignore one, or refuse the request because of it: then
// the list is read without, and filtered here.

// filter is a query parameter, and what is known of it in this run.
type filter struct {
	name string

	// mutex is held while the first request is on its way, so that no two learn
	// the same.
	mutex   sync.Mutex
	known   bool
	refused bool
	why     error // what the service said to it
}

// filtered reads a list with the value wanted of a filter. From when the service
// has refused the filter, it reads the list without: isRefused. read takes the
// value of the filter, and none if it is empty.
func filtered[T any](
	f *filter, read func(wanted string) (T, error), wanted string,
) (list T, isRefused bool, err error) {
	f.mutex.Lock()
	if !f.known {
		defer f.mutex.Unlock()
		return learn(f, read, wanted)
	}
	isRefused = f.refused
	f.mutex.Unlock()
	if isRefused {
		wanted = ""
	}
	list, err = read(wanted)
	return list, isRefused, err
}

// learn finds out whether the service takes the filter: it does not if it
// answers the same request without it.
func learn[T any](
	f *filter, read func(wanted string) (T, error), wanted string,
) (list T, isRefused bool, err error) {
	list, err = read(wanted)
	refusals := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	if !slices.Contains(refusals, reply.Status(err)) || reply.IsLimited(err) {
		f.known = err == nil
		return list, false, err
	}
	f.why = err // variant: filters-refused
	list, err = read("")
	f.refused = err == nil
	f.known = f.refused
	return list, f.refused, err
}

// cannotFilter is the error of a list that can be filtered neither there nor
// here.
func (f *filter) cannotFilter(what, fields string) error {
	return fmt.Errorf("the service refuses to filter by %s, and does not say of each %s what decides (%s), so that "+
		"none can be told from the others. Read them all, with the data source and without %[1]s, and choose by "+
		"hand. What the service said of %[1]s: %[4]w", f.name, what, fields, f.why)
}
