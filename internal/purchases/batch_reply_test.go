package purchases_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// submitted submits a batch, and returns what the client and the log's last
// line say of the reply.
func submitted(
	t *testing.T,
	batch api.Batch,
	body string,
) (client *stub.Client, reply *api.BatchReply, answer map[string]any, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "purchases.jsonl")
	client = stub.NewService(t, stub.Always(200, body)).Client(t, stub.Logged(path), limited(10))
	reply, err = stub.Buy(t.Context(), client, purchases.OrderBatch(batch))
	lines := stub.LinesOf(t, path)
	return client, reply, lines[len(lines)-1], err
}

// Fault F5.
func TestBatchReply_findsThePromptOfEachResult(t *testing.T) {
	t.Parallel()
	entry := func(id string, index int64) string {
		return fmt.Sprintf(`{"generation_id":%q,"prompt_index":%d}`, id, index)
	}
	bare := func(id string) string { return fmt.Sprintf(`{"generation_id":%q}`, id) }
	for name, test := range map[string]struct {
		results []string
		count   int
		want    []string
		open    bool
		surplus []string
	}{
		"from 0":              {[]string{entry("a", 0), entry("b", 1)}, 2, []string{"a", "b"}, false, nil},
		"from 1":              {[]string{entry("a", 1), entry("b", 2)}, 2, []string{"a", "b"}, false, nil},
		"reordered from 1":    {[]string{entry("b", 2), entry("a", 1)}, 2, []string{"a", "b"}, false, nil},
		"one, from 1":         {[]string{entry("a", 1)}, 1, []string{"a"}, false, nil},
		"without index":       {[]string{bare("a"), bare("b")}, 2, []string{"a", "b"}, true, nil},
		"one, without index":  {[]string{bare("a")}, 1, []string{"a"}, false, nil},
		"fewer, base unclear": {[]string{entry("b", 1), entry("c", 2)}, 3, []string{"", "b", "c"}, true, nil},
		"fewer, base clear":   {[]string{entry("a", 0), entry("c", 2)}, 3, []string{"a", "", "c"}, false, nil},
		"doubled index":       {[]string{entry("a", 0), entry("b", 0)}, 2, []string{"a", "b"}, true, nil},
		"doubled result": {
			[]string{entry("a", 0), entry("a", 0), entry("b", 1)},
			2, []string{"a", "b"}, false, nil,
		},
		"more than asked": {
			[]string{entry("a", 0), entry("b", 1), entry("c", 2)},
			1, []string{"a"}, true, []string{"b", "c"},
		},
		"none": {nil, 2, []string{"", ""}, true, nil},
		"absurd and negative": {
			[]string{entry("a", -9223372036854775808), entry("b", 9223372036854775807)},
			2, []string{"a", "b"}, true, nil,
		},
		"one id of two prompts": {[]string{entry("a", 0), entry("a", 1)}, 2, []string{"a", "a"}, false, nil},
		"one id of two, twice": {
			[]string{entry("a", 0), entry("a", 0), entry("a", 1)},
			2, []string{"a", "a"}, false, nil,
		},
		"one id, without index": {[]string{bare("a"), bare("a")}, 2, []string{"a", "a"}, true, nil},
		"an id twice, no index": {[]string{bare("a"), bare("a"), bare("b")}, 2, []string{"a", "b"}, true, nil},
		"both 0 and the count":  {[]string{entry("a", 0), entry("b", 2)}, 2, []string{"a", "b"}, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, reply, answer, err := submitted(
				t,
				stub.BatchOf([]string{"a", "b", "c"}[:test.count]...),
				fmt.Sprintf(`{"batch_id":"b1","results":[%s]}`, strings.Join(test.results, ",")),
			)
			check.Must(t, err)
			var got []string
			for _, effect := range reply.Effects {
				got = append(got, effect.GenerationID)
			}
			check.Equal(t, "ids", got, test.want)
			check.Equal(t, "open", reply.IsOpen, test.open)
			check.Equal(t, "surplus", reply.UnmatchedIDs, test.surplus)
			isShared := slices.Equal(got, []string{"a", "a"})
			check.Equal(t, "certain, by the log", answer["certain"], any(!test.open && !isShared))
			others, _ := answer["other_ids"].([]any)
			check.Equal(t, "other ids of the log", fmt.Sprint(others), fmt.Sprint(test.surplus))
		})
	}
}

