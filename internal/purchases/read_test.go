package purchases_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// sendingLine is an entry as a log has it, without its line feed.
func sendingLine(request, key string) string {
	return fmt.Sprintf(
		`{"time":"2026-01-01T00:00:00Z","request":%q,"type":"batch","outcome":"sending","version":2,`+
			`"by":{"run":"x","address":"api","organization":"org"},"character_id":"ch","title":"Porträt",`+
			`"prompts":{%q:%q}}`,
		request,
		key,
		purchases.SumOf(key),
	)
}

// inUTF16 encodes a text as Windows does.
func inUTF16(text string, order binary.AppendByteOrder) []byte {
	encoded := order.AppendUint16(nil, 0xfeff)
	for _, unit := range utf16.Encode([]rune(text)) {
		encoded = order.AppendUint16(encoded, unit)
	}
	return encoded
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, err := writer.Write([]byte(text))
	check.Must(t, err)
	check.Must(t, writer.Close())
	return packed.Bytes()
}

func indented(t *testing.T, text string) string {
	t.Helper()
	var pretty bytes.Buffer
	check.Must(t, json.Indent(&pretty, []byte(text), "", "  "))
	return pretty.String()
}

// Where the meaning of the bytes is certain, they guard. Fault F40.
func TestLog_readsWhatIsCertain(t *testing.T) {
	t.Parallel()
	a := sendingLine("r1", "a")
	b := sendingLine("r2", "b")
	const mark = "\ufeff"
	const unknown = `{"request":"r1","type":"batch","outcome":"audited"}`
	const odd = `"prompts":{"{\"time\":\"":"x",`
	const beyond = `:2,"total_images":1e300,"status":99999999999999999999,`
	for name, content := range map[string]string{
		"as it was written":              a + "\n" + b + "\n",
		"a byte order mark":              mark + a + "\n" + b + "\n",
		"two files with marks":           mark + a + "\n" + mark + b + "\n",
		"two such files without an end":  mark + a + mark + b,
		"line ends of Windows":           a + "\r\n" + b + "\r\n",
		"line ends of an old Macintosh":  a + "\r" + b + "\r",
		"blank lines":                    "\n\n" + a + "\n \t\n" + b + "\n\n",
		"glued":                          a + b + "\n",
		"no end":                         a + "\n" + b,
		"other white space":              strings.ReplaceAll(a+"\n"+b+"\n", `":`, `" : `),
		"a torn line between":            a + "\n" + a[:40] + "\n" + b + "\n",
		"a torn line of one byte":        a + "\n{\n" + b + "\n",
		"torn within a character":        a + "\n" + a[:strings.Index(a, "ä")+1] + "\n" + b + "\n",
		"a torn end":                     a + "\n" + b + "\n" + a[:len(a)-1],
		"a torn line behind an entry":    a + a[:9] + "\n" + b + "\n",
		"escapes":                        strings.ReplaceAll(a+"\n"+b+"\n", `ä`, `\u00e4`),
		"an entry of an earlier build":   `{"type":"batch","outcome":"sending"}` + "\n" + a + "\n" + b,
		"fields of another build":        strings.ReplaceAll(a+"\n"+b+"\n", `"type"`, `"new":[{"x":null}],"type"`),
		"numbers of another kind":        strings.ReplaceAll(a+"\n"+b+"\n", `:2,`, `:2.0,`),
		"numbers beyond a whole one":     strings.ReplaceAll(a+"\n"+b+"\n", `:2,`, beyond),
		"an outcome of another build":    a + "\n" + b + "\n" + unknown + "\n",
		"a field that is null":           strings.ReplaceAll(a+"\n"+b+"\n", `:2,`, `:2,"rejected":null,`),
		"sixty thousand blank bytes":     a + strings.Repeat(" ", 60_000) + "\n" + b,
		"an origin of an earlier build":  strings.ReplaceAll(a+"\n"+b+"\n", `"run":`, `"pid":1,"run":`),
		"a key that looks like an entry": strings.ReplaceAll(a+"\n"+b+"\n", `"prompts":{`, odd),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := newPath(t)
			check.Must(t, os.WriteFile(path, []byte(content), 0o600))
			wantRefused(t, path, titled(batch("ch", "a", "b"), "Porträt"), "a", "b")
			listed, err := purchases.ReadFile(path)
			check.NoError(t, err)
			check.True(t, "what is listed", len(listed) >= 2, len(listed))
			log := newRun(t, "org", path)
			check.NoError(t, log.Check())
			check.NoError(t, log.Begin(t.Context(), batch("ch", "c")))
			check.NoError(t, log.Unreadable())
			wantRefused(t, path, titled(batch("ch", "a", "b"), "Porträt"), "a", "b")
			check.NoError(t, newRun(t, "org", path).Begin(t.Context(), batch("ch", "d")))
		})
	}
}

