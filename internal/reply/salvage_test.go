package reply_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Python writes them, and no JSON has them.
// Fault F4.
func TestWhatIsNoNumberIsNull(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"v":NaN}`:                               `{"v":null}`,
		`{"v":[NaN, Infinity,-Infinity ,1]}`:      `{"v":[null,null,null,1]}`,
		`{"a":-Infinity,"v":"NaN, \"NaN\", Inf"}`: `{"a":null,"v":"NaN, \"NaN\", Inf"}`,
		`{"v":"ends in a backslash \\","w":NaN}`:  `{"v":"ends in a backslash \\","w":null}`,
		"\ufeff{\n\t\"v\" :\tNaN\n}":              `{"v":null}`,
		`{"NaN":Infinity}`:                        `{"NaN":null}`,
	} {
		said, err := reply.DecodeObject([]byte(body))
		check.True(t, body, err == nil && reply.Normalise(said) == want, reply.Normalise(said), want, err)
	}
	for _, body := range []string{
		`{NaN:1}`, `{"v":NaNa}`, `{"v":-NaN}`, `{"v":nan}`, `{"v":Infinity`, `{"v":"NaN}`, `{"v":NaN1}`, `NaN`,
	} {
		_, err := reply.DecodeObject([]byte(body))
		check.True(t, body, err != nil, err)
	}
}