// Equal prompts may share a generation.
func TestBatchReply_oneIDOfTwo(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		second  api.Prompt
		certain bool
	}{
		"equal":          {api.Prompt{Key: "b", Prompt: "A", FaceSwap: new(true)}, true},
		"another take":   {api.Prompt{Key: "b", Prompt: "A", FaceSwap: new(true), Take: 1}, true},
		"another text":   {api.Prompt{Key: "b", Prompt: "B", FaceSwap: new(true)}, false},
		"another option": {api.Prompt{Key: "b", Prompt: "A", FaceSwap: new(false)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			batch := api.Batch{Prompts: []api.Prompt{{Key: "a", Prompt: "A", FaceSwap: new(true)}, test.second}}
			_, _, answer, err := submitted(
				t,
				batch,
				`{"results":[{"generation_id":"g1","prompt_index":0},{"generation_id":"g1","prompt_index":1}]}`,
			)
			check.Must(t, err)
			check.Equal(t, "certain", answer["certain"], any(test.certain))
			check.Equal(t, "generations", answer["generations"], any(map[string]any{"a": "g1", "b": "g1"}))
		})
	}
}

// Of two prompts: what became of each, how many were refused, by the reply, the
// log and the limit, and whether the reply accepts or names anything.
// Fault F14.
func TestBatchReply_effects(t *testing.T) {
	t.Parallel()
	effect := func(id, status, failure, unconfirmed string) api.PromptEffect {
		made := api.PromptEffect{GenerationID: id, Error: reply.Text(failure), Unconfirmed: unconfirmed}
		if status != "" {
			made.Status = new(reply.Text(status))
		}
		return made
	}
	const left, silent = "the service accepted the batch but its reply names no generation for this prompt",
		"the service's reply holds neither a generation nor an error for this prompt"
	const no, bought = `{"prompt_index":0,"error":"no"}`, `{"prompt_index":1,"generation_id":"g2"}`
	const contradicts = "the service's reply says both that the batch failed and that something was bought, and of " +
		"this prompt: "
	refused := effect("", "", "no", "")
	second := effect("g2", "", "", "")
	for name, test := range map[string]struct {
		body           string
		a, b           api.PromptEffect
		refused        int64
		rejected       []any // of the log
		accepts, names bool
		others         []string
	}{
		"one each": {
			`"results":[` + no + `,` + bought + `]`, refused, second, 1, []any{"a"}, true, true, nil,
		},
		"a status": {
			`"results":[{"prompt_index":0,"status":"REJECTED"},` + bought + `]`,
			effect("", "REJECTED", `the service gave no reason (status "REJECTED")`, ""),
			second, 1, []any{"a"}, true, true, nil,
		},
		"stopped": {
			`"results":[{"prompt_index":0,"status":"cancelled"},` + bought + `]`,
			effect("", "cancelled", `the service gave no reason (status "cancelled")`, ""),
			second, 1, []any{"a"}, true, true, nil,
		},
		"an error of none": {
			`"results":[{"prompt_index":0,"error":{"message":""},"status":"failed"},` + bought + `]`,
			effect("", "failed", `the service gave no reason (status "failed")`, ""),
			second, 1, []any{"a"}, true, true, nil,
		},
		"failed": {
			`"results":[{"prompt_index":0,"generation_id":"g1","error":"no"},` +
				`{"prompt_index":1,"generation_id":"g2","status":"failed"}]`,
			effect("g1", "", "no", ""),
			effect("g2", "failed", `the service gave no reason (status "failed")`, ""),
			0, nil, true, false, nil,
		},
		"running": {
			`"results":[{"prompt_index":0,"status":"queued"},` + bought + `]`,
			effect("", "queued", "", silent), second, 0, nil, true, true, nil,
		},
		"an empty id": {
			`"results":[{"prompt_index":0,"generation_id":""},` + bought + `]`,
			effect("", "", "", silent), second, 0, nil, true, true, nil,
		},
		"left out": {
			`"results":[` + no + `]`, refused, effect("", "", "", left), 1, []any{"a"}, false, false, nil,
		},
		"background": {
			`"results":[],"successful_submissions":0`,
			effect("", "", "", left), effect("", "", "", left), 0, nil, false, false, nil,
		},
		"and credits": {
			`"results":[],"credits_deducted":2`,
			effect("", "", "", left), effect("", "", "", left), 0, nil, true, false, nil,
		},
		"and a success": {
			`"results":[],"successful_submissions":1`,
			effect("", "", "", left), effect("", "", "", left), 0, nil, true, false, nil,
		},
		"charged": {
			`"credits_deducted":1,"results":[` + no + `,{"prompt_index":1,"error":"no"}]`,
			refused, refused, 2, []any{"a", "b"}, true, false, nil,
		},
		"waiting": {
			`"failed_submissions":2,"results":[` + no + `,{"prompt_index":1,"status":"queued"}]`,
			refused, effect("", "queued", "", silent), 1, []any{"a"}, false, false, nil,
		},
		"counts of some": {
			`"failed_submissions":1,"results":[]`,
			effect("", "", "", left), effect("", "", "", left), 0, nil, false, false, nil,
		},
		"counts of others": {
			`"failed_submissions":2,"total_requested":3,"results":[]`,
			effect("", "", "", left), effect("", "", "", left), 0, nil, false, false, nil,
		},
		"a count below 0": {
			`"failed_submissions":2,"successful_submissions":-1,"results":[]`,
			effect("", "", "", left), effect("", "", "", left), 0, nil, false, false, nil,
		},
		"counts against it": {
			`"successful_submissions":2,"results":[` + no + `,` + bought + `]`,
			refused, second, 0, nil, true, true, nil,
		},
		"counts of too many": {
			`"successful_submissions":5,"results":[` + no + `,` + bought + `]`,
			refused, second, 0, nil, true, true, nil,
		},
		"a surplus against it": {
			`"results":[` + no + `,{"prompt_index":1,"error":"no"},{"prompt_index":7,"generation_id":"g7"}]`,
			refused, refused, 1, nil, true, false, []string{"g7"},
		},
		"a contradiction": {
			`"success":false,"credits_deducted":1,"results":[{"prompt_index":0,"generation_id":"g1","error":"no"},` +
				bought + `]`,
			effect("", "", "", contradicts+`error "no", generation "g1"`),
			second, 0, nil, true, true, []string{"g1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, reply, answer, err := submitted(t, stub.BatchOf("a", "b"), `{"group_id":"grp1",`+test.body+`}`)
			check.Must(t, err)
			check.Equal(t, "effects", reply.Effects, []api.PromptEffect{test.a, test.b})
			check.Equal(t, "refused", reply.Refused, test.refused)
			check.True(
				t,
				"accepts, names",
				reply.Accepts() == test.accepts && reply.Names() == test.names,
				reply.Accepts(),
				reply.Names(),
			)
			rejected, _ := answer["rejected"].([]any)
			check.Equal(t, "rejected", rejected, test.rejected)
			others, _ := answer["other_ids"].([]any)
			check.Equal(t, "other ids", fmt.Sprint(others), fmt.Sprint(test.others))
			check.True(t, "the log", answer["outcome"] == isAccepted && answer["group_id"] == "grp1", answer)
			wantBought(t, client, fmt.Sprintf("max_purchases: %d", 2-test.refused))
		})
	}
}

