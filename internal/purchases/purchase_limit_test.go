package purchases_test

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

func limited(most int64) func(*stub.Config) {
	return func(c *stub.Config) { c.MaxPurchases = &most }
}

// pricedAt limits credits, of which a prompt costs so many, and a training a
// hundred times as many.
func pricedAt(most, price float64) func(*stub.Config) {
	return func(c *stub.Config) {
		training := 100 * price
		c.MaxCredits = &most
		c.Prices = map[string]*float64{purchases.KindGeneration: &price, purchases.KindTraining: &training}
	}
}

const accepted = `{"batch_id":"b1","group_id":"grp1","results":[{"generation_id":"g1","prompt_index":0}],` +
	`"credits_deducted":1,"remaining_balance":9}`

// A batch counts with all its prompts, or their price, before it is sent. The
// larger of the price and what was deducted counts, exactly; and only what
// certainly was not bought is given back. Fault F28.
func TestPurchaseLimit(t *testing.T) {
	t.Parallel()
	deducting := func(credits string) stub.Answer {
		return stub.Always(
			200,
			`{"batch_id":"b1","group_id":"grp1","results":[{"generation_id":"g1","prompt_index":0}],`+
				`"credits_deducted":`+credits+`}`,
		)
	}
	unsent := func(c *stub.Config) {
		c.Transport = stub.RoundTripper(
			func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNREFUSED },
		)
		c.MaxRetries = 0
	}
	unwritable := func(c *stub.Config) { c.PurchaseLogs = []string{t.TempDir()} }
	for name, test := range map[string]struct {
		most, price float64 // of 1: max_purchases too
		answer      stub.Answer
		change      func(*stub.Config)
		batches     [][]string
		refused     []bool
	}{
		"nothing":                    {0, 1, deducting("1"), nil, [][]string{{"a"}}, []bool{true}},
		"nothing, though it is free": {0, 0, deducting("0"), nil, [][]string{{"a"}}, []bool{true}},
		"free": {
			0.1,
			0,
			deducting("0"),
			nil,
			[][]string{{"a"}, {"b"}, {"c"}},
			[]bool{false, false, false},
		},
		"free, says the price": {1, 0, deducting("2"), nil, [][]string{{"a"}, {"b"}}, []bool{false, true}},
		"exactly as much": {
			3,
			1,
			deducting("1"),
			nil,
			[][]string{{"a", "b"}, {"c"}, {"d"}},
			[]bool{false, false, true},
		},
		"tenths": {
			0.3,
			0.1,
			deducting("0.1"),
			nil,
			[][]string{{"a"}, {"b"}, {"c"}, {"d"}},
			[]bool{false, false, false, true},
		},
		"tenths, dearer": {
			0.7,
			0.1,
			deducting("0.3"),
			nil,
			[][]string{{"a"}, {"b"}, {"c"}, {"d"}},
			[]bool{false, false, false, true},
		},
		"a batch is whole": {
			3,
			1,
			deducting("2"),
			nil,
			[][]string{{"a", "b"}, {"c", "d"}, {"e"}},
			[]bool{false, true, false},
		},
		"dearer": {
			12,
			2,
			deducting("10"),
			nil,
			[][]string{{"a"}, {"b"}, {"c"}},
			[]bool{false, false, true},
		},
		"cheaper": {
			2,
			1,
			deducting("0.5"),
			nil,
			[][]string{{"a"}, {"b"}, {"c"}},
			[]bool{false, false, true},
		},
		"given back": {
			2,
			1,
			deducting("-5"),
			nil,
			[][]string{{"a"}, {"b"}, {"c"}},
			[]bool{false, false, true},
		},
		"it does not say": {
			2,
			1,
			deducting("null"),
			nil,
			[][]string{{"a"}, {"b"}, {"c"}},
			[]bool{false, false, true},
		},
		"it says what cannot be": {
			2,
			1,
			deducting("1e300"),
			nil,
			[][]string{{"a"}, {"b"}, {"c"}},
			[]bool{false, false, true},
		},
		"a refusal gives back": {
			1,
			1,
			stub.Always(402, `{"error":"insufficient_credits"}`),
			nil,
			[][]string{{"a"}, {"b"}},
			[]bool{false, false},
		},
		"what is unsent gives back": {1, 1, deducting("1"), unsent, [][]string{{"a"}, {"b"}}, []bool{false, false}},
		"what no log has gives back": {
			1,
			1,
			deducting("1"),
			unwritable,
			[][]string{{"a"}, {"b"}},
			[]bool{false, false},
		},
		"an unknown outcome counts": {1, 1, stub.Drop, nil, [][]string{{"a"}, {"b"}}, []bool{false, true}},
		"an unknown outcome is no end": {
			2, 1, stub.Drop, nil, [][]string{{"a"}, {"b"}, {"c"}}, []bool{false, false, true},
		},
		"a huge limit": {
			1e300,
			1e-300,
			deducting("1e15"),
			nil,
			[][]string{{"a"}, {"b"}},
			[]bool{false, false},
		},
		"a 500 counts": {1, 1, stub.Always(500, "oops"), nil, [][]string{{"a"}, {"b"}}, []bool{false, true}},
	} {
		for attribute, limit := range map[string]func(*stub.Config){
			"max_credits":   pricedAt(test.most, test.price),
			"max_purchases": limited(int64(test.most)),
		} {
			if attribute == "max_purchases" && test.price != 1 {
				continue
			}
			t.Run(name+", "+attribute, func(t *testing.T) {
				t.Parallel()
				s := stub.NewService(t, test.answer)
				change := []func(*stub.Config){limit, func(c *stub.Config) {
					c.APIKey = ""
					c.AccessToken = "static"
				}}
				if test.change != nil {
					change = append(change, test.change)
				}
				client := s.Client(t, change...)
				for i, keys := range test.batches {
					before := len(s.Requests())
					_, err := stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf(keys...)))
					check.True(t, "refused", errors.Is(err, purchases.ErrLimit) == test.refused[i], keys, err)
					check.True(
						t,
						"nothing is sent",
						!test.refused[i] ||
							(len(s.Requests()) == before && !reply.IsEffectUnknown(err) &&
								strings.Contains(err.Error(), attribute)),
						keys,
						err,
					)
				}
			})
		}
	}
}

