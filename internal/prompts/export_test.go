package prompts

// InputCount is how many inputs are listed.
func InputCount() int { return len(inputs) }

// KeyOf is equal for all prompts that are the same.
func KeyOf(p Prompt) Prompt { return p.key() }

// MayBe reports whether a prompt may be the one that an import has read.
func MayBe(p, imported Prompt) bool { return p.mayBe(imported) }
