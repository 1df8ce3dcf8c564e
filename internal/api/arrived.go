package api

import (
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// receiptOf reads what a reply says of a purchase as a whole.
func receiptOf(said reply.Object) Receipt {
	receipt := *decode[Receipt](said)
	receipt.JobID, receipt.OddJobID = idOf(receipt.JobID)
	return receipt
}

// idOf returns what a reply gives for an id if it can be one. What a request
// could not carry is no id: odd is that, tamed for people.
func idOf(said *string) (id *string, odd string) {
	switch text := value(said); {
	case reply.IsID(text):
		return said, ""
	case strings.TrimSpace(text) == "":
		return nil, ""
	default:
		return nil, reply.Shown(text, reply.MaxCode)
	}
}

// receiveArrived takes over what could be read of a reply that was cut off or
// broken. What did not arrive may say otherwise, so it proves nothing of any
// prompt.
func (o order) receiveArrived(arrived reply.Object, receive func(reply.Object) (refused int64)) {
	if !arrived.Says() {
		return
	}
	o.entry.Receipt = receiptOf(arrived)
	if receive != nil {
		receive(arrived)
	}
	o.entry.Rejected = nil
	if o.entry.Certain != nil {
		o.entry.Certain = new(false)
	}
}

// ArrivedJobID returns the job that a reply named that was cut off or broken,
// empty if it named none.
func ArrivedJobID(err error) string {
	failure := reply.ErrorOf(err)
	if failure == nil {
		return ""
	}
	return value(receiptOf(failure.Said.Arrived).JobID)
}
