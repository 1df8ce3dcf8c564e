package prompts

import "github.com/mediagen/terraform-provider-mediagen/internal/same"

// inputs are all inputs of a prompt. Every question about a prompt as a whole
// asks all of them: if a question forgot an input, a change of it would be
// bought twice, or not at all.
var inputs = []input{
	inputOf(func(p *Prompt) *Value[string] { return &p.Text }, rules[string]{
		isSame: func(a, b string, by comparison) bool { return by.text(a, b) },
		key:    same.Key,
	}).repeatedBy(func(imported, wanted *Prompt) bool {
		echo := imported.Text.Get()
		return echo == "" || Echoes(wanted.shownText(), echo)
	}),
	inputOf(func(p *Prompt) *Value[bool] { return &p.FaceSwap }, rules[bool]{}),
	inputOf(func(p *Prompt) *Value[bool] { return &p.UseFaceLoRA }, rules[bool]{}),
	inputOf(func(p *Prompt) *Value[bool] { return &p.UseBodyLoRA }, rules[bool]{}),
	inputOf(func(p *Prompt) *Value[string] { return &p.SourceImageURL }, rules[string]{
		isSame: func(a, b string, by comparison) bool { return by.address(a, b) },
		key:    same.AddressKey,
	}),
	inputOf(func(p *Prompt) *Value[int64] { return &p.Take }, rules[int64]{standard: Known(FirstTake)}).notSent(),
}

// FirstTake is the take of a prompt that sets none.
const FirstTake int64 = 1

// comparison says when two texts are equal, and when two addresses are.
type comparison struct{ text, address func(a, b string) bool }

var (
	meaning     = comparison{text: same.Text, address: same.Address}
	butSpelling = comparison{text: same.Words, address: same.Address}
	butQuery    = comparison{text: same.Text, address: same.ButQuery}
)

// input is an input of a prompt, with the answers to all questions about it.
type input struct {
	isUnknown func(p *Prompt) bool
	isSame    func(p, other *Prompt, by comparison) bool
	// mayBe reports whether the wanted prompt may be the prompt that an import
	// has read.
	mayBe func(imported, wanted *Prompt) bool
	// fill sets the default if no value is configured.
	fill func(p *Prompt)
	// keep replaces a value by the stored value if both mean the same.
	keep func(p, stored *Prompt)
	// toKey makes values of the input equal if they mean the same.
	toKey func(p *Prompt)
	// unsent is true for an input that makes equal prompts different purchases,
	// and is not sent to the service.
	unsent bool
}

// rules say which values of an input mean the same: null and the standard,
// equal values, and values for which isSame is true. key makes such values
// equal.
type rules[T comparable] struct {
	standard Value[T]
	isSame   func(a, b T, by comparison) bool
	key      func(T) T
}

// inputOf makes an input from a field.
func inputOf[T comparable](field func(*Prompt) *Value[T], are rules[T]) input {
	areSame := func(p, other *Prompt, by comparison) bool {
		return are.areSame(are.filled(*field(p)), are.filled(*field(other)), by)
	}
	return input{
		isUnknown: func(p *Prompt) bool { return field(p).IsUnknown() },
		isSame:    areSame,
		mayBe: func(imported, wanted *Prompt) bool {
			return field(imported).IsNull() || areSame(imported, wanted, meaning)
		},
		fill: func(p *Prompt) { *field(p) = are.filled(*field(p)) },
		keep: func(p, stored *Prompt) {
			// CLIs refuse a plan with null in place of a configured value.
			if !field(stored).IsNull() && areSame(p, stored, meaning) {
				*field(p) = *field(stored)
			}
		},
		toKey: func(p *Prompt) {
			value := are.filled(*field(p))
			if value.known && are.key != nil {
				value = Known(are.key(value.value))
			}
			*field(p) = value
		},
	}
}

// repeatedBy returns the input with a different test of whether an import has
// read its value.
func (i input) repeatedBy(mayBe func(imported, wanted *Prompt) bool) input {
	i.mayBe = mayBe
	return i
}

// notSent marks the input as not sent to the service, and returns it.
func (i input) notSent() input {
	i.unsent = true
	return i
}

// filled returns the value, or the standard if there is none.
func (r rules[T]) filled(value Value[T]) Value[T] {
	if value.IsNull() {
		return r.standard
	}
	return value
}

func (r rules[T]) areSame(a, b Value[T], by comparison) bool {
	if a == b || r.isSame == nil || !a.known || !b.known {
		return a == b
	}
	return r.isSame(a.value, b.value, by)
}
