package transport_test

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Fault F15.
func TestMayBeToken(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "down", "not signed in", "User is not authenticated: sign in, please!", "invalid_client_credentials",
		"PERMISSION_DENIED", "UNAUTHENTICATED",
		"accessToken", "organizationId", "refreshTokenExpiresIn", "error 401 (42)", "Sitzung abgelaufen – bitte " +
			"anmelden", "用户未登录请先登录再试一次谢谢", "a b c d e f g h i j k l m n",
	} {
		check.True(t, "is not taken for a token", !transport.MayBeToken(text), text)
	}
	for _, text := range []string{
		"eyJhbGciOiJIUzI1NiJ9", "got eyJhbGciOiJIUzI1NiJ9.", "('deadbeefdeadbeef')", "token=abcdefghijkl", "deadbeef1",
		"abc.def.ghijk", "c2lnbmF0dXJl", "12345678", "x\x00c2lnbmF0dXJl",
		"QWERTYUIOPASDFGHJKLZX", "AbCdEfGhIjKl", "live:abcdef:ghijkl", "550e8400-e29b-41d4-a716-446655440000",
		strings.Repeat("x", 30), "\u200babcdefgh1234",
	} {
		check.True(t, "is taken for a token", transport.MayBeToken(text), text)
	}
}

func redact(text string, known ...string) string {
	var secrets transport.Secrets
	secrets.Add(known...)
	return secrets.Redact(text)
}

// Fault F27.
func TestSecretsAreRedacted(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("abcdefghij", 1000)
	for _, test := range [][3]string{
		{"key secret-1 key", "secret-1", "key [redacted] key"},
		{"short abc", "abc", "short abc"},
		{"x" + long + "y" + long, long, "x[redacted]y[redacted]"},
		{"cut " + long[:500], long, "cut [redacted]"},
		{"nothing", "secret-1", "nothing"},
	} {
		check.Equal(t, test[0], redact(test[0], test[1]), test[2])
	}
	check.Equal(
		t,
		"a secret within another",
		redact("secret-1-longer secret-1", "secret-1", "secret-1-longer"),
		"[redacted] [redacted]",
	)
}

// A request may be answered while another gets a token, which is a secret too.
func TestSecretsAreAddedAndRedactedAtOnce(t *testing.T) {
	t.Parallel()
	var secrets transport.Secrets
	check.AtOnce(func() { secrets.Add("token-" + rand.Text()) }, func() { secrets.Redact("nothing of them") })
}

func FuzzJWT(f *testing.F) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Add("")
	f.Add("a.b.c")
	for _, claims := range []map[string]any{
		{"exp": 1e300},
		{"exp": -1, "iat": "x"},
		{"exp": "NaN"},
		{"iat": -1e18, "exp": 1e18},
	} {
		f.Add(check.JWT(f, claims))
	}
	f.Fuzz(func(t *testing.T, token string) {
		expires := transport.Expiry(token, now)
		check.True(
			t,
			"a token that was just issued is not over",
			expires.IsZero() || expires.After(now),
			token,
			expires,
		)
	})
}

// How a gateway or a template may repeat a secret. Each is legible to whoever
// reads the message.
var encodings = map[string]func(string) string{
	"as it is": func(s string) string { return s },
	"entities": func(s string) string {
		return strings.NewReplacer("+", "&#43;", "/", "&#x2F;", "=", "&equals;", "-", "&#45;").Replace(s)
	},
	"every character":  func(s string) string { return each(s, "&#%d;") },
	"percent":          percent,
	"percent twice":    func(s string) string { return percent(percent(s)) },
	"JSON":             func(s string) string { return strings.ReplaceAll(each(s, `\u%04x`), "/", `\/`) },
	"JSON's slash":     func(s string) string { return strings.ReplaceAll(s, "/", `\/`) },
	"folded":           func(s string) string { return s[:len(s)/2] + "\r\n\t" + s[len(s)/2:] },
	"zero width":       func(s string) string { return strings.Join(strings.Split(s, ""), "\u200b") },
	"entities in JSON": func(s string) string { return strings.ReplaceAll(each(s, "&#%d;"), "&", `\u0026`) },
	"the first half":   func(s string) string { return s[:(len(s)+1)/2] },
	"the second half":  func(s string) string { return s[len(s)/2:] },
	"the middle":       func(s string) string { return s[len(s)/4 : len(s)/4+(len(s)+1)/2] },
}

