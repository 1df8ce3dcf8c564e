package prompts

import "github.com/mediagen/terraform-provider-mediagen/internal/same"

// inputs are all inputs of a prompt: whatever is asked of a prompt as a whole is
// asked of each. An input that one question forgets is bought twice, or not at
// all.
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

// FirstTake is the take of a prompt that names none.
const FirstTake int64 = 1

// comparison says when two texts, and when two addresses, are equal.
type comparison struct{ text, address func(a, b string) bool }

var (
	meaning     = comparison{text: same.Text, address: same.Address}
	butSpelling = comparison{text: same.Words, address: same.Address}
	butQuery    = comparison{text: same.Text, address: same.ButQuery}
)

// input is one input of a prompt, and what is asked of it.
type input struct {
	isUnknown func(p *Prompt) bool
	isSame    func(p, other *Prompt, by comparison) bool
	// mayBe reports whether the wanted prompt may be the one that an import has
	// read.
	mayBe func(imported, wanted *Prompt) bool
	// fill gives a prompt the value that it has where none is configured.
	fill func(p *Prompt)
	// keep gives a prompt the stored value, if that is the same.
	keep func(p, stored *Prompt)
	// toKey makes the values of the input that are the same equal.
	toKey func(p *Prompt)
	// unsent: the input makes equal prompts different purchases, and the service
	// is not told.
	unsent bool
}

// rules say which values of an input are the same: null and the standard, equal
// ones, and those of which isSame says so. Of these, key is equal.
type rules[T comparable] struct {
	standard Value[T]
	isSame   func(a, b T, by comparison) bool
	key      func(T) T
}

// inputOf makes an input of a field.
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
			// Null in place of a configured value is a plan that CLIs refuse.
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

// repeatedBy returns the input with another way to tell whether an import has
// read it.
func (i input) repeatedBy(mayBe func(imported, wanted *Prompt) bool) input {
	i.mayBe = mayBe
	return i
}

// notSent returns the input as one that the service is not told.
func (i input) notSent() input {
	i.unsent = true
	return i
}

// filled is the value, or the standard for none.
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
