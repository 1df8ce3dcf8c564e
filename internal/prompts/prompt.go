package prompts

import (
	"cmp"
	"slices"
	"strings"
)

// Value is what a plan or a state has of an attribute: a value, unknown, or null, as the zero Value.
type Value[T comparable] struct {
	value          T
	known, unknown bool
}

// Known returns a known value.
func Known[T comparable](value T) Value[T] { return Value[T]{value: value, known: true} }

// Unknown returns a value that only the apply will know.
func Unknown[T comparable]() Value[T] { return Value[T]{unknown: true} }

// Get returns the value, and the zero value of its type if it is null or unknown.
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

// Prompt is the configuration of a prompt. Plans compare it as Wanted, with ==.
type Prompt struct {
	Text           Value[string]
	FaceSwap       Value[bool]
	UseFaceLoRA    Value[bool]
	UseBodyLoRA    Value[bool]
	SourceImageURL Value[string]
	Take           Value[int64]
}

// Wanted returns the prompt as plans compare it: no take is the first.
func (p Prompt) Wanted() Prompt {
	if p.Take.IsNull() {
		p.Take = Known(int64(1))
	}
	return p
}

// Subject is what is compared with the text that the service shows: that of the prompt, else the
// address of its photo.
func (p Prompt) Subject() string { return cmp.Or(p.Text.Get(), p.SourceImageURL.Get()) }

// read returns what an import can have read of the prompt, in whatever case and white space.
func (p Prompt) read() Prompt { return Prompt{Text: Known(Words(p.Subject()))} }

// IsRespaced reports whether only the white space of the text was changed.
func (p Prompt) IsRespaced(former Prompt) bool {
	same := slices.Equal(strings.Fields(p.Text.Get()), strings.Fields(former.Text.Get()))
	former.Text = p.Text
	return same && p.Wanted() == former.Wanted()
}

// IsKnown reports whether all that the purchase depends on is known.
func (p Prompt) IsKnown() bool {
	return !p.Text.IsUnknown() && !p.FaceSwap.IsUnknown() && !p.UseFaceLoRA.IsUnknown() && !p.UseBodyLoRA.IsUnknown() &&
		!p.SourceImageURL.IsUnknown() && !p.Take.IsUnknown()
}

// couldBe: an import has at most the text, as the service repeats it. What it has not read is null.
func (p Prompt) couldBe(imported Prompt) bool {
	echo := imported.Text.Get()
	return agree(imported.FaceSwap, p.FaceSwap) && agree(imported.UseFaceLoRA, p.UseFaceLoRA) && agree(imported.UseBodyLoRA, p.UseBodyLoRA) &&
		agree(imported.SourceImageURL, p.SourceImageURL) && agree(imported.Take, p.Take) && (echo == "" || Echoes(p.Subject(), echo))
}

func agree[T comparable](imported, wanted Value[T]) bool {
	return imported.IsNull() || imported == wanted
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
}

// Unsubmitted returns a prompt of which the service has nothing.
func Unsubmitted(attempts int64) Generation { return Generation{Attempts: Known(attempts)} }

// NewGeneration returns a generation of which only the id is known.
func NewGeneration(id string) Generation { return Generation{ID: Known(id), Attempts: Known(int64(1))} }

// Unconfirmed returns a prompt that may have been bought, and says why.
func Unconfirmed(attempts int64, reason string) Generation {
	return Generation{Status: Known(statusUnconfirmed), Error: Known(reason), Attempts: Known(attempts)}
}

// ToBeBought is the plan of a generation that will cost credits: unknown as a whole.
func ToBeBought() Generation {
	return Generation{
		ID: Unknown[string](), Status: Unknown[string](), Succeeded: Unknown[bool](), Error: Unknown[string](), Attempts: Unknown[int64](),
	}
}
