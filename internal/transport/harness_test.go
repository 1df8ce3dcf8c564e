package transport_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newClock() *waittest.Clock {
	return waittest.NewClock(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC))
}
