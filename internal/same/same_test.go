package same_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

func text() *rapid.Generator[string] {
	return rapid.StringOf(rapid.SampledFrom([]rune("aéE\u0301åÅ\u212b \t\n\r&…")))
}

func TestText_isWhatOthersMakeOfIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		written := text().Draw(t, "text")
		other := check.SameTexts(written).Draw(t, "other")
		if !same.Text(written, other) || !same.Text(other, written) || same.Key(written) != same.Key(other) {
			t.Fatalf("%q and %q are the same", written, other)
		}
	})
}

// Whatever is more than that is another text.
func TestText_isNoMore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		written := text().Draw(t, "text")
		other := check.OtherTexts(strings.TrimRight(written, "\r\n")).Draw(t, "other")
		if same.Text(strings.TrimRight(written, "\r\n"), other) {
			t.Fatalf("%q and %q are not the same", written, other)
		}
	})
}

func TestText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		a, b string
		want bool
	}{
		"equal":             {"A", "A", true},
		"CRLF":              {"A\r\nB", "A\nB", true},
		"CR":                {"A\rB", "A\nB", true},
		"a newline more":    {"A\n", "A", true},
		"of two, one":       {"A\n\n", "A\n", true},
		"two newlines more": {"A\n\n", "A", false},
		"one of CRLF":       {"A\r\n", "A", true},
		"decomposed":        {"Cafe\u0301", "Caf\u00e9", true},
		"case":              {"a", "A", false},
		"a blank":           {"A ", "A", false},
		"compatible only":   {"\ufb01", "fi", false},
		"no line at all":    {"", "\n", true},
	} {
		check.Equal(t, name, same.Text(test.a, test.b), test.want)
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	const photo = "https://a.example.com/b.jpg"
	for name, test := range map[string]struct {
		a, b              string
		address, butQuery bool
	}{
		"equal": {photo, photo, true, true},
		"signed by S3": {
			photo + "?X-Amz-Credential=k",
			photo + "?X-Amz-Date=2&X-Amz-Signature=b",
			true,
			true,
		},
		"signed by Google":       {photo + "?X-Goog-Signature=a", photo + "?X-Goog-Expires=8", true, true},
		"signed by CloudFront":   {photo + "?Expires=1&Signature=a", photo + "?Expires=2&Key-Pair-Id=L", true, true},
		"a policy of CloudFront": {photo + "?Policy=1&Signature=a", photo + "?Policy=2&Signature=b", true, true},
		"signed by Azure": {
			photo + "?sv=1&st=1&se=2&sr=b&sig=a",
			photo + "?sv=2&st=2&sr=c&sp=rw&ske=4",
			true,
			true,
		},
		"a token":                 {photo + "?token=a", photo + "?token=b", true, true},
		"a token of Akamai":       {photo + "?hdnea=exp=1~hmac=a", photo + "?hdnea=exp=2~hmac=b", true, true},
		"signed and not":          {photo, photo + "?sig=a", true, true},
		"in another order":        {photo + "?w=1&h=2&sig=a", photo + "?sig=b&h=2&w=1", true, true},
		"another width":           {photo + "?w=1&sig=a", photo + "?w=2&sig=a", false, true},
		"a parameter more":        {photo + "?sig=a", photo + "?sig=a&w=2", false, true},
		"another path":            {photo + "?sig=a", photo + "x?sig=a", false, false},
		"another host":            {photo, "https://other.example.com/b.jpg", false, false},
		"another scheme":          {photo, "http://a.example.com/b.jpg", false, false},
		"another fragment":        {photo + "#a", photo + "#b", false, false},
		"a question in a file":    {"data:text/plain,a?sig=a", "data:text/plain,a?sig=b", false, false},
		"a name that is no other": {photo + "?signed=1", photo + "?signed=2", false, true},
	} {
		check.Equal(t, name, same.Address(test.a, test.b), test.address)
		check.Equal(t, name+", the other way round", same.Address(test.b, test.a), test.address)
		check.Equal(t, name+": but for the query", same.ButQuery(test.a, test.b), test.butQuery)
		check.Equal(t, name+": unsigned", same.Unsigned(test.a) == same.Unsigned(test.b), test.address)
		check.True(t, name+": one key", !test.address || same.AddressKey(test.a) == same.AddressKey(test.b))
	}
}

func TestMoment(t *testing.T) {
	t.Parallel()
	const plain = "2031-02-03T04:05:06Z"
	for other, want := range map[string]bool{
		plain: true, "2031-02-03T04:05:06+00:00": true, "2031-02-03T04:05:06.000Z": true,
		"2031-02-03T05:05:06+01:00": true, "2031-02-03T04:05:06.000000": true,
		"2031-02-03T04:05:06+0000": true, "2031-02-03 04:05:06+00": true,
		"2031-02-03T04:05:06.001Z": false, "2031-02-03T04:05:06+01:00": false, "": false, "1927857906": false,
	} {
		check.Equal(t, other, same.Moment(plain, other), want)
		check.Equal(t, other+", the other way round", same.Moment(other, plain), want)
	}
	check.True(t, "no moments, and equal", same.Moment("soon", "soon"))
}

func TestEcho(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		sent, shown string
		want        bool
	}{
		"equal":                {"Ada & Eve", "Ada & Eve", true},
		"escaped":              {`Ada & "Eve"`, "Ada &amp; &#34;Eve&quot;", true},
		"trimmed":              {" Ada\n", "Ada", true},
		"cut":                  {"Ada and Eve", "Ada a", true},
		"cut with dots":        {"Ada and Eve", "Ada a…", true},
		"escaped and cut":      {"Ada & Eve", "Ada &am", true},
		"escaped, in one word": {"<b>", "&lt;b", true},
		"another":              {"Ada & Eve", "Grace", false},
		"more":                 {"Ada", "Ada & Eve", false},
		"cleared":              {"Ada", "", false},
		"nothing of nothing":   {"", "", true},
		"dots":                 {"Ada", "…", false},
	} {
		check.Equal(t, name, same.Echo(test.sent, test.shown), test.want)
	}
}

func TestContains(t *testing.T) {
	t.Parallel()
	check.True(t, "case and form", same.Contains("Le CAFE\u0301", "café"))
	check.True(t, "a letter", !same.Contains("Le cafe", "café"))
}

func TestButCase(t *testing.T) {
	t.Parallel()
	check.True(t, "case and form", same.ButCase("JOB_CAFE\u0301", "job_café"))
	check.True(t, "white space", !same.ButCase("JOB 1", "job  1"))
}

func TestWords(t *testing.T) {
	t.Parallel()
	check.True(t, "white space and case", same.Words(" A\tCafe\u0301\n", "a  CAFÉ"))
	check.True(t, "a letter", !same.Words("cafe", "café"))
}
