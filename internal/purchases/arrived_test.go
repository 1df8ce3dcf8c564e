package purchases_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// receipt is the reply to a batch of three.
const receipt = `{"group_id":"grp_1","credits_deducted":7.5,"results":[` +
	`{"prompt_index":0,"generation_id":"g1"},{"prompt_index":1,"generation_id":"g2"},{"prompt_index":2,` +
	`"generation_id":"g3"}]}`

// Of a receipt that is cut somewhere the outcome is unknown, and what has
// arrived is named, logged and counted, once. Fault F4.
func TestOfAReceiptThatIsCutWhatArrivedIsNamed(t *testing.T) {
	t.Parallel()
	for cut := 0; cut < len(receipt); cut += 3 {
		body := receipt[:cut]
		path := filepath.Join(t.TempDir(), "purchases.jsonl")
		s := stub.NewService(t, stub.Always(200, body))
		client := s.Client(t, stub.Logged(path))
		made, err := stub.Buy(t.Context(), client, purchases.OrderBatch(stub.BatchOf("a", "b", "c")))
		check.True(t, "unknown after one request", reply.IsEffectUnknown(err) && len(s.Requests()) == 1, body, err)
		lines := stub.LinesOf(t, path)
		last := lines[len(lines)-1]
		check.Equal(t, "the outcome in the log", last["outcome"], any("unknown"))
		logged := fmt.Sprint(last["generations"])
		for i, key := range []string{"a", "b", "c"} {
			id := fmt.Sprintf("g%d", i+1)
			arrived := strings.Contains(body, `"`+id+`"`)
			_, names, _ := strings.Cut(err.Error(), ", it names ")
			named := strings.Contains(names, fmt.Sprintf("%q", id))
			check.Equal(t, body+": named", named, arrived)
			check.Equal(t, body+": logged", strings.Contains(logged, key+":"+id), arrived)
			check.Equal(t, body+": returned", made != nil && made.Effects[i].GenerationID == id, arrived)
		}
		check.Equal(t, body+": other ids", last["other_ids"], nil)
		arrived := strings.Contains(body, `"grp_1"`)
		check.Equal(t, body+": the group is named", api.NamedGroup(err) == "grp_1", arrived)
		check.Equal(t, body+": the group is logged", last["group_id"] == "grp_1", arrived)
		arrived = strings.Contains(body, "7.5,")
		check.Equal(t, body+": the credits are named", strings.Contains(err.Error(), "credits_deducted 7.5"), arrived)
		check.Equal(t, body+": the credits are logged", last["credits_deducted"] == 7.5, arrived)
	}
}

// What follows a detail that is no JSON has arrived, too.
// Fault F4.
func TestOfAReceiptThatIsBrokenWhatCanBeReadIsNamed(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]string{
		"a word":       strings.Replace(receipt, "7.5", `7.5,"score":nan`, 1),
		"a comma":      strings.Replace(receipt, "}]}", "},]}", 1),
		"a lost brace": strings.Replace(receipt, `"g3"}`, `"g3"`, 1),
	} {
		path := filepath.Join(t.TempDir(), "purchases.jsonl")
		s := stub.NewService(t, stub.Always(200, broken))
		_, err := stub.Buy(
			t.Context(),
			s.Client(t, stub.Logged(path)),
			purchases.OrderBatch(stub.BatchOf("a", "b", "c")),
		)
		check.True(t, name+": unknown", reply.IsEffectUnknown(err) && len(s.Requests()) == 1, err)
		check.Contains(t, name, err.Error(), `group_id "grp_1"`, `it names "g1", "g2", "g3"`, "credits_deducted 7.5")
		lines := stub.LinesOf(t, path)
		last := lines[len(lines)-1]
		check.Equal(
			t,
			name+": logged",
			fmt.Sprint(last["generations"], last["group_id"], last["credits_deducted"], last["certain"]),
			"map[a:g1 b:g2 c:g3]grp_17.5 false",
		)
	}
}

// What is whole in a receipt counts, whatever is in its texts and behind it.
// Fault F4.
func TestAReceiptThatCanBeRead(t *testing.T) {
	t.Parallel()
	said := func(text string) string {
		return strings.Replace(receipt, `"group_id"`, `"message":"`+text+`","group_id"`, 1)
	}
	for name, body := range map[string]string{
		"a line end":      said("two\nlines"),
		"a tab":           said("a\tb"),
		"a NUL":           said("a\x00b"),
		"no escape":       said(`it\'s \x41`),
		"a log behind it": receipt + "\nWARNING: retried",
		"twice":           receipt + receipt,
		"filled up":       receipt + "\x00\x00",
		"an error behind": receipt + `{"error":"too late"}`,
	} {
		path := filepath.Join(t.TempDir(), "purchases.jsonl")
		s := stub.NewService(t, stub.Always(200, body))
		made, err := stub.Buy(
			t.Context(),
			s.Client(t, stub.Logged(path)),
			purchases.OrderBatch(stub.BatchOf("a", "b", "c")),
		)
		check.Must(t, err)
		check.True(t, name, made.Effects[2].GenerationID == "g3" && len(s.Requests()) == 1, made)
		lines := stub.LinesOf(t, path)
		last := lines[len(lines)-1]
		check.Equal(t, name+": logged", fmt.Sprint(last["outcome"], last["credits_deducted"]), "answered7.5")
	}
	refused := `{"success":false,"message":"no"}`
	s := stub.NewService(t, stub.Always(200, refused+receipt))
	_, err := stub.Buy(t.Context(), s.Client(t), purchases.OrderBatch(stub.BatchOf("a", "b", "c")))
	check.True(t, "a refusal that goes on", reply.IsEffectUnknown(err) && len(s.Requests()) == 1, err)
}