// What a refusal gives back was counted, by both limits.
func TestBoughtIsNeverBelowZero(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]func(*stub.Config){
		"max_purchases": limited(5),
		"max_credits":   pricedAt(5, 1),
	} {
		s := stub.NewService(
			t,
			stub.First(stub.Always(402, `{"error":"insufficient_credits"}`), stub.Always(200, accepted)),
		)
		client := s.Client(t, limits)
		err := check.ErrorOf(stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("a", "b"))))
		check.True(t, "refused", reply.IsRefused(err), err)
		wantBought(t, client, name+": 0")
		check.NoError(t, check.ErrorOf(stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("c")))))
		wantBought(t, client, name+": 1")
	}
}

func wantBought(t *testing.T, client *stub.Client, want string) {
	t.Helper()
	limit, bought, _ := strings.Cut(want, ": ")
	_, err := stub.Buy(
		t.Context(),
		client,
		purchases.OrderBatch(stub.BatchOf(strings.Split("abcdefghijklmnopqrstuvwxyz", "")...)),
	)
	check.Contains(t, "the refusal", fmt.Sprint(err), limit, "has or may have bought "+bought+",")
}

// What the reply proves to be refused is given back, and no more than the batch
// has.
func TestCreditLimit_refusedInPart(t *testing.T) {
	t.Parallel()
	for refused, bought := range map[int64]string{0: "3", 1: "2", 3: "1"} { // the service has deducted 1
		results := []string{
			`{"error":"no","prompt_index":0}`,
			`{"error":"no","prompt_index":1}`,
			`{"error":"no","prompt_index":2}`,
		}
		for i := range results[refused:] {
			results[i] = fmt.Sprintf(`{"generation_id":"g%d","prompt_index":%[1]d}`, i)
		}
		s := stub.NewService(
			t,
			stub.Always(200, fmt.Sprintf(`{"credits_deducted":1,"results":[%s]}`, strings.Join(results, ","))),
		)
		client := s.Client(t, pricedAt(10, 1))
		reply, err := stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("a", "b", "c")))
		if err != nil || *reply.Assumed != float64(3-refused) {
			t.Fatalf("%v, %v", reply, err)
		}
		wantBought(t, client, "max_credits: "+bought)
	}
}

// Without a price nobody knows whether the limit allows it.
// Fault F28.
func TestCreditLimit_noPrice(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, accepted))
	client := s.Client(t, pricedAt(1000, 1), func(c *stub.Config) { delete(c.Prices, purchases.KindTraining) })
	_, err := stub.Buy(t.Context(), client, purchases.OrderTraining(api.BodyTraining, "ch1", nil))
	check.True(
		t,
		"a training",
		errors.Is(err, purchases.ErrLimit) && strings.Contains(err.Error(), "prices (MEDIAGEN_PRICES) has no training"),
		err,
	)
	_, err = stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("a")))
	check.True(t, "a batch", err == nil && len(s.Requests()) == 1, err)
}

