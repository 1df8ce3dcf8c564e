package reply_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// What a text of a reply is stored as follows from what its field holds.
// Fault F36.
func TestThroughDoor(t *testing.T) {
	t.Parallel()
	const hidden = `"a\n\tb\u001b\u202ec\u200d"`
	for said, want := range map[string]string{
		`{"prompt":` + hidden + `}`:         "{\"prompt\":\"a\\n\\tbc\u200d\"}",
		`{"status":` + hidden + `}`:         "{\"status\":\"a  b<U+001B><U+202E>c\u200d\"}",
		`{"result_urls":[` + hidden + `]}`:  "{\"result_urls\":[\"a  b<U+001B><U+202E>c\u200d\"]}",
		`{"job_id":` + hidden + `}`:         `{"job_id":"a<U+000A><U+0009>b<U+001B><U+202E>c<U+200D>"}`,
		`{"job_id":" \n"}`:                  `{"job_id":""}`,
		`{"a":[{"error":"x\r\ny"},1,null]}`: `{"a":[{"error":"x y"},1,null]}`,
		`{"a\u0007":true}`:                  `{"a<U+0007>":true}`,
		`{"error":"said SECRET"}`:           `{"error":"said [redacted]"}`,
		`{"prompt":"said SECRET"}`:          `{"prompt":"said [redacted]"}`,
		`{"view_url":"https://x/?SECRET"}`:  `{"view_url":"` + reply.NotShown + `"}`,
		`{"output":["SECRET","b"]}`:         `{"output":["` + reply.NotShown + `","b"]}`,
		`{"generation_id":"g-SECRET"}`:      `{"generation_id":"` + reply.NotShown + `"}`,
		`{"SECRET":{"ids":["SECRET"]}}`:     `{"[redacted]":{"ids":["[redacted]"]}}`,
		`{"deleted_ids":["SECRET"]}`:        `{"deleted_ids":["` + reply.NotShown + `"]}`,
	} {
		object, err := reply.DecodeObject([]byte(said))
		check.Must(t, err)
		withhold := func(text string) string { return strings.ReplaceAll(text, "SECRET", reply.Redacted) }
		check.Equal(t, said, reply.Normalise(object.ThroughDoor(withhold)), want)
		for _, id := range object.Texts("generation_id") {
			check.True(t, "no id", !reply.IsID(id), id)
		}
	}
}
