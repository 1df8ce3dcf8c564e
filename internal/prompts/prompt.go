package prompts

import (
	"cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// Value is what a plan or a state has of an attribute: a value, unknown, or
// null, as the zero Value.
type Value[T comparable] struct {
	value          T
	known, unknown bool
}

// Known returns a known value.
func Known[T comparable](value T) Value[T] { return Value[T]{value: value, known: true} }

// Unknown returns a value that only the apply will know.
func Unknown[T comparable]() Value[T] { return Value[T]{unknown: true} }

// Get returns the value, and the zero value of its type if it is null or
// unknown.
func (v Value[T]) Get() T { return v.value }

// Pointer returns nil unless there is a value.
func (v Value[T]) Pointer() *T {
	if !v.known {
		return nil
	}
	return &v.value
}

// IsNull reports whether there is none.
func (v Value[T]) IsNull() bool { return !v.known && !v.unknown }

// IsKnown reports whether there is one.
func (v Value[T]) IsKnown() bool { return v.known }

// IsUnknown reports whether only the apply will know.
func (v Value[T]) IsUnknown() bool { return v.unknown }

// Prompt is the configuration of a prompt: its inputs, which inputs lists. Plans
// compare it by IsSame.
type Prompt struct {
	Text           Value[string]
	FaceSwap       Value[bool]
	UseFaceLoRA    Value[bool]
	UseBodyLoRA    Value[bool]
	SourceImageURL Value[string]
	Take           Value[int64]
}

// Wanted returns the prompt with what it means where it says nothing: no take
// is the first.
func (p Prompt) Wanted() Prompt {
	for _, input := range inputs {
		input.fill(&p)
	}
	return p
}

// shownText is what is compared with the text that the service shows: that of
// the prompt, else the address of its photo.
func (p Prompt) shownText() string { return cmp.Or(p.Text.Get(), p.SourceImageURL.Get()) }

// IsSame reports whether another prompt has the same inputs, however they are
// written.
func (p Prompt) IsSame(other Prompt) bool { return p.isAs(other, meaning) }

// IsRespelled reports whether only white space and case of the text were
// changed.
func (p Prompt) IsRespelled(former Prompt) bool {
	return !p.IsSame(former) && p.isAs(former, butSpelling)
}

// IsRequeried reports whether only the query of the photo's address was changed.
func (p Prompt) IsRequeried(former Prompt) bool { return !p.IsSame(former) && p.isAs(former, butQuery) }

// isAs compares every input.
func (p Prompt) isAs(other Prompt, by comparison) bool {
	for _, input := range inputs {
		if !input.isSame(&p, &other, by) {
			return false
		}
	}
	return true
}

// isSentAs reports whether the service is told the same of two prompts.
func (p Prompt) isSentAs(other Prompt) bool {
	for _, input := range inputs {
		if !input.unsent && !input.isSame(&p, &other, meaning) {
			return false
		}
	}
	return true
}

// AsStored returns the prompt with the inputs as they are stored, where they are
// the same.
func (p Prompt) AsStored(stored Prompt) Prompt {
	for _, input := range inputs {
		input.keep(&p, &stored)
	}
	return p
}

// key is equal for all prompts that are the same, and for some others.
func (p Prompt) key() Prompt {
	for _, input := range inputs {
		input.toKey(&p)
	}
	return p
}

// readKey is equal for all prompts of which an import would have read the same
// words.
func (p Prompt) readKey() Prompt { return Prompt{Text: Known(words(same.Unescaped(p.shownText())))} }

// IsKnown reports whether all that the purchase depends on is known.
func (p Prompt) IsKnown() bool {
	for _, input := range inputs {
		if input.isUnknown(&p) {
			return false
		}
	}
	return true
}

// mayBe reports whether p can be the prompt that an import has read. An import
// reads at most the text, as the service repeats it; a null field was not read
// and matches anything.
func (p Prompt) mayBe(imported Prompt) bool {
	for _, input := range inputs {
		if !input.mayBe(&imported, &p) {
			return false
		}
	}
	return true
}

// statusUnconfirmed is the status of what may have been bought.
const statusUnconfirmed = "unconfirmed"

// Generation is what became of one prompt, as far as plans need it.
type Generation struct {
	ID         Value[string]
	Status     Value[string]
	Succeeded  Value[bool]
	Error      Value[string]
	Attempts   Value[int64]
	ResultURLs []string
	// AtFullProgress: a status that showed full progress has shown the results.
	AtFullProgress bool
}

// Unsubmitted returns a prompt of which the service has nothing.
func Unsubmitted(attempts int64) Generation { return Generation{Attempts: Known(attempts)} }

// NewGeneration returns a generation of which only the id is known.
func NewGeneration(id string) Generation { return Generation{ID: Known(id), Attempts: Known(int64(1))} }

// Unconfirmed returns a prompt that may have been bought, and says why.
func Unconfirmed(attempts int64, reason string) Generation {
	return Generation{
		Status:   Known(statusUnconfirmed),
		Error:    Known(reason),
		Attempts: Known(attempts),
	}
}

// ToBeBought is the plan of a generation that will cost credits: unknown as a
// whole.
func ToBeBought() Generation {
	return Generation{
		ID:        Unknown[string](),
		Status:    Unknown[string](),
		Succeeded: Unknown[bool](),
		Error:     Unknown[string](),
		Attempts:  Unknown[int64](),
	}
}
