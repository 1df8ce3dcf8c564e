package evidence_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
)

// reads are the shared reads of a character, and what has each read again.
var reads = map[string]struct {
	read  func(context.Context, *stub.Client) error
	write func(context.Context, *stub.Client)
}{
	"capabilities": {
		func(ctx context.Context, c *stub.Client) error {
			_, err := c.Characters.CapabilitiesOnce(ctx, "ch1")
			return err
		},
		func(_ context.Context, c *stub.Client) { c.Trainings.Refresh("ch1") },
	},
	"capabilities and a training": {
		func(ctx context.Context, c *stub.Client) error {
			_, err := c.Characters.CapabilitiesOnce(ctx, "ch1")
			return err
		},
		func(ctx context.Context, c *stub.Client) {
			_, _ = stub.Buy(ctx, c, stub.TrainingOf("ch1"))
		},
	},
	"training status": {
		func(ctx context.Context, c *stub.Client) error {
			_, err := c.Trainings.StatusOnce(ctx, "ch1")
			return err
		},
		func(ctx context.Context, c *stub.Client) {
			_, _ = stub.Buy(ctx, c, stub.TrainingOf("ch1"))
		},
	},
	"dataset": {
		func(ctx context.Context, c *stub.Client) error {
			_, err := c.Datasets.ImagesOnce(ctx, "ch1")
			return err
		},
		func(ctx context.Context, c *stub.Client) {
			_, _ = stub.Buy(ctx, c, stub.RegenerationOf("p"))
		},
	},
	"assets": {
		func(ctx context.Context, c *stub.Client) error {
			_, err := c.Images.ListOnce(ctx, "ch1")
			return err
		},
		func(ctx context.Context, c *stub.Client) {
			_, _ = stub.Buy(ctx, c, stub.TrainingOf("ch2"))
		},
	},
}

const everyReply = `{"success":true,"job_id":"j","can_generate":true,"has_active_training":false,"images":[],` +
	`"assets":[],"total":0}`

// Fault F10.
func TestReadsAreShared(t *testing.T) {
	t.Parallel()
	for name, shared := range reads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gets := 0
			s := stub.NewService(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if r.Method == http.MethodGet {
					gets++
				}
				if n == 1 {
					stub.Status(402)(w, r, n)
					return
				}
				stub.Respond(w, 200, everyReply)
			})
			client := s.Client(t)
			check.True(t, "the first read fails", shared.read(t.Context(), client) != nil)
			for round := 2; round <= 3; round++ {
				check.Times(10, func(int) { check.NoError(t, shared.read(t.Context(), client)) })
				check.Equal(t, "reads", gets, round)
				shared.write(t.Context(), client)
			}
		})
	}
}

// It may be old: it is for the reader alone, and for nobody who waits for the
// same. Fault F10.
func TestAReadThatAChangeOvertakesIsNotKept(t *testing.T) {
	t.Parallel()
	for name, shared := range reads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var client *stub.Client
			gets := 0
			waited := make(chan error, 1)
			s := stub.NewService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
				if r.Method == http.MethodGet {
					gets++
					if gets == 1 {
						go func() { waited <- shared.read(t.Context(), client) }()
						runtime.Gosched()
						shared.write(t.Context(), client)
					}
				}
				stub.Respond(w, 200, everyReply)
			})
			client = s.Client(t)
			check.NoError(t, shared.read(t.Context(), client))
			err := <-waited
			check.True(t, "the one who waited", err == nil && gets >= 2, err, gets)
		})
	}
}

// The capabilities of one character say nothing of another's.
func TestAChangeOfOneCharacterLeavesTheReadsOfOthers(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, everyReply))
	client := s.Client(t)
	for range 2 {
		check.Must(t, check.ErrorOf(client.Characters.CapabilitiesOnce(t.Context(), "ch2")))
		client.Trainings.Refresh("ch1")
	}
	check.Equal(t, "requests sent", len(s.Requests()), 1)
}

