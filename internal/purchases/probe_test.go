package purchases_test

import (
	"context"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

// interrupted is a clock whose first pause is interrupted.
type interrupted struct {
	*waittest.Clock
	interrupt context.CancelFunc
}

// Sleep is interrupted.
func (c interrupted) Sleep(ctx context.Context, pause time.Duration) error {
	c.interrupt()
	return c.Clock.Sleep(ctx, pause)
}

// A purchase ends once the service has said twice that its generations are gone.
// After an interrupt between the two reads it guards as before: a replica that
// lags behind would otherwise have it bought again.
func TestProbe_interruptedProvesNothing(t *testing.T) {
	t.Parallel()
	for name, interrupts := range map[string]bool{"read twice": false, "interrupted": true} {
		path := filepath.Join(t.TempDir(), "purchases.jsonl")
		s := stub.NewService(t, stub.On(
			"/batch",
			stub.Always(http.StatusOK, `{"group_id":"grp1","credits_deducted":1,`+
				`"results":[{"generation_id":"g1","prompt_index":0}]}`),
			stub.Always(http.StatusNotFound, `{"error":"not_found"}`),
		))
		check.Must(t, check.ErrorOf(stub.Buy(t.Context(), s.Client(t, stub.Logged(path)), stub.OrderOf("a"))))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		asking := s.Client(t, stub.Logged(path), func(c *stub.Config) {
			c.TrustNotFound = true
			if interrupts {
				c.Clock = interrupted{s.Clock, cancel}
			}
		})
		var diags diag.Diagnostics
		describe := func([]purchases.Bought) purchases.GuardedOrder {
			return purchases.GuardedOrder{Summary: func(what string) string { return what }}
		}
		refused := asking.Buys.RefuseGuarded(ctx, stub.OrderOf("a").Entry, describe, &diags)
		check.Equal(t, name+": the purchase is refused", refused, interrupts)
		later := s.Client(t, stub.Logged(path)).PurchaseLog().Find(stub.OrderOf("a").Entry, "new")
		check.Equal(t, name+": the purchase guards on", len(later.Guarded) > 0, interrupts)
	}
}
