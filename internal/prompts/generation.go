package prompts

// StatusUnconfirmed is the status of what may have been bought.
const StatusUnconfirmed = "unconfirmed"

// Generation is what became of one prompt, as far as plans need it.
type Generation struct {
	ID        Value[string]
	Status    Value[string]
	Succeeded Value[bool]
	Error     Value[string]
	Attempts  Value[int64]
	// ResultURLs are the addresses of its results.
	ResultURLs []string
}

// Unsubmitted returns a prompt of which the service has nothing.
func Unsubmitted(attempts int64) Generation { return Generation{Attempts: Known(attempts)} }

// NewGeneration returns a generation of which only the id is known.
func NewGeneration(id string) Generation {
	generation := Unsubmitted(1)
	generation.ID = Known(id)
	return generation
}

// Unconfirmed returns a prompt that may have been bought, and says why.
func Unconfirmed(attempts int64, reason string) Generation {
	generation := Unsubmitted(attempts)
	generation.Status, generation.Error = Known(StatusUnconfirmed), Known(reason)
	return generation
}

// ToBeBought returns the plan of a generation that will be submitted: unknown as
// a whole, which says that credits are spent.
func ToBeBought() Generation {
	return Generation{
		ID: Unknown[string](), Status: Unknown[string](), Succeeded: Unknown[bool](), Error: Unknown[string](), Attempts: Unknown[int64](),
	}
}

// toBeAwaited returns the plan of a running generation whose wait is resumed:
// it is paid for, so its id and attempts stay known.
func toBeAwaited(running Generation) Generation {
	planned := ToBeBought()
	planned.ID, planned.Attempts = running.ID, running.Attempts
	return planned
}

// tried returns the generation as if it had been submitted so often, or more.
func (m Generation) tried(times Value[int64]) Generation {
	if times.IsUnknown() || times.Get() > m.Attempts.Get() {
		m.Attempts = times
	}
	return m
}
