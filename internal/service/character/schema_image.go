package character

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func (r *imageResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	noun := r.kind.noun
	resp.Schema = schema.Schema{
		MarkdownDescription: "A " + noun + " of a character, uploaded from a file. It is the content that counts: changed bytes are a new image, the same bytes under another path change nothing. " +
			"The service can neither change nor delete " + noun + "s: replacement and destroy forget the asset, which stays. " +
			"If the state was lost, import what is there: a new create uploads every file a second time. Costs no credits." + r.kind.origin,
		Attributes: map[string]schema.Attribute{
			"character_id": framework.OwnerID("Character that the image belongs to. A change uploads the image again, to the other character."),
			"source": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Path of the file. Needed to create the image; may be left out after an import. Changed bytes replace the image; the same bytes under another path do not. Uploading text, markup or an empty archive is an error at plan; any other file that is not recognised as an image gets a warning.",
				Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			},
			"filename": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "Name that the file is uploaded under. Default: the last part of `source`. A change replaces the image.",
				Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			},
			"id":             framework.ComputedText("Id of the asset. It begins with `unknown-` when the reply to the upload was lost and the asset was not found yet."),
			"content_sha256": framework.ComputedText("SHA-256 of the file, in hexadecimal digits, known at plan. A change replaces the image. Null after an import without `source`."),
			"size":           schema.Int64Attribute{Computed: true, MarkdownDescription: "Size of the file in bytes."},
			"content_type":   framework.ComputedText("Media type of the file, recognised by its content."),
			"storage_url":    framework.ComputedText("Address that the image is stored at."),
			"view_url":       framework.ComputedText("Address to view the image at. It may be signed and expire: the data source `mediagen_assets` gives a fresh one."),
			"caption":        framework.ComputedText("Caption that the service gave the image."),
			"caption_status": framework.ComputedText("Status of the caption, in the service's words."),
			"message":        framework.ComputedText("What the service said about the upload."),
		},
	}
	if len(r.kind.Types) > 0 {
		resp.Schema.Attributes["image_type"] = schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "What the image shows: `" + strings.Join(r.kind.Types, "` or `") + "`. A change replaces the image. The service does not tell it again: after an import the value is taken over from the configuration.",
			Validators:          []validator.String{stringvalidator.OneOf(r.kind.Types...)},
		}
	}
}
