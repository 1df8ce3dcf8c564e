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

// Doubt is what the warning of an unconfirmed purchase says of its kind.
type Doubt struct {
	Summary string
	Look    string // where a person finds out, and what may have been bought
	Import  string // the lines to paste; empty if nothing can be imported
	Again   string // how it is bought again
	Object  string
	Also    string // what else is known, after the state; may be empty
}

// Warning says at a purchase, and at every plan from then on, how a person
// settles what may have been bought.
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

// Why says when the request was sent, and why its outcome is not known. The
// message around it says the rest.
func (u Unconfirmed) Why() string {
	why := Sentence(cmp.Or(ButEffect(u.Reason), "no answer has settled what became of it"))
	if u.Sent.IsZero() {
		return why
	}
	return fmt.Sprintf("sent at %s: %s", u.Sent.UTC().Format(time.RFC3339), why)
}

const unconfirmedPrefix = "unconfirmed-"

// UnconfirmedID returns a random id for what may have been bought, and whose
// real id is not known.
func UnconfirmedID() types.String {
	return types.StringValue(unconfirmedPrefix + strings.ToLower(rand.Text()))
}

// IsUnconfirmedID reports whether an id was made by UnconfirmedID.
func IsUnconfirmedID(id types.String) bool {
	return strings.HasPrefix(id.ValueString(), unconfirmedPrefix)
}

// Unconfirmed is what private state remembers of an unconfirmed POST.
type Unconfirmed struct {
	Sent   time.Time `json:"sent,omitzero"`    // by our clock; zero if the outcome is known
	Before []string  `json:"before,omitempty"` // ids of what was there before: not made by it
	// MayBe are ids of what the last read has shown since, and nothing of the
	// run holds.
	MayBe []string `json:"may_be,omitempty"`
	// Reason is why the outcome is not known. Older states have none.
	Reason string `json:"reason,omitempty"`
	// Cause is the error that Reason is the text of; nil once it was stored.
	Cause error `json:"-"`
}

// NewUnconfirmed is about a POST that was sent at that time, and whose outcome an
// error leaves open.
func NewUnconfirmed(sent time.Time, cause error) Unconfirmed {
	return Unconfirmed{
		Sent:   sent,
		Reason: cause.Error(),
		Cause:  cause,
	}
}

// IsZero reports whether there is no doubt: the outcome is known.
func (u Unconfirmed) IsZero() bool { return u.Sent.IsZero() }

// CreatedAt reads the moment at which something was created.
func CreatedAt(created *string) (at time.Time, known bool) {
	if created == nil { // variant: times-none
		return at, false
	}
	return same.ParseMoment(*created)
}