func TestPurchaseLimitCountsTrainingsAndPromptsTogether(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.On(
			"training",
			stub.Always(200, `{"job_id":"job1","training_steps":10,"credits_deducted":100}`),
			stub.Always(200, accepted),
		),
	)
	client := s.Client(t, limited(2))
	check.Must(t, check.ErrorOf(stub.Buy(t.Context(), client, purchases.OrderTraining(api.BodyTraining, "ch1", nil))))
	_, err := stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("a", "b")))
	check.True(t, "two more", errors.Is(err, purchases.ErrLimit) && strings.Contains(err.Error(), "allows 2"), err)
	check.NoError(t, check.ErrorOf(stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("a")))))
	_, err = stub.Buy(t.Context(), client, purchases.OrderTraining(api.BodyTraining, "ch1", nil))
	check.True(t, "another training", errors.Is(err, purchases.ErrLimit), err)
	check.Equal(t, "requests", len(s.Requests()), 2)
}

// A service that lacks an endpoint has done nothing, whatever it answers: the
// limit has room for another purchase, and the log guards nothing. Of one that
// has it nobody knows. Fault F13b.
func TestPurchaseLimitAndMissingEndpoints(t *testing.T) {
	t.Parallel()
	for status, missing := range map[int]bool{404: true, 405: true, 501: true, 500: false, 502: false} {
		s := stub.NewService(
			t,
			stub.On(
				"/face-lora",
				stub.Always(status, `{"error":"no such endpoint"}`),
				stub.Always(200, `{"job_id":"job1","credits_deducted":100}`),
			),
		)
		path := filepath.Join(t.TempDir(), "purchases.jsonl")
		client := s.Client(t, limited(1), stub.Logged(path))
		_, err := stub.Buy(t.Context(), client, purchases.OrderTraining(api.FaceTraining, "ch1", nil))
		outcome := map[bool]string{true: "refused", false: "unknown"}[missing]
		check.Equal(t, "the outcome in the log", stub.LinesOf(t, path)[1]["outcome"], any(outcome))
		check.True(
			t,
			"error",
			reply.LacksEndpoint(err) == missing && reply.IsEffectUnknown(err) != missing,
			status,
			err,
		)
		_, err = stub.Buy(t.Context(), client, purchases.OrderTraining(api.BodyTraining, "ch1", nil))
		check.True(t, "another training", errors.Is(err, purchases.ErrLimit) != missing, status, err)
	}
}

// Two batches at once cannot both pass a limit that has room for one. A
// purchase waits for the answer to the one before, which may have been dearer.
// Fault F28.
func TestPurchaseLimitHoldsForAllGoroutines(t *testing.T) {
	t.Parallel()
	for want, limit := range map[int]func(*stub.Config){6: limited(20), 2: pricedAt(12, 1)} {
		s := stub.NewService(
			t,
			stub.Always(200, strings.Replace(accepted, `"credits_deducted":1`, `"credits_deducted":9`, 1)),
		)
		client := s.Client(t, limit)
		check.Times(
			30,
			func(int) { _, _ = stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("a", "b", "c"))) },
		)
		check.Equal(t, "batches of 3 sent", len(s.Requests()), want)
	}
}

// As another process would; a refusal says since when.
// Fault F28.
func TestAnotherRunCountsFromZero(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]func(*stub.Config){"max_purchases": limited(1), "max_credits": pricedAt(1, 1)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stub.NewService(t, stub.Always(200, accepted))
			client := s.Client(t, limit)
			for range 2 {
				client = client.Anew()
				check.NoError(t, check.ErrorOf(stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("a")))))
				began := s.Clock.Now().UTC().Format(time.RFC3339)
				s.Clock.Advance(time.Hour)
				_, err := stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("b")))
				check.True(
					t,
					"the refusal",
					errors.Is(err, purchases.ErrLimit) && strings.Contains(err.Error(), name) &&
						strings.Contains(err.Error(), "this run, which began at "+began),
					err,
					began,
				)
			}
			check.Equal(t, "requests", len(s.Requests()), 2)
			check.Equal(t, "exchanges", s.Exchanges(), 1)
		})
	}
}
