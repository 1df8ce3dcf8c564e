package purchases_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

func sum(text string) string {
	hash := sha256.Sum256([]byte(text))
	return hex.EncodeToString(hash[:])
}

func TestPurchaseLogOfABatch(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "purchases.jsonl")
	var before []map[string]any
	s := stub.NewService(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
		before = stub.LinesOf(t, path)
		stub.Respond(
			w,
			200,
			`{"batch_id":"b1","group_id":"grp1","results":[
			{"generation_id":"g2","prompt_index":1},{"generation_id":"g1","prompt_index":0},
			{"generation_id":"g9","prompt_index":9}],"credits_deducted":2,"remaining_balance":98}`,
		)
	})
	batch := stub.BatchOf("cover", "back")
	character := "ch1"
	title := "Portraits"
	batch.CharacterID = &character
	batch.GroupTitle = &title
	check.Must(t, check.ErrorOf(stub.Buy(t.Context(), s.Client(t, stub.Logged(path)), purchases.OrderBatch(batch))))
	sending := map[string]any{
		"time":         "2030-01-02T03:04:05Z",
		"request":      1,
		"type":         "batch",
		"outcome":      "sending",
		"character_id": "ch1",
		"title":        "Portraits",
		"prompts": map[string]any{
			"cover": sum(`{"prompt":"picture of cover"}`),
			"back":  sum(`{"prompt":"picture of back"}`),
		},
	}
	answered := maps.Clone(sending)
	maps.Copy(answered, map[string]any{
		"outcome":           "answered",
		"group_id":          "grp1",
		"batch_id":          "b1",
		"generations":       map[string]any{"cover": "g1", "back": "g2"},
		"certain":           false,
		"other_ids":         []any{"g9"},
		"credits_deducted":  2.0,
		"remaining_balance": 98.0,
	})
	check.Equal(t, "before it is sent", before, []map[string]any{sending})
	check.Equal(t, "after the answer", stub.LinesOf(t, path), []map[string]any{sending, answered})
	info, err := os.Stat(path)
	check.True(
		t,
		"who may read it",
		err == nil && (runtime.GOOS == "windows" || info.Mode().Perm() == 0o600),
		info,
		err,
	)
	for _, sent := range s.Requests() {
		check.True(
			t,
			"what is for the log alone is not sent",
			!strings.Contains(strings.ToLower(string(sent.Body)), `"key"`),
			string(sent.Body),
		)
	}
}

