package character

import (
	"errors"
	"fmt"

	"github.com/mediagen/terraform-provider-mediagen/internal/report"
)

var errNoFile = errors.New(
	"there is no such file; a relative path is taken from the directory that the CLI runs in, so begin it with " +
		"${path.module}",
)

// errPattern is about a path with the characters of a pattern, of which there
// is no file.
var errPattern = errors.New("there is no such file, and patterns are not expanded: an image has one file. For one " +
	"image of each, use for_each with fileset(path.module, \"images/*.png\")")

// makeFirst is how a plan comes to know a file that the same configuration makes.
const makeFirst = "If this configuration makes the file, have it made first, as by an apply with -target=ADDRESS of " +
	"what makes it, or make it before the CLI runs."

// cannotBeUploaded is about a file that a plan cannot read, perhaps since the
// apply is to make it.
func cannotBeUploaded(source string, err error) string {
	text := fmt.Sprintf("The file %q cannot be uploaded: %s Nothing was sent.", source, report.Sentence(err.Error()))
	if errors.Is(err, errNoFile) {
		text += "\n\n" + makeFirst
	}
	return text
}

// plannedAsBefore is about an image whose source is an output that the plan
// does not know.
func (k imageKind) plannedAsBefore(state *imageModel) string {
	return fmt.Sprintf(
		"source is known only after apply, and the file that it names is taken to have the bytes of the %s %q: "+
			"nothing is replaced because of it. If it turns out to have others, the apply stops here, before it "+
			"uploads anything, and the next plan shows what that replaces.\n\n"+makeFirst,
		k.noun,
		state.ID.ValueString(),
	)
}