// What the reply proves is an error, with which nothing was bought.
// Fault F14.
func TestBatchReply_allRefused(t *testing.T) {
	t.Parallel()
	const no, failed = `{"prompt_index":0,"error":"no"}`, `{"prompt_index":1,"status":"failed"}`
	both := []any{"a", "b"}
	for name, test := range map[string]struct {
		body, reason string
		rejected     []any
	}{
		"by entries":           {`"results":[` + no + `,{"prompt_index":1,"error":"never"}]`, "never", both},
		"by an entry's status": {`"message":"sorry","results":[` + no + `,` + failed + `]`, "no", both},
		"by statuses": {
			`"message":"sorry","results":[{"prompt_index":0,"status":"failed"},` + failed + `]`,
			"sorry",
			both,
		},
		"by statuses alone": {`"results":[{"prompt_index":0,"status":"failed"},` + failed + `]`, "no reason was " +
			"given", both},
		"by counts": {
			`"failed_submissions":2,"total_requested":2,"successful_submissions":0,"credits_deducted":0`,
			"no reason was given",
			nil,
		},
		"by counts and an entry": {`"failed_submissions":2,"results":[` + no + `]`, "no", []any{"a"}},
		"by counts, entries mute": {
			`"failed_submissions":2,"results":[{"prompt_index":0},{"prompt_index":1}]`,
			"no reason was given",
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, received, answer, err := submitted(t, stub.BatchOf("a", "b"), `{"group_id":"grp1",`+test.body+`}`)
			check.True(
				t,
				"refused",
				received == nil && reply.IsRefused(err) && api.NamedGroup(err) == "grp1",
				received,
				err,
			)
			check.Contains(t, "the reason", err.Error(), "every prompt was rejected: "+test.reason)
			rejected, _ := answer["rejected"].([]any)
			check.Equal(t, "rejected", rejected, test.rejected)
			check.True(t, "the log", answer["outcome"] == isRefused, answer)
			wantBought(t, client, "max_purchases: 0")
		})
	}
}