// One rating that is no number spoils nothing.
// Fault F4.
func TestAReceiptWithWhatIsNoNumber(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.Always(200, strings.Replace(receipt, "7.5", `7.5,"score":NaN,"estimated_time":-Infinity`, 1)),
	)
	made, err := stub.Buy(t.Context(), s.Client(t), purchases.OrderBatch(stub.BatchOf("a", "b", "c")))
	check.True(
		t,
		"accepted",
		err == nil && made.Effects[2].GenerationID == "g3" && made.EstimatedTime == nil,
		made,
		err,
	)
}

// What a cut reply says was deducted counts, where that is more than was
// reserved. Fault F4.
func TestACutReceiptCountsItsCredits(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, `{"job_id":"job_1","credits_deducted":9,"mess`))
	client := s.Client(t, func(c *stub.Config) {
		c.MaxCredits = new(10.0)
		c.Prices = map[string]*float64{purchases.KindTraining: new(2.0)}
	})
	arrived, err := stub.Buy(t.Context(), client, purchases.OrderTraining(api.BodyTraining, "ch1", nil))
	check.True(t, "unknown", reply.IsEffectUnknown(err) && *arrived.JobID == "job_1", arrived, err)
	check.Contains(t, "what has arrived", err.Error(), `it names "job_1"`, "credits_deducted 9")
	_, err = stub.Buy(t.Context(), client, purchases.OrderTraining(api.BodyTraining, "ch2", nil))
	check.True(
		t,
		"no more than the limit",
		!reply.IsEffectUnknown(err) && len(s.Requests()) == 1,
		err,
		len(s.Requests()),
	)
}

// Fault F4.
// Fault F26.
func TestWhatNoRequestCouldNameIsNoID(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1025)
	for odd, shown := range map[string]string{
		`"a\u0000b"`: `"a<U+0000>b"`, `"\u001b[31mg1"`: `"<U+001B>[31mg1"`, `"g\u202e1"`: `"g<U+202E>1"`,
		`"g\u200b1"`: `"g<U+200B>1"`, `"."`: `"."`, `".."`: `".."`, `"` + long + `"`: `"` + long[:100] + `…"`,
		`""`: "", `" "`: "", `"\t\n"`: "", "null": "",
	} {
		for _, also := range []string{"", `,"status":"failed"`, `,"error":"no"`} {
			if shown == "" && also != "" {
				continue // that is a refusal
			}
			failed := min(len(shown), 1) // what else says so is a refusal
			body := fmt.Sprintf(
				`{"failed_submissions":%d,"results":[{"prompt_index":0,"generation_id":%s%s}]}`,
				failed,
				odd,
				also,
			)
			_, made, answer, err := submitted(t, stub.BatchOf("a"), body)
			check.Must(t, err)
			effect := made.Effects[0]
			check.True(
				t,
				odd,
				effect.GenerationID == "" && effect.Error == "" && effect.Unconfirmed != "" && made.Refused == 0,
				effect,
				made.Refused,
			)
			check.Contains(t, odd, effect.Unconfirmed, shown)
			check.True(
				t,
				"tamed",
				len(effect.Unconfirmed) < 300 && reply.Shown(effect.Unconfirmed, 1000) == effect.Unconfirmed,
				effect.Unconfirmed,
			)
			check.Equal(t, odd+": logged as of a prompt", fmt.Sprint(answer["generations"]), fmt.Sprint(nil))
			check.Equal(t, odd+": logged", answer["other_ids"] != nil, shown != "")
		}
		s := stub.NewService(t, stub.Always(200, `{"credits_deducted":5,"job_id":`+odd+`}`))
		started, err := stub.Buy(t.Context(), s.Client(t), purchases.OrderTraining(api.BodyTraining, "ch1", nil))
		check.True(
			t,
			"no job",
			err == nil && started.JobID == nil &&
				strings.Contains(fmt.Sprintf("%q", started.OddJobID), strings.Trim(shown, `"`)),
			odd,
			started,
			err,
		)
	}
	uploader := stub.NewService(t, stub.Always(200, `{"asset_id":"a\u0000b"}`)).Client(t)
	_, err := uploader.Images.Upload(t.Context(), api.FaceImages, "ch1", "", stub.FaceImage("content"))
	check.True(t, "no asset", reply.IsEffectUnknown(err) && !strings.Contains(err.Error(), "\x00"), err)
	creation := api.CharacterCreation{Name: "n"}
	_, err = stub.NewService(
		t,
		stub.Always(200, `{"character_id":"..","name":"n"}`),
	).Client(t).
		Characters.Create(t.Context(), creation)
	check.True(t, "no character", reply.IsEffectUnknown(err), err)
	_, made, _, err := submitted(
		t,
		stub.BatchOf("a"),
		`{"group_id":"grp\n1","results":[{"prompt_index":0,"generation_id":"g1"}]}`,
	)
	check.True(t, "no group", err == nil && made.GroupID == nil && made.Effects[0].GenerationID == "g1", made, err)
}
