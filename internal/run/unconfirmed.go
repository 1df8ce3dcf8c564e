package run

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// A POST whose reply was lost may have bought or created something. It is
// recorded as unconfirmed, and never sent again by itself. What was made since
// is named to a person, who imports it: nothing that only looks like ours is
// taken.

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

// LookOnce makes the one read after an unconfirmed POST that tells a person
// what has been made since, afresh, and in one attempt. It is not made after an
// interrupt, and nobody hears of its failure: the outcome is unconfirmed either
// way.
func (d *ProviderData) LookOnce(ctx context.Context, read func(context.Context) error) {
	if ctx.Err() == nil {
		_ = read(transport.OneAttempt(transport.Afresh(ctx)))
	}
}

// CreatedAt reads the moment at which something was created.
func CreatedAt(created *string) (at time.Time, known bool) {
	if created == nil { // variant: times-none
		return at, false
	}
	return same.ParseMoment(*created)
}