// What the reply to a batch has told is what the log tells the next run of it.
// Fault F31.
func TestBatchReply_toldToTheNextRun(t *testing.T) {
	t.Parallel()
	const a, b = `{"generation_id":"g1","prompt_index":0}`, `{"generation_id":"g2","prompt_index":1}`
	const other = `{"generation_id":"g9","prompt_index":1,"error":"no"}`
	for name, test := range map[string]struct {
		body        string
		keys        []string
		generations map[string]string
	}{
		"certain": {
			`"results":[` + b + `,` + a + `]`,
			[]string{"a", "b"},
			map[string]string{"a": "g1", "b": "g2"},
		},
		"without indices": {
			`"results":[{"generation_id":"g1"},{"generation_id":"g2"}]`,
			[]string{"a", "b"},
			map[string]string{"a": "g1", "b": "g2"},
		},
		"one refused": {
			`"results":[` + a + `,{"prompt_index":1,"error":"no"}]`,
			[]string{"a"},
			map[string]string{"a": "g1"},
		},
		"one without id": {`"successful_submissions":1,"results":[]`, []string{"a", "b"}, map[string]string{}},
		"a contradiction": {
			`"success":false,"credits_deducted":1,"results":[` + a + `,` + other + `]`,
			[]string{"a", "b"},
			map[string]string{"a": "g1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "purchases.jsonl")
			s := stub.NewService(t, stub.Always(200, `{"group_id":"grp1",`+test.body+`}`))
			check.Must(
				t,
				check.ErrorOf(
					stub.Buy(t.Context(), s.Client(t, stub.Logged(path)), purchases.OrderBatch(stub.BatchOf("a", "b"))),
				),
			)
			found := s.Client(t, stub.Logged(path)).
				PurchaseLog().
				Find(purchases.OrderBatch(stub.BatchOf("a", "b")).Entry, "new").
				Guarded
			if len(found) != 1 {
				t.Fatalf("found: %+v", found)
			}
			check.Equal(t, "keys", found[0].Keys, test.keys)
			check.Equal(t, "generations", found[0].Generations, test.generations)
			check.True(t, "the rest", found[0].IsAnswered && found[0].GroupID == "grp1", found)
		})
	}
}

const (
	isAccepted = "answered"
	isUnknown  = "unknown"
	isRefused  = "refused"
)

