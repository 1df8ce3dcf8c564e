package prompts

// Value is what a plan or a state has of an attribute: nothing, a value, or that only
// the apply will know it. The zero Value is null.
type Value[T comparable] struct {
	value T
	has   presence
}

type presence uint8

const (
	null presence = iota
	known
	unknown
)

// Known returns a known value.
func Known[T comparable](value T) Value[T] { return Value[T]{value, known} }

// Unknown returns a value that only the apply will know.
func Unknown[T comparable]() Value[T] { return Value[T]{has: unknown} }

// Get returns the value, and the zero value of its type if it is null or unknown.
func (v Value[T]) Get() T { return v.value }

// Pointer returns nil unless there is a value.
func (v Value[T]) Pointer() *T {
	if !v.IsKnown() {
		return nil
	}
	return &v.value
}

// IsNull reports whether there is none.
func (v Value[T]) IsNull() bool { return v.has == null }

// IsKnown reports whether there is one.
func (v Value[T]) IsKnown() bool { return v.has == known }

// IsUnknown reports whether only the apply will know.
func (v Value[T]) IsUnknown() bool { return v.has == unknown }
