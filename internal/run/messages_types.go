package run

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Messages that several types share.

// cannotBeEncoded reports a bug of the provider.
func cannotBeEncoded(noun string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		"Unable to Show "+noun,
		"This is a bug of the provider; please report it. Reason: "+framework.Sentence(err.Error()),
	)
}

// TakenOverAfterImport warns of values that were only taken over from the
// configuration. done is the action that was left out, and again says how a
// person would have it done.
func TakenOverAfterImport(what, object, done, again string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Configuration Taken Over After an Import", fmt.Sprintf(
		"The %s of the imported %s are taken over from the configuration: nothing was %[3]s with them, and nothing "+
			"is %[3]s now. To %s, apply with -replace=ADDRESS, with the address of this resource.",
		what,
		object,
		done,
		again,
	))
}

// NameOf names a character in messages.
func NameOf(character types.String) string {
	if character.IsUnknown() {
		return "a character that is not known yet"
	}
	return fmt.Sprintf("character %q", character.ValueString())
}

func importIDHasNoParts(id, second string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Invalid Import Id", fmt.Sprintf(
		"The import id must be character_id/%s, with both parts not empty, and a slash within character_id "+
			"written %%2F; got %q. Nothing was sent.",
		second,
		id,
	))
}

func importLacks(attribute string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		"Invalid Import Id",
		fmt.Sprintf("The import does not give %s. Nothing was sent.", attribute),
	)
}

func importIsInvalid(attribute string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		"Invalid Import Id",
		"The import's "+framework.Problem(path.Root(attribute), err.Error())+" Nothing was sent.",
	)
}

// importedOfAnother is the error of an import whose object belongs to a
// different character.
func importedOfAnother(object string, stored, configured types.String) diag.Diagnostic {
	says := "names none"
	if !configured.IsNull() {
		says = fmt.Sprintf("says %q", configured.ValueString())
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Import of Another Character", fmt.Sprintf(
		"The imported %s belongs to the character %q at the service, but the configuration %s. Nothing was changed "+
			"or bought. Correct character_id. To make a new one for the other character instead, first remove this "+
			"one from the state: terraform state rm ADDRESS, with the address of this resource.",
		object,
		stored.ValueString(),
		says,
	))
}
