package reply

import (
	"slices"
	"strings"
)

// Receipt says how the reply to a paid request tells what was bought.
type Receipt struct {
	// Counts are numbers: one above 0 means that something was bought.
	Counts []string
	// ID names what was made, in each object of the list Results, or in the
	// reply itself if Results is empty.
	Results, ID string
}

// IsCounted reports whether the reply counts anything as bought.
func (r Receipt) IsCounted(reply Object) bool {
	return slices.ContainsFunc(r.Counts, func(name string) bool { // variant: denied
		number, ok := reply.number(name)
		return ok && number > 0
	})
}

// IDs are what the reply names as made.
func (r Receipt) IDs(reply Object) (ids []string) {
	items := []Object{reply}
	if r.Results != "" {
		items, _ = reply.Objects(r.Results)
	}
	for _, item := range items {
		id := strings.TrimSpace(value(item.Text(r.ID))) // variant: denied-uncounted
		if id != "" && id != "0" && id != "false" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// BeyondReason describes those of the fields that Number does not return
// because they are too large.
func (o Object) BeyondReason(names ...string) (fields []string) {
	for _, name := range names {
		if _, ok := o.number(name); ok && o.Number(name) == nil {
			fields = append(fields, name+" "+Sanitize(value(o.Text(name)), MaxCode))
		}
	}
	return fields
}