func titled(entry *purchases.Entry, title string) *purchases.Entry {
	entry.Title = &title
	return entry
}

// Where it is not certain, a person is told which line it is, nothing is bought,
// and the file stays as it is. Fault F40.
func TestLog_refusesWhatIsUncertain(t *testing.T) {
	t.Parallel()
	a := sendingLine("r1", "a")
	b := sendingLine("r2", "b")
	both := a + "\n" + b + "\n"
	changed := func(what, to string) string { return a + "\n" + strings.Replace(b, what, to, 1) }
	for name, test := range map[string]struct {
		content string
		line    int
		reason  string
		listed  int
	}{
		"UTF-16 of Windows":            {string(inUTF16(both, binary.LittleEndian)), 1, "UTF-16", 0},
		"UTF-16 of a network":          {string(inUTF16(both, binary.BigEndian)), 1, "UTF-16", 0},
		"UTF-16 without a mark":        {string(inUTF16(both, binary.LittleEndian)[2:]), 1, "zero bytes", 0},
		"gzip":                         {string(zipped(t, both)), 1, "compressed", 0},
		"a JSON array":                 {"[" + a + "," + b + "]\n", 1, "array", 0},
		"a JSON array without its end": {"[" + a, 1, "array", 0},
		"an array over lines":          {"[\n" + a + ",\n" + b + "\n]\n", 1, "array", 2},
		"pretty-printed":               {indented(t, a) + "\n", 2, "no whole entry", 0},
		"pretty-printed, after one":    {a + "\n" + indented(t, b) + "\n", 3, "no whole entry", 1},
		"pretty-printed, glued":        {a + indented(t, b) + "\n", 2, "no whole entry", 1},
		"Latin-1":                      {changed("ä", "\xe4") + "\n", 2, "not encoded as UTF-8", 1},
		"a later version":              {changed(`:2,`, `:3,`) + "\n", 2, "later version", 1},
		"a much later version":         {changed(`:2,`, `:1e300,`) + "\n", 2, "later version", 1},
		"a later version at the end":   {changed(`:2,`, `:3,`), 2, "later version", 1},
		"an entry behind a torn one":   {a + "\n" + a[:40] + b + "\n", 2, "no whole entry", 1},
		"a torn one without a kill":    {a + "\n" + a[20:] + "\n" + b + "\n", 2, "no whole entry", 2},
		"a comma between":              {a + "\n" + a + "," + b + "\n", 2, "no whole entry", 2},
		"zero bytes of a dead disk":    {a + "\n" + strings.Repeat("\x00", 100), 2, "zero bytes", 1},
		"a note of a person":           {a + "\nbought by hand\n" + b + "\n", 2, "no whole entry", 2},
		"such a note at the very end":  {a + "\nbought by hand", 2, "no whole entry", 1},
		"an object that is no entry":   {a + "\n{}\n" + b + "\n", 2, "no whole entry", 2},
		"an outcome alone":             {a + "\n" + `{"outcome":"answered"}` + "\n", 2, "no whole entry", 1},
		"a purchase of nobody":         {changed(`"by"`, `"for"`) + "\n", 2, "no whole entry", 1},
		"prompts of another type":      {changed(`"ch"`, `["ch"]`) + "\n", 2, "no whole entry", 1},
		"an object within an object":   {a + "\n" + strings.Repeat(`{"a":`, 20_000) + "\n", 2, "no whole entry", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := newPath(t)
			check.Must(t, os.WriteFile(path, []byte(test.content), 0o600))
			log := newRun(t, "org", path)
			check.NoError(t, log.Check())
			told, is := errors.AsType[*purchases.UnreadableError](log.Unreadable())
			check.True(t, "the plan can tell the line", is && told.Lines[0].Number == test.line, log.Unreadable())
			check.Contains(t, "why", told.Error(), path, fmt.Sprint("line ", test.line, " "), test.reason)
			err := log.Begin(t.Context(), batch("ch", "c"))
			check.True(t, "the purchase is refused", errors.Is(err, purchases.ErrLog), err)
			check.Equal(t, "the refusal", err.Error(), told.Error())
			check.Equal(t, "the file", readFile(t, path), test.content)
			listed, err := purchases.ReadFile(path)
			check.Equal(t, "what is listed", len(listed), test.listed)
			_, is = errors.AsType[*purchases.UnreadableError](err)
			check.Equal(t, "the list says that it is not all", is, !strings.Contains(name, "at the very end"))
		})
	}
}

