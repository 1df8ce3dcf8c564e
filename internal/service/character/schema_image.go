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
		MarkdownDescription: "A " + noun + " of a character, uploaded from a file.\n\n" +
			"Costs no credits. Replacement and destroy leave the image at the service; a create after a lost state uploads it again: import it instead." + r.kind.origin,
		Attributes: map[string]schema.Attribute{
			"character_id": framework.OwnerID("Id of the character. A change replaces the image."),
			"source": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Path of the file; not needed after an import. Changed bytes replace the image, another path alone does not.",
				Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			},
			"filename": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "Default: the last part of `source`, or what the service makes of it. A change replaces the image.",
				Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			},
			"id":             framework.ComputedText("Of the asset."),
			"content_sha256": framework.ComputedText("Of the file; null after an import without `source`. A change replaces the image."),
			"size":           schema.Int64Attribute{Computed: true, MarkdownDescription: "In bytes."},
			"content_type":   framework.ComputedText("Recognised by the content."),
			"storage_url":    framework.ComputedText("Where the service keeps it."),
			"view_url":       framework.ComputedText("May expire: `data.mediagen_assets` gives a fresh one."),
			"caption":        framework.ComputedText("The service's caption."),
			"caption_status": framework.ComputedText("In the service's words."),
			"message":        framework.ComputedText("Answer to the upload."),
		},
	}
	if len(r.kind.Types) > 0 {
		resp.Schema.Attributes["image_type"] = schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "`" + strings.Join(r.kind.Types, "` or `") + "`. A change replaces the image.",
			Validators:          []validator.String{stringvalidator.OneOf(r.kind.Types...)},
		}
	}
}
