package purchases

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Decode returns the entries of a line, and whether all of it was read.
func Decode(line []byte) (entries []*Entry, isWhole bool) {
	found := new(decoder).decode(line, func(entry *Entry) { entries = append(entries, entry) })
	return entries, found.reason == "" && found.rest == "" && found.size == len(line)
}

// DecodeWritten and DecodeAny read an object by the two ways that a decoder has.
func DecodeWritten(object []byte) (*Entry, bool) {
	written := &writtenEntry{text: object, texts: &texts{}}
	entry := &Entry{}
	return entry, written.decode(entry) && written.at == len(object)
}

func DecodeAny(object []byte) (*Entry, bool) {
	entry, reason := decodeAny(object)
	return entry, reason == ""
}

// WrittenFields are the names that DecodeWritten knows, and FieldNames those
// that an entry and its origin have.
func WrittenFields() []string {
	return slices.Sorted(maps.Keys(entryFields))
}

func WrittenOriginFields() []string { return slices.Sorted(maps.Keys(originFields)) }

func FieldNames[T any]() (names []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
