package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// The outcomes of a log entry.
const (
	// outcomeSending is that of the entry before a request.
	outcomeSending  = "sending"
	outcomeAnswered = "answered"
	outcomeRefused  = "refused"
	// outcomeGone is that of a deletion of what is proven to be gone.
	outcomeGone   = "gone"
	outcomeUnsent = "unsent"
	// outcomeUnknown: it may have been done.
	outcomeUnknown = "unknown"
	// outcomeKept is that of what left the state without a request.
	outcomeKept = "kept"
	// outcomeTaken: the process answers for the purchase of one that was killed.
	outcomeTaken = "taken"
	// outcomeReturned: a create or update has ended, and the state has the purchase.
	outcomeReturned = "returned"
)

// logEntry is what the purchase log says of a request: before it is sent, and once
// more after it. Both entries have the same Request.
type logEntry struct {
	Time    string `json:"time"`
	Request string `json:"request,omitempty"`
	Type    string `json:"type"`
	Outcome string `json:"outcome"`
	Status  int    `json:"status,omitempty"`
	// By is the process that answers for a purchase from this entry on.
	By          *process `json:"by,omitempty"`
	CharacterID string   `json:"character_id,omitempty"`
	// Name is that of a character to be created.
	Name    string  `json:"name,omitempty"`
	Title   *string `json:"title,omitempty"`
	GroupID string  `json:"group_id,omitempty"`
	// ImageID is the dataset image to be regenerated.
	ImageID string `json:"image_id,omitempty"`
	// GenerationID is what a deletion is of.
	GenerationID string `json:"generation_id,omitempty"`
	// Prompts are the SHA-256 of what is sent of each, by key; and Inputs that of what
	// a training or dataset is made from.
	Prompts map[string]string `json:"prompts,omitempty"`
	Inputs  string            `json:"inputs,omitempty"`
	// Generations are the ids by key, and OtherIDs those that the reply names and
	// nothing holds. Certain says that the reply leaves no doubt of whose they
	// are.
	Generations map[string]string `json:"generations,omitempty"`
	OtherIDs    []string          `json:"other_ids,omitempty"`
	Certain     *bool             `json:"certain,omitempty"`
	// Rejected are the keys that the reply proves not to have been bought.
	Rejected []string `json:"rejected,omitempty"`
	// Left are the generations that a deletion of their group has left, or that
	// were kept.
	Left []string `json:"left,omitempty"`
	Receipt
}

// Receipt is what the service says of a purchase as a whole: each kind of purchase
// leaves out what it does not have. The log is the only receipt of some of it.
type Receipt struct {
	BatchID               *string `json:"batch_id,omitempty"`
	JobID                 *string `json:"job_id,omitempty"`
	GenerationType        *string `json:"generation_type,omitempty"`
	BatchStatus           *string `json:"batch_status,omitempty" reply:"status"`
	Message               *string `json:"message,omitempty"`
	TotalRequested        *int64  `json:"total_requested,omitempty"`
	SuccessfulSubmissions *int64  `json:"successful_submissions,omitempty"`
	FailedSubmissions     *int64  `json:"failed_submissions,omitempty"`
	TrainingSteps         *int64  `json:"training_steps,omitempty"`
	TotalImages           *int64  `json:"total_images,omitempty"`
	// EstimatedTime has no documented unit.
	EstimatedTime    *float64 `json:"estimated_time,omitempty"`
	CreditsDeducted  *float64 `json:"credits_deducted,omitempty"`
	RemainingBalance *float64 `json:"remaining_balance,omitempty"`
	// Assumed is what it should have cost, nil without a price.
	Assumed *float64 `json:"-" reply:"-"`
	// BeyondReason are numbers of the reply that are null here.
	BeyondReason []string `json:"-" reply:"-"`
}

// end takes over how a request has ended.
func (e *logEntry) end(err error) {
	failure, _ := errors.AsType[*reply.Error](err)
	switch {
	case err == nil:
		e.Outcome = outcomeAnswered
		return
	case failure == nil:
		e.Outcome = outcomeUnsent
		return
	case strings.HasPrefix(e.Type, "delete_") && failure.NotFound > reply.NotFoundUnproven:
		e.Outcome = outcomeGone
	case reply.IsEffectUnknown(err), failure.Status >= 500, failure.Status == 0 && failure.Sent:
		e.Outcome = outcomeUnknown
	case failure.Status == 0:
		e.Outcome = outcomeUnsent
	default:
		e.Outcome = outcomeRefused
	}
	e.Status, e.OtherIDs = failure.Status, append(e.OtherIDs, failure.IDs...)
	if e.GroupID == "" {
		e.GroupID = NamedGroup(failure)
	}
}

// sumOf is the SHA-256 of a value as JSON.
func sumOf(value any) string {
	text, _ := json.Marshal(value)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
