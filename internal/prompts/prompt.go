package prompts

import (
	"cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// Value is the value of an attribute in a plan or a state: a known value,
// unknown, or null, which is the zero Value.
type Value[T comparable] struct {
	value          T
	known, unknown bool
}

// Known returns a known value.
func Known[T comparable](value T) Value[T] { return Value[T]{value: value, known: true} }

// Unknown returns a value that only the apply will know.
func Unknown[T comparable]() Value[T] { return Value[T]{unknown: true} }

// Get returns the value; the zero value of its type if the value is null or
// unknown.
func (v Value[T]) Get() T { return v.value }

// Pointer returns nil unless the value is known.
func (v Value[T]) Pointer() *T {
	if !v.known {
		return nil
	}
	return &v.value
}

// IsNull reports whether there is no value.
func (v Value[T]) IsNull() bool { return !v.known && !v.unknown }

// IsKnown reports whether the value is known.
func (v Value[T]) IsKnown() bool { return v.known }

// IsUnknown reports whether only the apply will know the value.
func (v Value[T]) IsUnknown() bool { return v.unknown }

// Prompt is the configuration of a prompt. Its inputs are listed in inputs.
// Plans compare prompts by IsSame.
type Prompt struct {
	Text           Value[string]
	FaceSwap       Value[bool]
	UseFaceLoRA    Value[bool]
	UseBodyLoRA    Value[bool]
	SourceImageURL Value[string]
	Take           Value[int64]
}

// Wanted returns the prompt with defaults for missing values: without a take,
// the first.
func (p Prompt) Wanted() Prompt {
	for _, input := range inputs {
		input.fill(&p)
	}
	return p
}

// shownText returns the text that is compared with the text that the service
// shows: the prompt's text, else the address of its photo.
func (p Prompt) shownText() string { return cmp.Or(p.Text.Get(), p.SourceImageURL.Get()) }

// IsSame reports whether both prompts have the same inputs, in any notation.
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

// isSentAs reports whether both prompts are equal in every input that is sent.
func (p Prompt) isSentAs(other Prompt) bool {
	for _, input := range inputs {
		if !input.unsent && !input.isSame(&p, &other, meaning) {
			return false
		}
	}
	return true
}

// AsStored returns the prompt with each input in its stored form if both mean
// the same.
func (p Prompt) AsStored(stored Prompt) Prompt {
	for _, input := range inputs {
		input.keep(&p, &stored)
	}
	return p
}

// key returns a key that is equal for all prompts with the same meaning, and
// for some others.
func (p Prompt) key() Prompt {
	for _, input := range inputs {
		input.toKey(&p)
	}
	return p
}

// readKey returns a key that is equal for all prompts from which an import
// would read the same words.
func (p Prompt) readKey() Prompt { return Prompt{Text: Known(words(same.Unescaped(p.shownText())))} }

// IsKnown reports whether every input that the purchase depends on is known.
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

// statusUnconfirmed is the status of a prompt that may have been bought.
const statusUnconfirmed = "unconfirmed"

// Generation is the outcome of a prompt, as far as plans need it.
type Generation struct {
	ID         Value[string]
	Status     Value[string]
	Succeeded  Value[bool]
	Error      Value[string]
	Attempts   Value[int64]
	ResultURLs []string
	// AtFullProgress is true if the status that showed the results showed full
	// progress.
	AtFullProgress bool
}

// Unsubmitted returns the generation of a prompt that the service does not
// have.
func Unsubmitted(attempts int64) Generation { return Generation{Attempts: Known(attempts)} }

// NewGeneration returns a generation of which only the id is known.
func NewGeneration(id string) Generation { return Generation{ID: Known(id), Attempts: Known(int64(1))} }

// Unconfirmed returns the generation of a prompt that may have been bought,
// with the reason for the doubt.
func Unconfirmed(attempts int64, reason string) Generation {
	return Generation{
		Status:   Known(statusUnconfirmed),
		Error:    Known(reason),
		Attempts: Known(attempts),
	}
}

// ToBeBought returns the plan of a generation that will cost credits: unknown
// as a whole.
func ToBeBought() Generation {
	return Generation{
		ID:        Unknown[string](),
		Status:    Unknown[string](),
		Succeeded: Unknown[bool](),
		Error:     Unknown[string](),
		Attempts:  Unknown[int64](),
	}
}
