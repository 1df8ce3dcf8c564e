package transport_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newClock() *waittest.Clock {
	return waittest.NewClock(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC))
}

// started is the reply to an order.
const started = `{"job_id":"job_1","credits_deducted":5}`

// order is a paid request without a body: HTTP/2 libraries send it again by
// themselves.
func order() *transport.Request {
	return transport.Post("/train").
		Makes().
		Expect("job_id").
		Receipt(reply.Receipt{Counts: []string{"credits_deducted"}, ID: "job_id"})
}
