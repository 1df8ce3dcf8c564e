package run

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Messages of a run.

func configurationIsUnknown() diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		"Provider Configuration Not Known Yet",
		"The provider's configuration depends on values that are only known after apply, so the service cannot be "+
			"read during this plan. Nothing was sent. Give the provider values that are known at plan time, or apply "+
			"what they depend on first with -target.",
	)
}

// noCharacter is the error of the first object of a plan whose character does
// not exist.
func noCharacter(id, does string, listed []api.Character) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Character Not Found", fmt.Sprintf(
		"Correct character_id, or use a credential of the organization that owns the character: the service shows "+
			"this one no character %q. %s, which the apply would refuse. Nothing was changed. %s%s",
		id,
		does,
		framework.DestroyPlansFirst,
		SimilarCharacter(id, listed),
	))
}

// noCharacterAgain is the error of every further object of the same character.
func noCharacterAgain(id string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Character Not Found", fmt.Sprintf(
		"There is no character %q for this credential: the same failure as another object's. Nothing was changed.",
		id,
	))
}