// The limit gets back only what was refused, and the log names the ids.
// Fault F22.
func TestOutcomeOfAReplyThatSaysNo(t *testing.T) {
	t.Parallel()
	batch := func(c *stub.Client) error {
		_, err := stub.Buy(t.Context(), c, purchases.OrderBatch(stub.BatchOf("a")))
		return err
	}
	training := func(c *stub.Client) error {
		_, err := stub.Buy(t.Context(), c, purchases.OrderTraining(api.BodyTraining, "ch1", nil))
		return err
	}
	const ids = `"results":[{"generation_id":"g1","prompt_index":0}]`
	for name, test := range map[string]struct {
		buy    func(*stub.Client) error
		status int
		body   string
		want   string
		quoted []any
	}{
		"ids and credits": {
			batch, 200,
			`{"success":false,"credits_deducted":1,` + ids + `}`,
			isAccepted, []any{"g1"},
		},
		"ids and credits as text": {
			batch, 200,
			`{"success":"false","credits_deducted":"1",` + ids + `}`,
			isAccepted, []any{"g1"},
		},
		"ids and credits in a 207": {
			batch, 207,
			`{"success":false,"error":"partial","credits_deducted":0.5,` + ids + `}`,
			isAccepted, []any{"g1"},
		},
		"ids and successes": {
			batch, 200,
			`{"success":false,"successful_submissions":1,` + ids + `}`,
			isAccepted, []any{"g1"},
		},
		"ids and credits beyond reason": {
			batch, 200,
			`{"success":false,"credits_deducted":1e400,` + ids + `}`,
			isAccepted, []any{"g1"},
		},
		"credits alone":        {batch, 200, `{"success":false,"credits_deducted":1}`, isAccepted, nil},
		"an error and credits": {batch, 200, `{"error":"no","credits_deducted":1}`, isAccepted, nil},
		"an id with its own error": {
			batch, 200,
			`{"success":false,"credits_deducted":1,"results":[{"generation_id":"g1","error":"no"}]}`,
			isAccepted, []any{"g1"},
		},
		"an error beside results": {batch, 200, `{"error":"no",` + ids + `}`, isAccepted, []any{"g1"}},
		"ids alone":               {batch, 200, `{"success":false,` + ids + `}`, isUnknown, []any{"g1"}},
		"ids alone in a 207":      {batch, 207, `{"success":0,` + ids + `}`, isUnknown, []any{"g1"}},
		"ids and no credits": {
			batch, 200,
			`{"success":false,"credits_deducted":0,"successful_submissions":0,` + ids + `}`,
			isUnknown, []any{"g1"},
		},
		"nothing": {batch, 200, `{"success":false}`, isRefused, nil},
		"credits of null": {
			batch, 200,
			`{"success":false,"credits_deducted":null,"results":[]}`,
			isRefused, nil,
		},
		"credits of 0": {
			batch, 200,
			`{"success":false,"credits_deducted":0,"results":[{"generation_id":""}]}`,
			isRefused, nil,
		},
		"negative credits":        {batch, 200, `{"success":false,"credits_deducted":-1}`, isRefused, nil},
		"an error and no results": {batch, 200, `{"error":"no","batch_id":"b1","results":[]}`, isRefused, nil},
		"echoed ids": {
			batch, 200,
			`{"success":false,"character_id":"ch1","group_id":"grp1","batch_id":"b1"}`,
			isRefused, nil,
		},
		"a 4xx with ids": {
			batch, 409,
			`{"error":"exists","credits_deducted":1,` + ids + `}`,
			isRefused, nil,
		},
		"a 5xx with ids": {batch, 500, `{"error":"oops",` + ids + `}`, isUnknown, nil},
		"a job and credits": {
			training, 200,
			`{"success":false,"job_id":"job1","credits_deducted":100}`,
			isAccepted, nil,
		},
		"a job": {training, 200, `{"success":false,"job_id":"job1"}`, isUnknown, []any{"job1"}},
		"a job and an error": {
			training, 200,
			`{"error":"no","job_id":"job1","credits_deducted":0}`,
			isUnknown, []any{"job1"},
		},
		"a job of null": {
			training, 200,
			`{"success":false,"job_id":null,"training_steps":10}`,
			isRefused, nil,
		},
		"a job of 0":       {training, 200, `{"error":"no","job_id":0}`, isRefused, nil},
		"a 409 with a job": {training, 409, `{"error":"running","job_id":"job1"}`, isRefused, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "purchases.jsonl")
			s := stub.NewService(t, stub.Always(test.status, test.body))
			client := s.Client(t, stub.Logged(path), limited(1))
			err := test.buy(client)
			check.True(
				t,
				"the outcome",
				(err == nil) == (test.want == isAccepted) && reply.IsEffectUnknown(err) == (test.want == isUnknown) &&
					reply.IsRefused(err) == (test.want == isRefused),
				test.want,
				err,
			)
			lines := stub.LinesOf(t, path)
			last := lines[len(lines)-1]
			quoted, _ := last["other_ids"].([]any)
			if held, is := last["generations"].(map[string]any); is {
				quoted = append(quoted, held["a"])
			}
			check.True(t, "logged", cmp.Equal(quoted, test.quoted) && last["outcome"] == test.want, last)
			err = test.buy(client)
			check.True(t, "another purchase", errors.Is(err, purchases.ErrLimit) != (test.want == isRefused), err)
			check.True(
				t,
				"requests",
				len(s.Requests()) <= 2 && (test.want == isRefused || len(s.Requests()) == 1),
				len(s.Requests()),
			)
		})
	}
}

// A prompt has the id without an error of its own, and nothing else is certain.
// Fault F22.
func TestBatchThatSaysNoAndWasAccepted(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.Always(200, `{"success":false,"credits_deducted":1,"results":[{"generation_id":"g1","prompt_index":0},
		{"generation_id":"g2","prompt_index":1,"error":"no"},{"prompt_index":2,"status":"failed"}]}`),
	)
	reply, err := stub.Buy(t.Context(), s.Client(t), purchases.OrderBatch(stub.BatchOf("a", "b", "c")))
	check.Must(t, err)
	for i, effect := range reply.Effects {
		held := i == 0
		check.True(
			t,
			"the prompt",
			(effect.Unconfirmed == "") == held && (effect.GenerationID != "") == held && effect.Error == "" &&
				(held || effect.Status == nil),
			i,
			effect,
		)
	}
	check.True(
		t,
		"quoted, and the indices decide",
		cmp.Equal(reply.OtherIDs, []string{"g2"}) && !reply.IsOpen,
		reply.OtherIDs,
		reply.IsOpen,
	)
}
