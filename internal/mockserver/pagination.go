package mockserver

import "iter"

// paginate returns one page of everything.
func paginate[T any](variant Pages, limit, offset int, everything iter.Seq[T]) ([]T, paginationBody) {
	page := paginationBody{Limit: limit, Offset: offset}
	var found []T
	room := limit
	position := 0
	if variant == PagesRepeating && limit > 1 {
		room-- // for the repeated element
	}
	for item := range everything {
		position++
		if position <= offset {
			continue
		}
		if len(found) == room {
			page.HasMore = true
			if variant == PagesOneTooMany {
				found = append(found, item)
			}
			break
		}
		found = append(found, item)
	}
	if last := len(found) - 1; room < limit && last >= 0 {
		found = append(found, found[last])
	}
	page.Returned = len(found)
	return found, page
}