func plain(text string) string {
	forms := reply.PlainForms(text)
	return forms[len(forms)-1]
}

func percent(text string) (coded string) {
	for _, c := range []byte(text) {
		coded += fmt.Sprintf("%%%02X", c)
	}
	return coded
}

func each(text, format string) (coded string) {
	for _, c := range text {
		coded += fmt.Sprintf(format, c)
	}
	return coded
}

// Nothing is told of a text that has a secret in any encoding: not even in
// which place. Fault F36.
func TestEncodedSecretsAreWithheld(t *testing.T) {
	t.Parallel()
	known := []string{"key-1234567890/abc+DEF==", "eyJhbGciOiJIUzI1NiJ9.eyJvcmciOiJvcmdfMSJ9.c2lnbmF0dXJl+/x"}
	var secrets transport.Secrets
	secrets.Add(known...)
	for name, encode := range encodings {
		for _, secret := range known {
			for _, text := range []string{
				encode(secret),
				"<b>Authorization: Bearer " + encode(secret) + "</b>",
				"one\n" + encode(secret) + "\nthree",
			} {
				said := secrets.Redact(text)
				check.True(t, name, !strings.Contains(plain(said), plain(secret)[:len(secret)/2]) && said != text, said)
			}
			screened := secrets.Screen("first\nsecond " + encode(secret) + "\nlast")
			check.True(
				t,
				name+", in a message",
				!strings.Contains(screened, encode(secret)) && screened != "",
				screened,
			)
		}
	}
	check.Equal(
		t,
		"the lines beside it",
		secrets.Screen("first\nsecond "+known[0]+"\nlast"),
		"first\n(not shown, since it holds a credential or half of one)\nlast",
	)
}

// In base64 a secret stands in a longer text in one of three ways. Fault F27.
func TestSecretsInBase64AreWithheld(t *testing.T) {
	t.Parallel()
	const secret = "sk-live/0123456789+abcdefABCDEF~?>"
	var secrets transport.Secrets
	secrets.Add(secret)
	for before := range 7 {
		for after := range 4 {
			text := []byte(strings.Repeat("u", before) + secret + strings.Repeat("~", after))
			for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
				coded := "Basic " + encoding.EncodeToString(text)
				check.Equal(t, coded, secrets.Redact(coded), reply.NotShown)
				check.Equal(t, coded, secrets.Withhold(coded), reply.NotShown)
				check.True(t, coded, secrets.AreIn(`{"error":"`+strings.ReplaceAll(coded, "/", `\/`)+`"}`))
			}
		}
	}
}

// What is stored loses a secret, and neither a word that somebody has chosen as
// one nor an address whose signature begins as the token does. Fault F27.
func TestWithhold(t *testing.T) {
	t.Parallel()
	header := "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjEyMyJ9."
	token := header + strings.Repeat("eyJzdWIiOiJ1c2VyXzEyMyJ9", 4) + ".c2lnbmF0dXJl"
	var secrets transport.Secrets
	secrets.Add("portrait", "key-1234567890abcdef", token)
	for text, want := range map[string]string{
		"a portrait at dawn":                  "a portrait at dawn",
		"no to key-1234567890abcdef!":         "no to [redacted]!",
		"no to " + token:                      "no to [redacted]",
		"key%2D1234567890abcdef":              reply.NotShown,
		"no to " + token[:len(token)/2+1]:     "no to [redacted]",
		"https://x/a.png?token=" + header:     "https://x/a.png?token=" + header,
		"https://x/?t=" + header + "b3RoZXI.": "https://x/?t=" + header + "b3RoZXI.",
		"one\n\ttwo 👨‍👩‍👧":                    "one\n\ttwo 👨‍👩‍👧",
	} {
		check.Equal(t, text, secrets.Withhold(text), want)
	}
}

