package mockserver

import (
	"net/http"
	"slices"
	"time"
)

// Ledger is the account of the organization.
type Ledger struct {
	Balance float64       `json:"balance"`
	Entries []LedgerEntry `json:"entries"`
	// Deletions are the objects that requests have deleted, without credits.
	// Their kinds are "group", "generation" and "character".
	Deletions []LedgerEntry `json:"deletions"`
}

// LedgerEntry is a booking or a deletion.
type LedgerEntry struct {
	Kind string `json:"kind"` // "batch", "training" of either kind, or "dataset"
	ID   string `json:"id"`   // of the batch or the job (of a dataset too)
	// Name is the name of the trained LoRA, or of the deleted group or
	// character.
	Name        string    `json:"name,omitempty"`
	CharacterID string    `json:"character_id"` // "" for a batch without a character
	Credits     float64   `json:"credits"`      // the deducted credits
	Prompts     []string  `json:"prompts"`      // of a batch: the charged prompts; of a deletion: those of the images
	At          time.Time `json:"at"`
}

// Spent returns the sum of all bookings.
func (l Ledger) Spent() float64 {
	var sum float64
	for _, entry := range l.Entries {
		sum += entry.Credits
	}
	return sum
}

// Ledger returns a snapshot of the account.
func (s *Server) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	copied := s.world.ledger
	copied.Entries = slices.Clone(copied.Entries)
	copied.Deletions = slices.Clone(copied.Deletions)
	return copied
}

// SetBalance changes the remaining credits without a booking.
func (s *Server) SetBalance(credits float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.ledger.Balance = credits
}

// book deducts credits and records the booking.
func (s *Server) book(entry LedgerEntry) {
	ledger := &s.world.ledger
	ledger.Balance -= entry.Credits
	ledger.Entries = append(ledger.Entries, entry)
	s.opts.OnBooking(entry, ledger.Balance)
}

func (l *Ledger) deleted(entry LedgerEntry) { l.Deletions = append(l.Deletions, entry) }

// afford returns an error if the balance is too low.
func (l *Ledger) afford(credits float64) error {
	if l.Balance >= credits {
		return nil
	}
	return &problem{
		status:  http.StatusPaymentRequired,
		code:    "insufficient_credits",
		message: "the balance does not cover this request",
	}
}
