package api

import (
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Receipt is the service's statement about a purchase as a whole. Fields that a
// kind of purchase does not have are nil. Some of these facts are stored only
// in the purchase log.
type Receipt struct {
	BatchID               *string  `json:"batch_id,omitempty"`
	JobID                 *string  `json:"job_id,omitempty" as:"odd id"`
	GenerationType        *string  `json:"generation_type,omitempty"`
	BatchStatus           *string  `json:"batch_status,omitempty" reply:"status"`
	Message               *string  `json:"message,omitempty"`
	TotalRequested        *int64   `json:"total_requested,omitempty"`
	SuccessfulSubmissions *int64   `json:"successful_submissions,omitempty"`
	FailedSubmissions     *int64   `json:"failed_submissions,omitempty"`
	TrainingSteps         *int64   `json:"training_steps,omitempty"`
	TotalImages           *int64   `json:"total_images,omitempty"`
	EstimatedTime         *float64 `json:"estimated_time,omitempty"` // without a documented unit
	CreditsDeducted       *float64 `json:"credits_deducted,omitempty"`
	RemainingBalance      *float64 `json:"remaining_balance,omitempty"`
	Assumed               *float64 `json:"-" reply:"-"` // the expected cost, nil without a price
	TooLarge              []string `json:"-" reply:"-"` // numbers of the reply that were too large, and are null here
	OddJobID              string   `json:"-" reply:"-"` // the text in place of a job's id, if it is no id
}

// ReceiptOf reads the receipt from the reply to a purchase.
func ReceiptOf(said reply.Object) Receipt {
	receipt := *decode[Receipt](said)
	receipt.TooLarge = said.TooLarge("estimated_time", "credits_deducted", "remaining_balance")
	receipt.JobID, receipt.OddJobID = idOf(receipt.JobID)
	return receipt
}

// idOf returns an id of a reply if a request could name it. Any other text is
// returned as odd, shortened and safe to show.
func idOf(said *string) (id *string, odd string) {
	switch text := reply.ValueOf(said); {
	case reply.IsID(text):
		return said, ""
	case strings.TrimSpace(text) == "":
		return nil, ""
	default:
		return nil, reply.Shown(text, reply.MaxCode)
	}
}
