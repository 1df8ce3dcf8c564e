package framework_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// What a service only normalises is no change.
func TestSameText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stored types.String
		served *string
		want   types.String
	}{
		"equal":              {types.StringValue("a"), new("a"), types.StringValue("a")},
		"trimmed":            {types.StringValue(" a\n"), new("a"), types.StringValue(" a\n")},
		"other line ends":    {types.StringValue("a\nb"), new("a\r\nb"), types.StringValue("a\nb")},
		"null for empty":     {types.StringValue(""), nil, types.StringValue("")},
		"another":            {types.StringValue("a"), new("b"), types.StringValue("b")},
		"null for something": {types.StringValue("a"), nil, types.StringNull()},
		"nothing stored":     {types.StringNull(), new(" a "), types.StringValue(" a ")},
		"not known yet":      {types.StringUnknown(), nil, types.StringNull()},
	} {
		check.Equal(t, name, framework.SameText(test.stored, test.served), test.want)
	}
}

// A signature is no change of an address.
func TestSameAddress(t *testing.T) {
	t.Parallel()
	const stored = "https://cdn.example/a.png?sig=1"
	for served, want := range map[string]string{
		"https://cdn.example/a.png?sig=2":   stored,
		"https://cdn.example/a.png":         stored,
		"https://cdn.example/a.png#part":    stored,
		"https://cdn.example/b.png?sig=1":   "https://cdn.example/b.png?sig=1",
		"https://other.example/a.png?sig=1": "https://other.example/a.png?sig=1",
	} {
		check.Equal(t, served, framework.SameAddress(types.StringValue(stored), &served).ValueString(), want)
		check.Equal(t, served, framework.SameAddresses([]string{stored}, []string{served}), []string{want})
	}
	check.True(t, "no address is null", framework.SameAddress(types.StringValue(stored), nil).IsNull())
	two := []string{stored, stored}
	check.Equal(t, "length of a longer list", len(framework.SameAddresses([]string{stored}, two)), 2)
}

func TestSeveral(t *testing.T) {
	t.Parallel()
	items := strings.Split("abcdefghijklm", "")
	for count, want := range map[int]string{
		0: "", 1: "a", 3: "a, b, c", 4: "a, b, c, and 1 more", 13: "a, b, c, and 10 more",
	} {
		check.Equal(t, fmt.Sprint(count, " items"), framework.Several(items[:count], ", "), want)
	}
	check.Equal(t, "the list's last item", items[3], "d")
}

func TestSummary(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"Media Will Be Deleted: group 900063":        framework.Summary("Media Will Be Deleted", "group", "900063", `"a"`),
		`A Killed Run Has Bought This: group of "a"`: framework.Summary("A Killed Run Has Bought This", "group", "", `"a"`),
	} {
		check.Equal(t, "the summary", got, want)
	}
}

// What a destroy leaves is said once a type, whatever it has of that.
func TestForgets(t *testing.T) {
	t.Parallel()
	data := &framework.ProviderData{}
	var diags diag.Diagnostics
	for range 3 {
		data.Forgets("Datasets", "The images stay.", &diags)
		data.Forgets("Face Images", "They stay.", &diags)
	}
	check.Equal(t, "warnings", len(diags), 2)
	check.Equal(t, "the first", diags[0].Summary(), "Datasets Will Be Forgotten")
	check.Equal(t, "its detail", diags[0].Detail(), "Nothing is to be done. The images stay.")
}

func TestProgressEndsWithTheAction(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var lines []string
	say := framework.Progress(
		ctx,
		&action.InvokeResponse{
			SendProgress: func(event action.InvokeProgressEvent) { lines = append(lines, event.Message) },
		},
	)
	say("begin")
	cancel()
	say("nobody listens")
	check.True(t, "sent", len(lines) == 1 && lines[0] == "begin", lines)
}