// A word that somebody has chosen as a secret takes no message away; nor does
// less than half of one.
func TestWordsAreNotWithheld(t *testing.T) {
	t.Parallel()
	var secrets transport.Secrets
	secrets.Add("offline", "mediagen", "key-1234567890abcdef")
	for _, text := range []string{
		"the service is offline",
		"mediagen_character",
		"Unable to Read Character",
		"key-12345",
		"90abcdef",
		"",
	} {
		check.Equal(t, text, secrets.Screen(text), text)
	}
	check.Equal(t, "less than half", secrets.Redact("see key-12345 there"), "see key-12345 there")
}

// FuzzSecrets hides secrets in texts, in any two encodings.
func FuzzSecrets(f *testing.F) {
	names := slices.Sorted(maps.Keys(encodings))
	f.Add("before ", " after", uint8(0), uint8(1))
	f.Add("%", "\\u", uint8(2), uint8(5))
	f.Fuzz(func(t *testing.T, before, after string, first, second uint8) {
		const secret = "sk-live/0123456789+abcdefABCDEF=="
		var secrets transport.Secrets
		secrets.Add(secret)
		whole := []string{"as it is", "entities", "every character", "percent", "JSON", "JSON's slash", "zero width"}
		coded := encodings[whole[int(second)%len(whole)]](encodings[names[int(first)%len(names)]](secret))
		said := secrets.Redact(before + " " + coded + " " + after)
		check.True(t, "nothing of it is left", !strings.Contains(said, coded), said)
	})
}

// FuzzDoor sends texts through the whole door, as a message quotes them: what
// is shown of a text is seen, is one line, and tells no secret that was hidden
// in it; what hides nothing survives as it is.
func FuzzDoor(f *testing.F) {
	names := slices.Sorted(maps.Keys(encodings))
	f.Add("before ", " after", uint8(0))
	f.Add("forged\nError: ", "\x1b[2J\u202e", uint8(12))
	f.Add("%", "<U+200B", uint8(5))
	f.Fuzz(func(t *testing.T, before, after string, encoding uint8) {
		const secret = "sk-live/0123456789+abcdefABCDEF=="
		var secrets transport.Secrets
		secrets.Add(secret)
		coded := encodings[names[int(encoding)%len(names)]](secret)
		for _, format := range []string{"%s", "%q"} {
			said := secrets.Screen(fmt.Sprintf("The service says: "+format+".", reply.Text(before+" "+coded+" "+after)))
			check.True(t, "one line, all of it seen", !strings.ContainsFunc(said, isUnseen), said)
			half := len(secret) / 2
			told := strings.Contains(plain(said), secret[:half+1]) || strings.Contains(plain(said), secret[half:])
			check.True(t, "no secret", !told, said)
		}
		if safe := before + after; !mayHide(safe) && utf8.RuneCountInString(safe) <= reply.MaxMessage {
			check.Equal(t, "what hides nothing", secrets.Screen(fmt.Sprint(reply.Text(safe))), safe)
		}
	})
}

func isUnseen(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// mayHide reports whether a text is more than letters, digits and single
// blanks, or like the secret.
func mayHide(text string) bool {
	isFolded := strings.TrimSpace(text) != text || strings.Contains(text, "  ")
	isLikeSecret := strings.ContainsAny(text, "0123456789abcdefABCDEF") && len(text) > 8
	return isFolded || isLikeSecret || strings.ContainsFunc(text, func(r rune) bool {
		return r != ' ' && !unicode.In(r, unicode.L, unicode.Nd) ||
			unicode.In(r, unicode.Other_Default_Ignorable_Code_Point)
	})
}
