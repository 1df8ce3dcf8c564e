package reply_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// decoded is the field "v" of a reply, read in every way that there is.
type decoded struct {
	Text, JSON, Wording *string
	Integer             *int64
	Number              *float64
	Flag                *bool
	Texts               []string
	Objects             int
	Whole               bool
}

func decodeBody(body []byte) (*decoded, error) {
	said, err := reply.DecodeObject(body)
	if err != nil {
		return nil, err
	}
	objects, whole := said.Objects("v")
	return &decoded{
		Text: said.Text("v"), Integer: said.Integer("v"), Number: said.Number("v"), Flag: said.Flag("v"),
		Texts: said.Texts("v"), JSON: said.JSON("v"), Wording: said.Message("v"), Objects: len(objects), Whole: whole,
	}, nil
}

func decode(t *testing.T, value string) *decoded {
	t.Helper()
	decoded, err := decodeBody([]byte(`{"v":` + value + `}`))
	check.Must(t, err)
	return decoded
}

// Fault F2.
func TestIntegersAreReadInEveryNotation(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]any{
		"12": int64(12), "12.0": int64(12), `"12"`: int64(12), `"12.0"`: int64(12), `" 12 "`: int64(12),
		"1e2": int64(100), "-3": int64(-3),
		"12.9": int64(12), "-12.9": int64(-12), "0": int64(0), "-0": int64(0), "0.5": int64(0), "1.5e1": int64(15),
		"9223372036854775807": int64(9223372036854775807), "-9223372036854775808": int64(-9223372036854775808),
		`"9223372036854775807"`: int64(9223372036854775807),
		"9223372036854775808":   nil, "9223372036854775807.0": nil, "-9223372036854775809": nil,
		"9223372036854775808.5": nil, "1e19": nil, "1e400": nil, "-1e400": nil, "1e999999999": nil,
		"null": nil, `""`: nil, `"twelve"`: nil, `"0x1f"`: nil, `"1_000"`: nil, `"inf"`: nil, `"NaN"`: nil,
		"true": nil, "[12]": nil, `{"a":12}`: nil, `"1.2.3"`: nil,
	} {
		check.Equal(t, value, deref(decode(t, value).Integer), want)
	}
}

func TestWholeNumbersAreExact(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"18446744073709551615": "18446744073709551615", `"18446744073709551615"`: "18446744073709551615",
		"9007199254740993.0": "9007199254740993", "-1": "-1", "12": "12", "1e2": "100", "0": "0",
		"1e999999999": "<nil>", "null": "<nil>", `"many"`: "<nil>", "[]": "<nil>", `"."`: "<nil>",
	} {
		object, err := reply.DecodeObject([]byte(`{"v":` + value + `}`))
		check.Must(t, err)
		check.Equal(t, value, fmt.Sprint(object.Whole("v")), want)
	}
}

// Sums of what is beyond reason end as infinite.
// Fault F24.
func TestNumbersAreWithinReasonOrNothing(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]any{
		"1.5": 1.5, `"1.5"`: 1.5, "1e2": 100.0, "7": 7.0, "0.1": 0.1, "1e15": 1e15, "-1e15": -1e15, "1e16": nil,
		"-1.7e308": nil, "1e400": nil, `"Inf"`: nil, `"NaN"`: nil, "null": nil, `"x"`: nil, "[]": nil, "false": nil,
	} {
		check.Equal(t, value, deref(decode(t, value).Number), want)
	}
}

func TestFlagsAreReadInEveryNotation(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]any{
		"true": true, "false": false, `"true"`: true, `"False"`: false, `" TRUE "`: true, "1": true, "0": false,
		"1.0": nil, `"1"`: true, `"0"`: false,
		"2": nil, "-1": nil, `"yes"`: nil, `""`: nil, "null": nil, "[]": nil, "{}": nil, "1e400": nil,
	} {
		check.Equal(t, value, deref(decode(t, value).Flag), want)
	}
}

func TestTextsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]any{
		`"a"`: "a", `""`: "", `" a\n\t "`: " a\n\t ", `"\u202eא"`: "\u202eא", "12": "12", "12.0": "12.0",
		"true": "true", "null": nil, "[]": nil, `{"a":"b"}`: nil,
	} {
		check.Equal(t, value, deref(decode(t, value).Text), want)
	}
}

