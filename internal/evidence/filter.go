package evidence

import (
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// The interface does not name the query parameters that filter its lists. A
// service may ignore a filter, or refuse the request because of it. The list is
// then read without the filter, and filtered here.

// filter is a query parameter, with the facts that this run has learned about
// it.
type filter struct {
	name string

	// mutex is held during the first request, so that no two requests find out the
	// same fact.
	mutex   sync.Mutex
	known   bool
	refused bool
	why     error // the service's refusal
}

// filtered reads a list with the value wanted of a filter. Once the service has
// refused the filter, it reads the whole list, and isRefused is true. read
// takes the value of the filter; an empty value stands for no filter.
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

// learn finds out whether the service accepts the filter. The filter is refused
// if the service rejects the request with the filter, and answers it without.
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

// cannotFilter is the error for a list that neither the service nor the
// provider can filter.
func (f *filter) cannotFilter(what, fields string) error {
	return fmt.Errorf("the service refuses to filter by %s, and does not say of each %s what decides (%s), so that "+
		"none can be told from the others. Read them all, with the data source and without %[1]s, and choose by "+
		"hand. What the service said of %[1]s: %[4]w", f.name, what, fields, f.why)
}
