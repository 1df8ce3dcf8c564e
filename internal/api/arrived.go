package api

import (
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// receiptOf reads what a reply says of a purchase as a whole.
func receiptOf(said reply.Object) Receipt {
	receipt := *decode[Receipt](said)
	receipt.JobID, receipt.OddJobID = idOf(receipt.JobID)
	return receipt
}

// idOf returns what a reply gives for an id if it can be one. What a request could not carry is no
// id: odd is that, tamed for people.
func idOf(said *string) (id *string, odd string) {
	switch text := value(said); {
	case reply.IsID(text):
		return said, ""
	case strings.TrimSpace(text) == "":
		return nil, ""
	default:
		return nil, reply.Sanitize(text, reply.MaxCode)
	}
}

// receiveArrived takes over what could be read of a reply that was cut off or broken. What did not
// arrive may say otherwise, so it proves nothing of any prompt.
func (e *logEntry) receiveArrived(arrived reply.Object, receive func(reply.Object) (refused int64)) {
	if !arrived.Says() {
		return
	}
	e.Receipt = receiptOf(arrived)
	if receive != nil {
		receive(arrived)
	}
	e.Rejected = nil
	if e.Certain != nil {
		e.Certain = new(false)
	}
}

// unnamed returns those of the ids that the entry does not name elsewhere.
func (e *logEntry) unnamed(ids []string) (others []string) {
	for _, id := range ids {
		isNamed := id == value(e.JobID) || id == e.CharacterID || slices.Contains(e.OtherIDs, id)
		for _, generation := range e.Generations {
			isNamed = isNamed || generation == id
		}
		if !isNamed {
			others = append(others, id)
		}
	}
	return others
}

// ArrivedJobID returns the job that a reply named that was cut off or broken, empty if it named none.
func ArrivedJobID(err error) string {
	failure := reply.ErrorOf(err)
	if failure == nil {
		return ""
	}
	return value(receiptOf(failure.Arrived).JobID)
}
