package framework_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
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

func TestDurations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"3h": "3h", "90m": "1h30m", "45s": "45s", "1h0m5s": "1h0m5s", "10m": "10m", "20h": "20h", "500ms": "500ms",
		"": "7m", "soon": "7m", "-3h": "7m", "0s": "7m",
	} {
		check.Equal(
			t,
			text,
			wait.ShortDuration(framework.DurationOr(types.StringValue(text), 7*time.Minute)),
			want,
		)
	}
	check.Equal(t, "null", framework.DurationOr(types.StringNull(), time.Hour), time.Hour)
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
		`prompts["p17"].prompt is empty or blank.`: {
			framework.NotBlank(),
			prompt,
			" ",
		},
		`prompts["p17"].prompt contains a NUL character, which the service cannot store.`: {
			framework.Text(),
			prompt,
			"\x00",
		},
		`messages[2].content is empty or blank.`: {
			framework.NotBlank(),
			path.Root("messages").AtListIndex(2).AtName("content"),
			"",
		},
		`timeouts.create is "soon", and must be a duration above zero, as in 90s or 1h30m.`: {
			framework.Duration(),
			path.Root("timeouts").AtName("create"),
			"soon",
		},
		`timeouts.create is "0s", and must be a duration above zero, as in 90s or 1h30m.`: {
			framework.Duration(),
			path.Root("timeouts").AtName("create"),
			"0s",
		},
		`character_id begins or ends with white space.`: {
			framework.ID(),
			path.Root("character_id"),
			"ch_1 ",
		},
		`generation_ids[0] is a relative path, and no id.`: {
			framework.ID(),
			path.Root("generation_ids").AtListIndex(0),
			"..",
		},
		`messages[0].content[1].image_url must begin with https://, http:// or the scheme data.`: {
			framework.MediaAddress(),
			path.Root("messages").AtListIndex(0).AtName("content").AtListIndex(1).AtName("image_url"),
			"a.png",
		},
		`media_url has 65537 bytes, and a data URI may have at most 65536 (64 KiB): Terraform prints and stores it ` +
			`whole. Give the http or https address of the file.`: {
			framework.MediaAddress(),
			path.Root("media_url"),
			"data:," + strings.Repeat("A", 64<<10-5),
		},
		`source_image_url must not carry a user name or a password: the address is sent to the service and stored ` +
			`in state.`: {
			framework.MediaAddress(),
			path.Root("source_image_url"),
			"https://me:secret@a.example.com/b.png",
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