func TestAnotherRunReadsAgain(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, lists(`{"character_id":"ch1"}`, stub.Always(200, everyReply)))
	client := s.Client(t)
	ctx := t.Context()
	read := func() error {
		_, _, character := client.Characters.Find(ctx, "ch1")
		_, capabilities := client.Characters.CapabilitiesOnce(ctx, "ch1")
		_, training := client.Trainings.StatusOnce(ctx, "ch1")
		_, dataset := client.Datasets.ImagesOnce(ctx, "ch1")
		_, assets := client.Images.ListOnce(ctx, "ch1")
		return errors.Join(character, capabilities, training, dataset, assets)
	}
	for _, want := range []int{5, 5, 10} {
		if want == 10 {
			client = client.Anew()
		}
		err := read()
		check.True(t, "the requests", err == nil && len(s.Requests()) == want, len(s.Requests()), want, err)
	}
}

// The race detector sees what the calls of a client share and nothing guards.
func TestAClientIsUsedAtOnce(t *testing.T) {
	t.Parallel()
	most := int64(1_000_000)
	price := 1.0
	to := func(log string) *stub.Client {
		return stub.InBubble(t, func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/grp2") {
				return stub.JSON(r, 405, ""), nil
			}
			return stub.JSON(
				r,
				200,
				`{"character_id":"ch1","name":"Ada",
				"characters":[{"character_id":"ch1","organization_id":"org_1","name":"Ada"}],
				"generations":[],"pagination":{"limit":100,"offset":0,"returned":1,"has_more":false},
				"batch_id":"b1","credits_deducted":2,"deleted_images":1}`,
			), nil
		}, func(c *stub.Config) {
			c.Clock = stub.NewClock()
			c.PurchaseLogs = []string{log}
			c.MaxPurchases = &most
			c.ExtendedReads = true
			c.Prices = map[string]*float64{"generation": &price}
		})
	}
	client := to("")
	logging := to(t.TempDir())                // which no entry can be written to
	ctx := context.WithoutCancel(t.Context()) // of the parent, which ends first
	for name, acts := range map[string][]func(c *stub.Client){
		"characters": {
			func(c *stub.Client) { _, _, _ = c.Characters.Find(ctx, "ch1") },
			func(c *stub.Client) { c.Characters.Refresh() },
			func(c *stub.Client) { _, _ = c.Characters.Update(ctx, "ch1", api.CharacterUpdate{Name: "Grace"}) },
			func(c *stub.Client) { _, _ = c.Characters.Since(ctx, nil) },
			func(c *stub.Client) { c.Characters.Listed() },
		},
		"what is listed": {
			func(c *stub.Client) { _, _ = c.Characters.Create(ctx, api.CharacterCreation{Name: "Ada"}) },
			func(c *stub.Client) { c.Characters.TryFind(ctx, "ch1") }, func(c *stub.Client) { c.Known("") },
			func(c *stub.Client) { c.Seen(evidence.Evidence{}) },
		},
		"purchases": {
			func(c *stub.Client) { _, _ = stub.Buy(ctx, c, stub.OrderOf("a")) },
			func(c *stub.Client) { _, _ = stub.Buy(ctx, c, stub.OrderOf("b")) },
		},
		"extended reads": {
			func(c *stub.Client) { _, _ = c.Groups.GetOptional(ctx, "grp1") },
			func(c *stub.Client) { _, _ = c.Groups.GetOptional(ctx, "grp2") },
			func(c *stub.Client) { _ = c.FailedRead() },
		},
		"log": {
			func(*stub.Client) { _, _ = logging.Generations.Delete(ctx, "g1") },
			func(*stub.Client) { logging.PurchaseLog().Unwritten() },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 20 {
				fresh := client.Anew()
				check.Times(4*len(acts), func(i int) {
					for range 20 {
						acts[i%len(acts)](fresh)
					}
				})
			}
		})
	}
}
