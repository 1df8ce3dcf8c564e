package prompts

import (
	"cmp"
	"slices"
	"strings"
)

// Prompt is the configuration of a prompt. Plans compare it as Wanted, with ==.
type Prompt struct {
	Text           Value[string]
	FaceSwap       Value[bool]
	UseFaceLoRA    Value[bool]
	UseBodyLoRA    Value[bool]
	SourceImageURL Value[string]
	Take           Value[int64]
}

// Wanted returns the prompt as plans compare it: equal inputs need not be bought
// twice. No take is the first.
func (p Prompt) Wanted() Prompt {
	if p.Take.IsNull() {
		p.Take = Known(int64(1))
	}
	return p
}

// Sent returns what the service is told of the prompt.
func (p Prompt) Sent() Prompt {
	p.Take = Value[int64]{}
	return p
}

// Subject is what is compared with the text that the service shows: that of the prompt,
// else the address of its photo.
func (p Prompt) Subject() string { return cmp.Or(p.Text.Get(), p.SourceImageURL.Get()) }

// read returns what an import can have read of the prompt, in whatever case and white
// space.
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

// couldBe: an import has at most the text, as the service repeats it. Anything
// that it could not read is null.
func (p Prompt) couldBe(imported Prompt) bool {
	echo := imported.Text.Get()
	return agree(imported.FaceSwap, p.FaceSwap) && agree(imported.UseFaceLoRA, p.UseFaceLoRA) && agree(imported.UseBodyLoRA, p.UseBodyLoRA) &&
		agree(imported.SourceImageURL, p.SourceImageURL) && agree(imported.Take, p.Take) && (echo == "" || Echoes(p.Subject(), echo))
}

func agree[T comparable](imported, wanted Value[T]) bool {
	return imported.IsNull() || imported == wanted
}