// Of a file in another encoding each line is unreadable: the first are named.
// Fault F40.
func TestLog_namesTheFirstUnreadableLines(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	check.Must(t, os.WriteFile(path, []byte(strings.Repeat("x\n", 1000)), 0o600))
	_, err := purchases.ReadFile(path)
	check.Contains(t, "the error", err.Error(), "line 1 ", "line 5 ", "995 more lines")
}

// A file that is put in the place of an unreadable one is read as any other.
// Fault F40.
func TestLog_readsAMendedFile(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	a := sendingLine("r1", "a") + "\n"
	check.Must(t, os.WriteFile(path, []byte(a+"bought by hand\n"), 0o600))
	log := newRun(t, "org", path)
	check.True(t, "it is refused", log.Begin(t.Context(), batch("ch", "c")) != nil)
	check.Must(t, os.WriteFile(path, []byte(a), 0o600))
	check.NoError(t, log.Begin(t.Context(), batch("ch", "c")))
}

// An entry without its end is read once, also when the end has arrived, and
// lines are counted as an editor does. Fault F40.
func TestLog_readsAnEntryWithoutItsEndOnce(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	a := sendingLine("r1", "a")
	b := sendingLine("r2", "b")
	log := newRun(t, "org", path)
	for i, content := range []string{a[:30], a, a + "\n", a + "\n" + b, a + "\n" + b + "\nx", a + "\n" + b + "\nx\n"} {
		check.Must(t, os.WriteFile(path, []byte(content), 0o600))
		check.NoError(t, log.Check())
		guarded := len(log.Find(titled(batch("ch", "a", "b"), "Porträt"), "new").Guarded)
		check.Equal(t, fmt.Sprint("guarded after write ", i), guarded, []int{0, 1, 1, 2, 2, 2}[i])
		_, isRefused := errors.AsType[*purchases.UnreadableError](log.Unreadable())
		check.Equal(t, fmt.Sprint("refused after write ", i), isRefused, i > 3)
	}
	check.Contains(t, "the line", log.Unreadable().Error(), "line 3 ")
}

// However a log was cut, and whatever has appended to it since, no whole entry
// is lost in silence. Fault F40.
func TestLog_losesNoEntryInSilence(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	rapid.Check(t, func(t *rapid.T) {
		var before, after []string
		for i := range rapid.IntRange(1, 4).Draw(t, "lines before") {
			before = append(before, sendingLine(fmt.Sprint("before", i), "a")+"\n")
		}
		for i := range rapid.IntRange(1, 3).Draw(t, "lines after") {
			after = append(after, sendingLine(fmt.Sprint("after", i), "a")+"\n")
		}
		whole := strings.Join(before, "")
		cut := rapid.IntRange(0, len(whole)).Draw(t, "cut")
		between := rapid.SampledFrom([]string{"", "\n", "\r\n", "\ufeff", "\x00"}).Draw(t, "between")
		content := whole[:cut] + between + strings.Join(after, "")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		listed, unreadable := purchases.ReadFile(path)
		requests := map[string]bool{}
		for _, purchase := range listed {
			requests[purchase.Request] = true
		}
		kept := strings.Count(whole[:cut], "}}")
		for i := range kept {
			if request := fmt.Sprint("before", i); !requests[request] {
				t.Fatalf("%s is lost", request)
			}
		}
		for i := range after {
			if request := fmt.Sprint("after", i); !requests[request] && unreadable == nil {
				t.Fatalf("%s is lost in silence", request)
			}
		}
	})
}

// Nothing of a line that was read as a whole is left out.
func FuzzDecodeLine(f *testing.F) {
	for _, seed := range []string{
		sendingLine("r1", "a"),
		sendingLine("r1", "a") + sendingLine("r2", "b"),
		"\ufeff" + sendingLine("r1", "a")[:90],
		`{"time":"T","request":"r","type":"batch","outcome":"answered","status":200,"certain":false,"other_ids":["x"]}`,
		`{"type":"batch","outcome":"sending","generations":{"a\u0022":"g\n"},"rejected":["\ud800"],"total_images":-1}`,
		`{"type":"x","outcome":"y","status":1e3,"credits_deducted":1e300,"by":{"pid":7,"run":"x"},"title":null}`,
		`{"type":"x","type":"y","outcome":"z","prompts":{"a":"b"},"prompts":{}}`,
		`{}`, `[`, "\x1f\x8b", "\xff\xfe{", `{"type":"x`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		entries, isWhole := purchases.Decode(line)
		if isWhole && len(bytes.Trim(line, " \t\r\n\ufeff")) > 0 {
			check.True(t, "it has an entry", len(entries) > 0, string(line))
		}
		for _, entry := range entries {
			check.True(t, "an entry says what it is of", entry.Type != "" && entry.Outcome != "", entry)
			credits := entry.CreditsDeducted
			check.True(t, "credits are within reason", credits == nil || *credits <= 1e15, entry)
		}
	})
}