func TestDurations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"3h": "3h", "90m": "1h30m", "45s": "45s", "1h0m5s": "1h0m5s", "10m": "10m", "20h": "20h", "500ms": "500ms",
		"": "7m", "soon": "7m", "-3h": "7m", "0s": "7m",
	} {
		check.Equal(
			t,
			text,
			framework.ShortDuration(framework.DurationOr(types.StringValue(text), 7*time.Minute)),
			want,
		)
	}
	check.Equal(t, "null", framework.DurationOr(types.StringNull(), time.Hour), time.Hour)
}

func TestUnconfirmedIDsAreAllDifferent(t *testing.T) {
	t.Parallel()
	first := framework.UnconfirmedID()
	second := framework.UnconfirmedID()
	check.True(
		t,
		"the ids",
		!first.Equal(second) && framework.IsUnconfirmedID(first) &&
			strings.HasPrefix(first.ValueString(), "unconfirmed-"),
		first,
		second,
	)
	check.True(
		t,
		"an id of the service is not unconfirmed",
		!framework.IsUnconfirmedID(types.StringNull()) && !framework.IsUnconfirmedID(types.StringValue("job_1")),
	)
}

// What is pasted means the text itself, also where the language would read more
// into it.
func TestQuote(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain":         `"plain"`,
		`say "hi"\now`:  `"say \"hi\"\\now"`,
		"two\nlines":    `"two\nlines"`,
		"${path.root}":  `"$${path.root}"`,
		"%{ if true }":  `"%%{ if true }"`,
		"Zoë <b> & co.": `"Zoë \u003cb\u003e \u0026 co."`,
	} {
		check.Equal(t, text, framework.Quote(text), want)
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Said so", "Said so.", "Said so. ", "Said so...", "Said so.\n"} {
		check.Equal(t, text, framework.Sentence(text), "Said so.")
	}
}

// CLIs print the attribute, and no path within it.
func TestValidatorsNameTheValue(t *testing.T) {
	t.Parallel()
	prompt := path.Root("prompts").AtMapKey("p17").AtName("prompt")
	for text, test := range map[string]struct {
		validator validator.String
		at        path.Path
		value     string
	}{
		`prompts["p17"].prompt is empty or blank.`:                                               {framework.NotBlank(), prompt, " "},
		`prompts["p17"].prompt contains a NUL character, which the service cannot store.`:        {framework.Text(), prompt, "\x00"},
		`messages[2].content is empty or blank.`:                                                 {framework.NotBlank(), path.Root("messages").AtListIndex(2).AtName("content"), ""},
		`timeouts.create is "soon", and must be a duration above zero, as in 90s or 1h30m.`:      {framework.Duration(), path.Root("timeouts").AtName("create"), "soon"},
		`timeouts.create is "0s", and must be a duration above zero, as in 90s or 1h30m.`:        {framework.Duration(), path.Root("timeouts").AtName("create"), "0s"},
		`character_id begins or ends with white space.`:                                          {framework.ID(), path.Root("character_id"), "ch_1 "},
		`generation_ids[0] is a relative path, and no id.`:                                       {framework.ID(), path.Root("generation_ids").AtListIndex(0), ".."},
		`messages[0].content[1].image_url must begin with https://, http:// or the scheme data.`: {framework.MediaAddress(), path.Root("messages").AtListIndex(0).AtName("content").AtListIndex(1).AtName("image_url"), "a.png"},
		`media_url has 65537 bytes, and a data URI may have at most 65536 (64 KiB): Terraform prints and stores it whole. Give the http or https address of the file.`: {
			framework.MediaAddress(), path.Root("media_url"), "data:," + strings.Repeat("A", 64<<10-5),
		},
		`source_image_url must not carry a user name or a password: the address is sent to the service and stored in state.`: {
			framework.MediaAddress(), path.Root("source_image_url"), "https://me:secret@a.example.com/b.png",
		},
	} {
		var resp validator.StringResponse
		test.validator.ValidateString(
			t.Context(),
			validator.StringRequest{Path: test.at, ConfigValue: types.StringValue(test.value)},
			&resp,
		)
		check.True(
			t,
			"the only message",
			len(resp.Diagnostics) == 1 && resp.Diagnostics[0].Detail() == text,
			text,
			resp.Diagnostics,
		)
	}
}
