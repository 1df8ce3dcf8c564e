package work

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// Messages of a dataset's plan.

// datasetsStay says that a destroy only forgets datasets.
const datasetsStay = "The images of a dataset stay at the service, unless a deletion of the character takes them " +
	"along, and what is being generated goes on."

// datasetMessages are the messages about a dataset.
type datasetMessages struct {
	subject

	state string // how far the dataset is, in the service's words and counts
}

// existsAlready warns of a character that already has a dataset when a plan
// generates a new one.
func (m datasetMessages) existsAlready() diag.Diagnostic {
	return diag.NewWarningDiagnostic(m.summary("Dataset Exists Already"), fmt.Sprintf(
		"The %s exists (%s). The apply generates another, which may cost credits; whether its images replace the "+
			"present ones or are added to them is not documented. To manage what is there without generating "+
			"anything, import it.",
		m.object(),
		m.state,
	))
}

// isReplacedByAnother warns of a dataset that is replaced by a dataset of a
// different character.
func (m datasetMessages) isReplacedByAnother() diag.Diagnostic {
	return diag.NewWarningDiagnostic(m.summary("Dataset of Another Character"), fmt.Sprintf(
		"The plan generates a dataset of another character, which may cost credits. The %s (%s) stays at the service, "+
			"and what is being generated goes on.",
		m.object(),
		m.state,
	))
}

func (m datasetMessages) isPlannedTwice() diag.Diagnostic {
	return diag.NewWarningDiagnostic("Two Datasets of One Character", fmt.Sprintf(
		"This plan generates another %s. An apply generates only one for each character and refuses the other, "+
			"which is then not bought. Remove one of the resources.",
		m.object(),
	))
}

// startIsUnchecked describes a status that the plan could not read.
func (m datasetMessages) startIsUnchecked(err error) diag.Diagnostic {
	return framework.Failure{
		Verb:   "Check",
		Noun:   "Dataset",
		Object: run.NameOf(m.CharacterID),
		Consequence: "The plan cannot tell whether the character has a dataset. The apply reads again before it " +
			"generates anything.",
	}.Warning(err)
}

// Messages of a dataset's start.

// isGeneratedAlready refuses a second dataset of a character in the same run.
func (m datasetMessages) isGeneratedAlready() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Dataset Generated Already", fmt.Sprintf(
		"Another resource has already generated the %s in this run. A run generates only one, because "+
			"nothing would tell two apart. Nothing was sent for this one, and nothing was bought. Remove one "+
			"of the resources.",
		m.object(),
	))
}

// runsAlready refuses a dataset while the service is generating another.
func (m datasetMessages) runsAlready() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Dataset Is Being Generated", fmt.Sprintf(
		"A %s is being generated (%s). What a second one does to it is not documented. Nothing was bought. Apply "+
			"again once it has ended; or import it, to manage it without generating another.",
		m.object(),
		m.state,
	))
}

// isUnconfirmed says that the images may be paid for, and where to look
// for them.
func (m datasetMessages) isUnconfirmed(private *datasetState) diag.Diagnostic {
	return private.Lost.Warning(framework.Doubt{
		Summary: m.summary("Dataset Unconfirmed"),
		Look: fmt.Sprintf(
			"Look at the dataset: before the request it was %s, and it is %s now. If it is this one, import it, which "+
				"buys nothing (no JOB_ID is checked):",
			describe(private.Before),
			describe(private.Now),
		),
		Import: framework.ImportLines(framework.Quote(framework.ImportID(m.characterID(), "JOB_ID"))),
		Again:  "Otherwise change triggers to generate it again, which may cost credits.",
		Object: fmt.Sprintf("%s, in the state as %q", m.object(), m.jobID()),
	})
}

// Messages after a dataset's start.

// importNotFound refuses the import of a character without a dataset.
func (m datasetMessages) importNotFound() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Dataset Not Found", fmt.Sprintf(
		"The service shows no image in the %s, and none that is being generated. Nothing was imported.",
		m.object(),
	))
}

// failed warns of a dataset that has ended without images.
func (m datasetMessages) failed() diag.Diagnostic {
	return diag.NewWarningDiagnostic(m.summary("Dataset Failed"), fmt.Sprintf(
		"The %s was not generated: %s. What that cost is not known. Change the triggers of its resource to generate "+
			"it again, which may cost credits.",
		m.object(),
		m.state,
	))
}