// What can be read of a receipt is, whatever is wrong with the rest of it.
// Fault F4.
func TestSalvage(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"job_id":"job_1","credits_deducted":5}`:      `{"credits_deducted":5,"job_id":"job_1"}`,
		`{"job_id":"job_1","credits_deducted":5`:       `{"job_id":"job_1"}`, // it may be 50
		`{"job_id":"job_1","credits_deducted":5 `:      `{"credits_deducted":5,"job_id":"job_1"}`,
		`{"job_id":"job_1","credits_ded`:               `{"job_id":"job_1"}`,
		`{"job_id":"job_1`:                             `{}`, // it may be job_10
		`{"job_id":`:                                   `{}`,
		`{`:                                            `{}`,
		"\ufeff \n{\"a\":true,\"b\":false,\"c\":null}": `{"a":true,"b":false,"c":null}`,
		`{"a":tru`:                                     `{}`,
		`{"a":[{"b":"1"},{"b":"2","c":{"d":[1,2`:       `{"a":[{"b":"1"},{"b":"2","c":{"d":[1]}}]}`,
		`{"a":1}}`:                                     `{"a":1}`,
		`{"a":1}{"b":2}`:                               `{"a":1}`,
		`{"a":1} <html>`:                               `{"a":1}`,
		`{"a":nan,"b":None,"c":undefined,"d":'x',"e":"1"}`: `{"a":null,"b":null,"c":null,"d":null,"e":"1"}`,
		`{"b":2,}`:                           `{"b":2}`,
		`{"b":2,"a":[1,,2,],"c":3}`:          `{"a":[1],"b":2}`, // up to the first error
		`{"a":[{"b":1],"c":2}`:               `{"a":[{"b":1}]}`,
		`{"a":{"b":[1},"c":2}`:               `{"a":{"b":[1]}}`,
		`{"b":2,a:1}`:                        `{"b":2}`,
		`{"b":2,"a" 1}`:                      `{"b":2}`,
		"{\"a\":\"a\nb\",\"c\":1}":           `{"a":"a\nb","c":1}`,
		"{\"a\":\"\x00\t\x1f\",\"c\":1}\x00": `{"a":"\u0000\t\u001f","c":1}`,
		`{"a":"\x\u12\'\"","c":1}`:           `{"a":"\\x\\u12\\'\"","c":1}`,
		`{"a":"he said "hi" to me","c":1}`:   `{"a":"he said "}`,
		`{"a":01,"b":+1,"c":1.5e3}`:          `{"a":null,"b":null,"c":1.5e3}`,
		"{\"a\":1,\x00\"b\":2}":              `{"a":1}`,
		``:                                   `null`,
		`[{"a":1}]`:                          `null`,
		`<html>{"a":1}`:                      `null`,
		`"{}"`:                               `null`,
	} {
		got := reply.Salvage([]byte(body))
		check.Equal(t, body, reply.Normalise(got), want)
	}
	for body, want := range map[string]string{
		"{\"a\":\"x\ny\"}":                 `{"a":"x\ny"}`,
		"{\"a\":1}\x00\x00":                `{"a":1}`,
		`{"a":1}{"a":2}`:                   `{"a":1} and more`,
		"{\"a\":\"x\ny\"}\nWARNING: nan x": `{"a":"x\ny"} and more`,
		"{\"a\":\"x\ny\"} WARN":            `{"a":"x\ny"} and more`,
		"{\"a\":\"x\ny\"} \"half":          `{"a":"x\ny"} and more`,
		"{\"a\":\"x\ny\",\"b\":nan}":       "null: the reply is not JSON",
		"{\"a\":\"x\ny\",\"b\":1":          "null: the reply is not JSON",
	} {
		said, err := reply.DecodeFirst([]byte(body))
		got := reply.Normalise(said)
		switch {
		case reply.IsFollowed(err):
			got += " and more"
		case err != nil:
			got += ": " + err.Error()
		}
		check.Equal(t, body, got, want)
	}
	deep := reply.Salvage([]byte(strings.Repeat(`{"a":[`, 1_000_000)))
	check.True(t, "what is too deep ends", len(reply.Normalise(deep)) < 1000)
}

// A reply is read in one pass, whatever it is made of.
// Fault F24.
func TestSalvageIsLinear(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	for _, part := range []string{`"`, `{`, `[`, `"a",`, `:`, `\`, `NaN,`, `"\"`, `NaN `, "x", `}`, `"a":NaN,`} {
		body := []byte(`{"v":[` + strings.Repeat(part, size/len(part)))
		begun := time.Now()
		_, _ = reply.DecodeObject(body)
		reply.Salvage(body)
		took := time.Since(begun)
		check.True(t, "the time", took < 20*time.Second, part, took)
	}
}

// What is read of a beginning is what the whole says there, and of the whole it
// is everything.
func FuzzSalvage(f *testing.F) {
	for _, seed := range []string{
		`{"batch_id":"b1","results":[{"generation_id":"g1","prompt_index":0},` +
			`{"generation_id":"g2"}],"credits_deducted":2.5}`,
		`{"a":[[],{},[null,true,false,-1e-5]],"b":"\u00e4\ud83d\ude00\\\""}`, "\ufeff{\"a\":NaN}",
		`{"":{"":{"":""}}}`, `{"a":1,"a":2}`, `{"a":"}]"`,
	} {
		f.Add([]byte(seed), 20)
	}
	f.Fuzz(func(t *testing.T, body []byte, cut int) {
		reply.Salvage(body)
		said, err := reply.DecodeObject(body)
		text, failure := json.Marshal(said)
		if err != nil || failure != nil || strings.Count(string(body), "[")+strings.Count(string(body), "{") > 90 {
			return
		}
		whole, _ := reply.DecodeObject(text) // without doubled names
		check.True(
			t,
			"the whole",
			reflect.DeepEqual(withoutNulls(reply.Salvage(text)), withoutNulls(whole)),
			string(text),
		)
		part := reply.Salvage(text[:min(max(cut, 0), len(text))])
		check.True(t, "the beginning", begins(map[string]any(part), map[string]any(whole)), string(text), cut, part)
	})
}

// withoutNulls removes the fields that are null.
func withoutNulls(said map[string]any) map[string]any {
	for name, field := range said {
		if nested, is := field.(map[string]any); is {
			withoutNulls(nested)
		}
		items, _ := field.([]any)
		for _, item := range items {
			if nested, is := item.(map[string]any); is {
				withoutNulls(nested)
			}
		}
		if field == nil {
			delete(said, name)
		}
	}
	return said
}

// begins reports whether a value says nothing that the whole does not say in
// the same place.
func begins(part, whole any) bool {
	switch part := part.(type) {
	case map[string]any:
		fields, is := whole.(map[string]any)
		for name, field := range part {
			is = is && begins(field, fields[name])
		}
		return is || len(part) == 0
	case []any:
		items, is := whole.([]any)
		is = is && len(part) <= len(items)
		for i, item := range part {
			is = is && begins(item, items[i])
		}
		return is
	default:
		return fmt.Sprint(part) == fmt.Sprint(whole)
	}
}

// Fault F26.
func TestWhatCanBeAnID(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"g1", "a/b", "ä b", "%2f", "...", " g1 ", strings.Repeat("x", 1024)} {
		check.True(t, "an id", reply.IsID(id), id)
	}
	for _, id := range []string{
		"", " ", "\t", "\u00a0", ".", "..", "a\nb", "a\x00", "\x1b[31m", "a\u0085", "g\u202e1", "g\u00ad1", "g\u200b",
		strings.Repeat("x", 1025),
	} {
		check.True(t, "no id", !reply.IsID(id), id)
	}
}

// By its fields a reply is known as the service's, of whatever kind it is.
func TestHolds(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`[{"character_id":"c1"}]`:                true,
		`{"data":{"characters":[`:                true,
		"[{\"name\":\"a\nb\",\"character_id\":1": false, // half a number
		"<html>\"characters\":</html>":           false,
		`{"name":"characters"}`:                  false,
		`"characters"`:                           false,
		``:                                       false,
	} {
		check.Equal(t, body, reply.Holds([]byte(body), "characters", "character_id"), want)
	}
}