func TestPurchaseLogOfEveryOutcome(t *testing.T) {
	t.Parallel()
	type fields = map[string]any
	start := func(c *stub.Client) {
		_, _ = stub.Buy(t.Context(), c, purchases.OrderTraining(api.BodyTraining, "ch1", nil))
	}
	paint := func(c *stub.Client) {
		_, _ = stub.Buy(t.Context(), c, purchases.OrderImage(purchases.ImageRequest{Prompt: "a castle"}))
	}
	again := func(c *stub.Client) {
		_, _ = stub.Buy(t.Context(), c, stub.RegenerationOf("in the rain"))
	}
	deleteGroup := func(c *stub.Client) { _, _ = c.Buys.DeleteGroup(t.Context(), "grp1", "g1", "g2") }
	deleteOne := func(c *stub.Client) { _, _ = c.Buys.DeleteGeneration(t.Context(), "g1") }
	cancel := func(c *stub.Client) { _ = c.Buys.CancelTraining(t.Context(), "ch1", "job1") }
	training := fields{"type": "training", "character_id": "ch1"}
	image := fields{"type": "image", "prompts": fields{"0": sum(`"a castle"`)}}
	regeneration := fields{
		"type":         "image_regeneration",
		"character_id": "ch1",
		"image_id":     "i1",
		"prompts":      fields{"0": sum(`"in the rain"`)},
	}
	group := fields{"type": "delete_group", "group_id": "grp1"}
	generation := fields{"type": "delete_generation", "generation_id": "g1"}
	cancellation := fields{"type": "cancel_training", "character_id": "ch1", "job_id": "job1"}
	const bought, deletedInPart = `{"job_id":"job1","credits_deducted":100,"remaining_balance":5}`,
		`{"deleted_generations":2,"details":{"deleted_generation_ids":["g1","g3"],"failed_generation_ids":["g2"]}}`
	for name, test := range map[string]struct {
		answer  stub.Answer
		do      func(*stub.Client)
		sending fields
		outcome string
		more    fields // than when it was sent
	}{
		"training": {
			stub.Always(200, bought),
			start,
			training,
			"answered",
			fields{"job_id": "job1", "credits_deducted": 100.0, "remaining_balance": 5.0},
		},
		"image": {
			stub.Always(200, `{"output":["https://media.example.com/a.png"]}`),
			paint,
			image,
			"answered",
			nil,
		},
		"regeneration": {
			stub.Always(200, `{"image_id":"i2","approved":false}`),
			again,
			regeneration,
			"answered",
			fields{"other_ids": []any{"i2"}},
		},
		"lost":       {stub.Drop, start, training, "unknown", nil},
		"unreadable": {stub.Always(200, "<html>"), start, training, "unknown", fields{"status": 200.0}},
		"a group in the error": {
			stub.Always(502, `{"error":"upstream","group_id":"grp1"}`),
			start,
			training,
			"unknown",
			fields{"status": 502.0, "group_id": "grp1"},
		},
		"refused": {
			stub.Always(402, `{"error":"insufficient_credits","message":"picture of cover"}`),
			start,
			training,
			"refused",
			fields{"status": 402.0},
		},
		"group deleted for a part": {
			stub.Always(200, deletedInPart),
			deleteGroup,
			group,
			"answered",
			fields{"other_ids": []any{"g3"}, "left": []any{"g2"}},
		},
		"group gone": {
			stub.Always(404, `{"error":"not_found"}`),
			deleteGroup,
			group,
			"gone",
			fields{"status": 404.0},
		},
		"a gateway knows no group": {
			stub.Always(404, `<html>`), deleteGroup, group, "refused", fields{"status": 404.0},
		},
		"generation deleted": {stub.Always(200, `{"deleted_images":1}`), deleteOne, generation, "answered", nil},
		"deletion fails": {
			stub.Always(500, `{"error":"oops"}`),
			deleteOne,
			generation,
			"unknown",
			fields{"status": 500.0},
		},
		"deletion lost":      {stub.Drop, deleteOne, generation, "unknown", nil},
		"training cancelled": {stub.Always(200, `{"success":true}`), cancel, cancellation, "answered", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "purchases.jsonl")
			s := stub.NewService(t, test.answer)
			test.do(s.Client(t, stub.Logged(path), func(c *stub.Config) { c.MaxRetries = 0 }))
			want := []fields{{"outcome": "sending"}, {"outcome": test.outcome}}
			maps.Copy(want[0], test.sending)
			maps.Copy(want[1], test.sending)
			maps.Copy(want[1], test.more)
			got := stub.LinesOf(t, path)
			for i, line := range got {
				check.True(t, "the line's request", line["request"] == 1, i)
				delete(line, "request")
				delete(line, "time")
			}
			check.Equal(t, "entries", got, want)
		})
	}
}

// Without a line there is no purchase, and nothing of the limit is used up.
func TestPurchaseLogThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	for name, path := range map[string]string{
		"no directory": filepath.Join(directory, "missing", "log"),
		"a directory":  directory,
		"a device":     os.DevNull,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stub.NewService(t, stub.Always(200, accepted))
			client := s.Client(t, stub.Logged(path), limited(1))
			for range 2 {
				_, err := stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("a")))
				check.True(
					t,
					"error",
					errors.Is(err, purchases.ErrLog) && strings.Contains(err.Error(), path) &&
						!reply.IsEffectUnknown(err),
					err,
				)
			}
			err := client.PurchaseLog().Check()
			check.True(t, "the check", err != nil && strings.Contains(err.Error(), path), err)
			check.Equal(t, "requests", len(s.Requests()), 0)
			check.Equal(t, "exchanges", s.Exchanges(), 0)
		})
	}
}

// A check creates nothing.
func TestPurchaseLogIsCheckedWithoutATrace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "purchases.jsonl")
	s := stub.NewService(t, stub.Always(200, accepted))
	check.NoError(t, s.Client(t, stub.Logged(path)).PurchaseLog().Check())
	err := check.ErrorOf(os.Stat(path))
	check.True(t, "there is no file", errors.Is(err, os.ErrNotExist), err)
}

// An answer that cannot be written is handed out once, whole.
func TestPurchaseLogThatIsLostMeanwhile(t *testing.T) {
	t.Parallel()
	directory := filepath.Join(t.TempDir(), "logs")
	check.Must(t, os.Mkdir(directory, 0o700))
	s := stub.NewService(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
		check.NoError(t, os.RemoveAll(directory))
		stub.Respond(w, 200, accepted)
	})
	client := s.Client(t, stub.Logged(filepath.Join(directory, "log")))
	check.Must(t, check.ErrorOf(stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("a")))))
	entries := client.PurchaseLog().Unwritten()
	check.True(t, "what is unwritten", len(entries) == 1 && strings.Contains(entries[0], `"generations":{"a":"g1"}`) &&
		strings.Contains(entries[0], `"outcome":"answered"`) && strings.Contains(entries[0], "\n(open "), entries)
	check.Equal(t, "entries told again", len(client.PurchaseLog().Unwritten()), 0)
}

