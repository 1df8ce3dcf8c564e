package framework_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

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
		test.validator.ValidateString(t.Context(), validator.StringRequest{Path: test.at, ConfigValue: types.StringValue(test.value)}, &resp)
		check.True(t, "the only message", len(resp.Diagnostics) == 1 && resp.Diagnostics[0].Detail() == text, text, resp.Diagnostics)
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Said so", "Said so.", "Said so. ", "Said so...", "Said so.\n"} {
		check.Equal(t, text, framework.Sentence(text), "Said so.")
	}
}
