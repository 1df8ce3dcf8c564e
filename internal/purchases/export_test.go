package purchases

// Decode returns the entries of a line, and whether all of it was read.
func Decode(line []byte) (entries []*Entry, isWhole bool) {
	found := decode(line, func(entry *Entry) { entries = append(entries, entry) })
	return entries, found.reason == "" && found.rest == "" && found.size == len(line)
}