// Several processes may append to one file, of which one may have died within a
// line.
func TestPurchaseLogIsShared(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "purchases.jsonl")
	check.Must(t, os.WriteFile(path, []byte(`{"request":"cut o`), 0o600))
	s := stub.NewService(t, stub.Always(200, accepted))
	var group sync.WaitGroup
	var clients []*stub.Client
	for i := range 8 {
		client := s.Client(t, stub.Logged(path))
		clients = append(clients, client)
		group.Go(func() {
			for range 10 {
				check.NoError(
					t,
					check.ErrorOf(
						stub.Buy(
							t.Context(),
							client,
							purchases.OrderBatch(stub.BatchOf(fmt.Sprint(i), strings.Repeat(fmt.Sprint(i), 10_000))),
						),
					),
				)
			}
		})
	}
	group.Wait()
	for _, client := range clients { // who did not get the lock in time writes later
		check.Equal(t, "lines that cannot be written", len(client.PurchaseLog().Unwritten()), 0)
	}
	content, err := os.ReadFile(path)
	check.Must(t, err)
	whole := strings.TrimPrefix(string(content), `{"request":"cut o`+"\n")
	check.Must(t, os.WriteFile(path, []byte(strings.ReplaceAll(whole, "\n\n", "\n")), 0o600))
	check.Equal(t, "lines", len(stub.LinesOf(t, path)), 160)
}

// What another run has sent is not sent again; the own run is not asked. Of two
// runs at once one passes. Fault F31.
func TestPurchaseLogGuards(t *testing.T) {
	t.Parallel()
	for name, send := range map[string]func(context.Context, *stub.Client) error{
		"batch": func(ctx context.Context, c *stub.Client) error {
			return check.ErrorOf(stub.Buy(ctx, c, purchases.OrderBatch(stub.BatchOf("a"))))
		},
		"training": func(ctx context.Context, c *stub.Client) error {
			return check.ErrorOf(stub.Buy(ctx, c, purchases.OrderTraining(api.BodyTraining, "ch1", nil)))
		},
		"dataset": func(ctx context.Context, c *stub.Client) error {
			return check.ErrorOf(stub.Buy(ctx, c, purchases.OrderDataset(api.DatasetRequest{}, "ch1", nil)))
		},
		"image": func(ctx context.Context, c *stub.Client) error {
			return check.ErrorOf(stub.Buy(ctx, c, purchases.OrderImage(purchases.ImageRequest{Prompt: "a castle"})))
		},
		"regeneration": func(ctx context.Context, c *stub.Client) error {
			return check.ErrorOf(stub.Buy(ctx, c, stub.RegenerationOf("in the rain")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "purchases.jsonl")
			s := stub.NewService(
				t,
				stub.Always(
					200,
					`{"job_id":"job1","group_id":"grp1","results":[{"generation_id":"g1"}],`+
						`"output":["https://media.example.com/a"],"image_id":"i1"}`,
				),
			)
			limit := func(c *stub.Config) { c.MaxPurchases = new(int64(1)) }
			first := s.Client(t, stub.Logged(path))
			other := s.Client(t, stub.Logged(path), limit)
			check.NoError(t, send(t.Context(), first))
			check.NoError(t, send(t.Context(), first))
			for range 2 { // the limit is not used up
				err := send(t.Context(), other)
				bought, is := errors.AsType[*purchases.BoughtError](err)
				check.True(
					t,
					"refused, and nothing is unknown",
					is && len(bought.Found) == 1 && !reply.IsEffectUnknown(err),
					err,
				)
			}
			check.Equal(t, "requests", len(s.Requests()), 2)
		})
	}
}

// A rotated key, and another path of the host, are the same customer.
// Fault F39.
func TestPurchaseLogGuards_theSameCaller(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		other func(*stub.Config)
		sent  int
	}{
		"the same":        {func(*stub.Config) {}, 1},
		"another key":     {func(c *stub.Config) { c.APIKey = "another-key-0123456789" }, 1},
		"another address": {func(c *stub.Config) { c.BaseURL = c.BaseURL.JoinPath("again") }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "purchases.jsonl")
			s := stub.NewService(t, stub.Always(200, accepted))
			_, _ = stub.Buy(t.Context(), s.Client(t, stub.Logged(path)), purchases.OrderBatch(stub.BatchOf("a")))
			_, _ = stub.Buy(
				t.Context(),
				s.Client(t, stub.Logged(path), test.other),
				purchases.OrderBatch(stub.BatchOf("a")),
			)
			check.Equal(t, "requests", len(s.Requests()), test.sent)
		})
	}
}
