package work

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Messages about regenerations.

func (m *regenerationModel) regenerateFailure() framework.Failure {
	return framework.Failure{
		Verb:        "Regenerate",
		Noun:        "Dataset Image",
		Object:      m.object(),
		NotFound:    path.Root("image_id"),
		Consequence: "The image was not regenerated.",
		Fields:      map[string]path.Path{"prompt": path.Root("prompt"), "image_id": path.Root("image_id")},
	}
}

// isUnconfirmed warns of a regeneration that may have been paid for.
func (m *regenerationModel) isUnconfirmed(unconfirmed framework.Unconfirmed) diag.Diagnostic {
	return unconfirmed.Warning(framework.Doubt{
		Summary: m.summary("Regeneration Unconfirmed"),
		Look: "Look at the image. If the dataset shows it with this prompt, it was regenerated: import it in place " +
			"of this resource, which buys nothing:",
		Import: framework.ImportLines(
			framework.Quote(framework.ImportID(m.CharacterID.ValueString(), m.ImageID.ValueString())),
		),
		Again:  "Otherwise change triggers to regenerate the image again, which may cost credits.",
		Object: "regeneration of " + m.object(),
	})
}

// isRegeneratedTwice warns of a second resource in the plan that regenerates
// the same image.
func (m *regenerationModel) isRegeneratedTwice() diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("image_id"), "Image Is Regenerated Twice", fmt.Sprintf(
		"Remove one of the resources: two of this plan regenerate the %s. Each is bought, and the image is that of "+
			"whichever comes last.",
		m.object(),
	))
}

func (m *regenerationModel) readFailure() framework.Failure {
	return framework.Failure{
		Verb:        "Read",
		Noun:        "Dataset Image",
		Object:      m.object(),
		NotFound:    path.Root("character_id"),
		Consequence: framework.Unchanged,
	}
}

func (m *regenerationModel) importNotFound() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Dataset Image Not Found", fmt.Sprintf(
		"The dataset of character %q shows no image with the id %q. Nothing was imported.",
		m.CharacterID.ValueString(),
		m.ImageID.ValueString(),
	))
}

// isNotShown warns of an image that is missing from the list of its dataset.
// The missing entry proves nothing.
func (m *regenerationModel) isNotShown() diag.Diagnostic {
	return diag.NewWarningDiagnostic("Dataset Image Not Shown", fmt.Sprintf(
		"The service's list of the dataset of character %q is incomplete, or has never shown image %q. Its "+
			"regeneration is kept as it was.",
		m.CharacterID.ValueString(),
		m.ImageID.ValueString(),
	))
}
