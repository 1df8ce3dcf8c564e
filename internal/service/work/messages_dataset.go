package work

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// What the plan of a dataset says.

// datasetsStay is the rule by which a destroy forgets datasets.
const datasetsStay = "The images of a dataset stay at the service, unless a deletion of the character takes them " +
	"along, and what is being generated goes on."

// datasetMessages are about a dataset.
type datasetMessages struct {
	subject

	state string // how far it is, in the service's words and counts
}

// existsAlready is about a character that has a dataset when another is
// generated.
func (m datasetMessages) existsAlready() diag.Diagnostic {
	return diag.NewWarningDiagnostic(m.summary("Dataset Exists Already"), fmt.Sprintf(
		"The %s exists (%s). The apply generates another, which may cost credits; whether its images replace the "+
			"present ones or are added to them is not documented. To manage what is there without generating "+
			"anything, import it.",
		m.object(),
		m.state,
	))
}

// isReplacedByAnother is about a dataset whose successor is another character's.
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

// startIsUnchecked is about a status that the plan could not read.
func (m datasetMessages) startIsUnchecked(err error) diag.Diagnostic {
	return framework.Failure{
		Verb:   "Check",
		Noun:   "Dataset",
		Object: run.NameOf(m.CharacterID),
		Consequence: "The plan cannot tell whether the character has a dataset. The apply reads again before it " +
			"generates anything.",
	}.Warning(err)
}

// What the start of a dataset says.

// isGeneratedAlready is about a second dataset of a character in one run.
func (m datasetMessages) isGeneratedAlready() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Dataset Generated Already", fmt.Sprintf(
		"Another resource has already generated the %s in this run. A run generates only one, because "+
			"nothing would tell two apart. Nothing was sent for this one, and nothing was bought. Remove one "+
			"of the resources.",
		m.object(),
	))
}

// runsAlready is about another dataset that is being generated.
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
	return private.Lost.Warning(run.Doubt{
		Summary: m.summary("Dataset Unconfirmed"),
		Look: fmt.Sprintf(
			"Look at the dataset: before the request it was %s, and it is %s now. If it is this one, import it, which "+
				"buys nothing (no JOB_ID is checked):",
			describe(private.Before),
			describe(private.Now),
		),
		Import: framework.ImportLines(framework.Quote(run.ImportID(m.characterID(), "JOB_ID"))),
		Again:  "Otherwise change triggers to generate it again, which may cost credits.",
		Object: fmt.Sprintf("%s, in the state as %q", m.object(), m.jobID()),
	})
}

// What is said of a dataset later.

// importNotFound is about a character without a dataset.
func (m datasetMessages) importNotFound() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Dataset Not Found", fmt.Sprintf(
		"The service shows no image in the %s, and none that is being generated. Nothing was imported.",
		m.object(),
	))
}

// failed is about a dataset that has ended without images.
func (m datasetMessages) failed() diag.Diagnostic {
	return diag.NewWarningDiagnostic(m.summary("Dataset Failed"), fmt.Sprintf(
		"The %s was not generated: %s. What that cost is not known. Change the triggers of its resource to generate "+
			"it again, which may cost credits.",
		m.object(),
		m.state,
	))
}
