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

// Schema describes an image of this kind.
func (r *imageResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	noun := r.kind.noun
	resp.Schema = schema.Schema{
		MarkdownDescription: "A " + noun + " of a character, uploaded from a file.\n\n" +
			"An image costs no credits. Destroy and replacement leave it at the service, which cannot delete it. A " +
			"create after a lost state uploads it again: import it instead." + r.kind.origin,
		Attributes: map[string]schema.Attribute{
			"character_id": framework.OwnerID(
				"Id of the character that the image is of. A change replaces the image.",
			),
			"source": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Path of the image file, such as a JPEG or PNG; not needed after an import. " +
					"Changed bytes replace the image; the same bytes at another path do not.",
				Validators: []validator.String{framework.Text(), framework.NotBlank(), framework.LocalPath()},
			},
			"filename": schema.StringAttribute{
				Optional: true,
				Computed: true,
				MarkdownDescription: "Name to upload the file under. Defaults to the last part of `source`, or what " +
					"the service makes of it. A change replaces the image.",
				Validators: []validator.String{framework.Text(), framework.NotBlank()},
			},
			"id": framework.ComputedText("Id of the uploaded asset."),
			"content_sha256": framework.ComputedText(
				"SHA-256 of the file, in hexadecimal. Null after an import that lacks `source`. A " +
					"change replaces the image.",
			),
			"size": schema.Int64Attribute{
				Computed:            true,
				MarkdownDescription: "Size of the file in bytes. Null after an import that lacks `source`.",
			},
			"content_type": framework.ComputedText(
				"Media type of the file, as its content shows. Null after an import that lacks `source`.",
			),
			"storage_url": framework.ComputedText("Address at which the service stores the image."),
			"view_url": framework.ComputedText(
				"Address to view the image at, which may expire: `data.mediagen_assets` reads a fresh one.",
			),
			"caption":        framework.ComputedText("Caption that the service gave the image."),
			"caption_status": framework.ComputedText("Status of the caption."),
			"message":        framework.ComputedText("Message in the reply to the upload. Null after an import."),
		},
	}
	if len(r.kind.Types) > 0 {
		resp.Schema.Attributes["image_type"] = schema.StringAttribute{
			Required: true,
			MarkdownDescription: "View that the image shows: `" + strings.Join(
				r.kind.Types,
				"` or `",
			) + "`. A change replaces the image.",
			Validators: []validator.String{stringvalidator.OneOf(r.kind.Types...)},
		}
	}
}
