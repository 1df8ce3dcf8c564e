package framework

import "reflect"

// Recall is the one T of this plan or apply, zero at first: what the objects
// of one type have to know of each other, such as that a job is spoken for.
// T brings its own lock.
func Recall[T any](d *Data) *T {
	fresh := new(T)
	value, _ := d.memory.LoadOrStore(reflect.TypeFor[T](), fresh)
	if known, ok := value.(*T); ok {
		return known
	}
	return fresh
}
