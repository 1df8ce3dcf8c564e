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

// Prompt is the configuration of a prompt. Plans compare it by IsSame.
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
	if p.Take.IsNull() {
		p.Take = Known(int64(1))
	}
	return p
}

// shownText is what is compared with the text that the service shows: that of
// the prompt, else the address of its photo.
func (p Prompt) shownText() string { return cmp.Or(p.Text.Get(), p.SourceImageURL.Get()) }

// IsSame reports whether another prompt has the same inputs, however they are
// written.
func (p Prompt) IsSame(other Prompt) bool { return p.isAs(other, same.Text, same.Address) }

// IsRespelled reports whether only white space and case of the text were
// changed.
func (p Prompt) IsRespelled(former Prompt) bool {
	return !p.IsSame(former) && p.isAs(former, same.Words, same.Address)
}

// IsRequeried reports whether only the query of the photo's address was changed.
func (p Prompt) IsRequeried(former Prompt) bool {
	return !p.IsSame(former) && p.isAs(former, same.Text, same.ButQuery)
}

// isAs compares texts and addresses as it is told, and all else as it is.
func (p Prompt) isAs(other Prompt, text, address func(a, b string) bool) bool {
	if !p.Text.isAs(other.Text, text) || !p.SourceImageURL.isAs(other.SourceImageURL, address) {
		return false
	}
	p.Text = other.Text
	p.SourceImageURL = other.SourceImageURL
	return p.Wanted() == other.Wanted()
}

// isAs compares known values as it is told.
func (v Value[T]) isAs(other Value[T], equal func(a, b T) bool) bool {
	if !v.known || !other.known {
		return v == other
	}
	return equal(v.value, other.value)
}

// AsStored returns the prompt with texts and addresses as they are stored, where
// they are the same.
func (p Prompt) AsStored(stored Prompt) Prompt {
	if p.Text.isAs(stored.Text, same.Text) {
		p.Text = stored.Text
	}
	if p.SourceImageURL.isAs(stored.SourceImageURL, same.Address) {
		p.SourceImageURL = stored.SourceImageURL
	}
	return p
}

// key is equal for all prompts that are the same, and for some others.
func (p Prompt) key() Prompt {
	p = p.Wanted()
	if p.Text.known {
		p.Text = Known(same.Key(p.Text.value))
	}
	if p.SourceImageURL.known {
		p.SourceImageURL = Known(same.AddressKey(p.SourceImageURL.value))
	}
	return p
}

// readKey is equal for all prompts of which an import would have read the same
// words.
func (p Prompt) readKey() Prompt { return Prompt{Text: Known(words(same.Unescaped(p.shownText())))} }

// IsKnown reports whether all that the purchase depends on is known.
func (p Prompt) IsKnown() bool {
	return !p.Text.IsUnknown() && !p.FaceSwap.IsUnknown() && !p.UseFaceLoRA.IsUnknown() && !p.UseBodyLoRA.IsUnknown() &&
		!p.SourceImageURL.IsUnknown() && !p.Take.IsUnknown()
}

// mayBe: an import has at most the text, as the service repeats it. What it
// has not read is null.
func (p Prompt) mayBe(imported Prompt) bool {
	echo := imported.Text.Get()
	agreeOnFlags := mayEqual(imported.FaceSwap, p.FaceSwap) && mayEqual(imported.UseFaceLoRA, p.UseFaceLoRA) &&
		mayEqual(imported.UseBodyLoRA, p.UseBodyLoRA)
	samePhoto := imported.SourceImageURL.IsNull() || imported.SourceImageURL.isAs(p.SourceImageURL, same.Address)
	return agreeOnFlags && samePhoto && mayEqual(imported.Take, p.Take) && (echo == "" || Echoes(p.shownText(), echo))
}

func mayEqual[T comparable](imported, wanted Value[T]) bool {
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