func TestListsOfTexts(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][]string{
		`["a","b"]`: {"a", "b"}, `"a"`: {"a"}, `""`: nil, "null": nil, "[]": nil, `[null,"",{}]`: nil,
		`{"url":"u"}`: {"u"},
		`[{"url":"u"},{"message":"m"},{"other":"o"},"t",7]`: {"u", "m", `{"other":"o"}`, "t", "7"}, `[["a"]]`: {"a"},
	} {
		check.Equal(t, value, decode(t, value).Texts, want)
	}
}

func TestListsOfObjectsSayWhetherTheyAreWhole(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"[]": "0 true", "null": "0 true", `[{},{"a":1}]`: "2 true", `[{},null]`: "1 false", `["a"]`: "0 false",
		`{}`: "0 false", `"a"`: "0 false",
	} {
		decoded := decode(t, value)
		check.Equal(t, value, fmt.Sprint(decoded.Objects, decoded.Whole), want)
	}
	decoded, _ := decodeBody([]byte("{}"))
	check.True(t, "a missing list is not whole", !decoded.Whole)
}

func TestFreeFormIsNormalisedJSON(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]any{
		`{ "b" : 1.0, "a" : "<&>" }`: `{"a":"<&>","b":1.0}`, "null": nil,
		`"{\"b\":1, \"a\":2}"`: `"{\"b\":1, \"a\":2}"`, `"text"`: `"text"`, "[1, 2]": "[1,2]",
		"12345678901234567890": "12345678901234567890",
	} {
		check.Equal(t, value, deref(decode(t, value).JSON), want)
	}
}

func TestRepliesAreOneObject(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"v":1}`, "\ufeff" + `{"v":1}`, " \n{\"v\":1}\n ", `{"v":0,"v":1}`, `{"extra":{"v":[]},"v":1}`,
	} {
		decoded, err := decodeBody([]byte(body))
		check.True(t, body, err == nil && deref(decoded.Integer) == int64(1), decoded, err)
	}
	for body, want := range map[string]string{
		"": "empty", " \n": "empty", "\ufeff": "empty", `{"v":1`: "cut off", `{"v":1}}`: "goes on",
		`{"v":1}{"v":2}`: "goes on", `{"v":1} x`: "goes on",
		"[]": "not a JSON object", "null": "not a JSON object", `"x"`: "not a JSON object", "<html>": "not JSON",
		"{v:1}": "not JSON", `{"v":nan}`: "not JSON",
		strings.Repeat(`{"v":`, 20000): "not JSON",
	} {
		_, err := decodeBody([]byte(body))
		check.True(t, want, err != nil && strings.Contains(err.Error(), want), fmt.Sprintf("%.40q", body), err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"v":12.0}`, `{"v":"12"}`, `{"v":1e400}`, `{"v":[{"url":"u"},null]}`, "\ufeff{}", `{"v":{"message":{}}}`,
		`{"v":"{\"a\":1}"}`, `{"v":-9223372036854775808.9}`, `[]`, ``, `{"v":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		decoded, err := decodeBody(body)
		if err != nil {
			return
		}
		check.True(
			t,
			"finite",
			decoded.Number == nil || (!math.IsNaN(*decoded.Number) && !math.IsInf(*decoded.Number, 0)),
			body,
		)
		if decoded.JSON != nil {
			again, err := decodeBody([]byte(`{"v":` + *decoded.JSON + `}`))
			check.True(
				t,
				"what is normalised is stable",
				err == nil && again.JSON != nil && *again.JSON == *decoded.JSON,
				body,
				*decoded.JSON,
				err,
			)
		}
	})
}

func deref[T any](pointer *T) any {
	if pointer == nil {
		return nil
	}
	return *pointer
}

func BenchmarkDecode(b *testing.B) {
	character := `{"character_id":"ch_1","organization_id":"org_1","name":"Ada","description":"A text.",` +
		`"status":"ready","current_step":4,"face_images_count":10,"created_at":"2026-01-01T00:00:00Z"}`
	page := []byte(`{"characters":[` + character + strings.Repeat(","+character, 99) + `]}`)
	for b.Loop() {
		said, err := reply.DecodeObject(page)
		check.Must(b, err)
		if characters, whole := said.Objects("characters"); len(characters) != 100 || !whole {
			b.Fatal(len(characters))
		}
	}
}
