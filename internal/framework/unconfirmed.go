package framework

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// Doubt holds the words for an unconfirmed purchase of one kind.
type Doubt struct {
	Summary string
	Look    string // where a person looks, and the possible purchase
	Import  string // the lines to paste; empty if nothing can be imported
	Again   string // how to buy again
	Object  string
	Also    string // further facts, after the state; may be empty
}

// Warning tells a person how to find out whether an unconfirmed purchase was
// made, and what to do then. It appears at the purchase and at every later
// plan.
func (u Unconfirmed) Warning(of Doubt) diag.Diagnostic {
	steps := of.Look
	if of.Import != "" {
		steps += "\n\n" + of.Import
	}
	return diag.NewWarningDiagnostic(of.Summary, fmt.Sprintf(
		"%s\n\n%s\n\nObject: %s\nReason: %s\n\nIt may be paid for, and is not sent again by itself.%s",
		steps,
		of.Again,
		of.Object,
		u.Why(),
		of.Also,
	))
}

// Why says when the request was sent, and why its outcome is unknown. The
// message around it says everything else.
func (u Unconfirmed) Why() string {
	why := Sentence(cmp.Or(ButEffect(u.Reason), "no answer has settled what became of it"))
	if u.Sent.IsZero() {
		return why
	}
	return fmt.Sprintf("sent at %s: %s", u.Sent.UTC().Format(time.RFC3339), why)
}

const unconfirmedPrefix = "unconfirmed-"

// UnconfirmedID returns a random id for an object that may have been bought and
// whose real id is unknown.
func UnconfirmedID() types.String {
	return types.StringValue(unconfirmedPrefix + strings.ToLower(rand.Text()))
}

// IsUnconfirmedID reports whether an id was made by UnconfirmedID.
func IsUnconfirmedID(id types.String) bool {
	return strings.HasPrefix(id.ValueString(), unconfirmedPrefix)
}

// Unconfirmed is the memory of an unconfirmed POST in private state.
type Unconfirmed struct {
	Sent   time.Time `json:"sent,omitzero"`    // by our clock; zero if the outcome is known
	Before []string  `json:"before,omitempty"` // ids of objects that existed before the request
	// MayBe are the ids of objects that the last read has shown, that are not in
	// Before, and that no object of the run holds.
	MayBe []string `json:"may_be,omitempty"`
	// Reason says why the outcome is unknown. Older states have none.
	Reason string `json:"reason,omitempty"`
	// Cause is the error with the text Reason. It is nil after the state was
	// stored.
	Cause error `json:"-"`
}

// NewUnconfirmed returns the memory of a POST that was sent at the given time.
// cause is the error that leaves the outcome open.
func NewUnconfirmed(sent time.Time, cause error) Unconfirmed {
	return Unconfirmed{
		Sent:   sent,
		Reason: cause.Error(),
		Cause:  cause,
	}
}

// IsZero reports whether the outcome is known.
func (u Unconfirmed) IsZero() bool { return u.Sent.IsZero() }

// CreatedAt reads the moment at which an object was created.
func CreatedAt(created *string) (at time.Time, known bool) {
	if created == nil { // variant: times-none
		return at, false
	}
	return same.ParseMoment(*created)
}
