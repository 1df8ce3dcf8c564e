package purchases

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// noLog is the error of a data source if there is no log.
func noLog() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("path"), "No Purchase Log", "Set path, or purchase_log "+
		"(MEDIAGEN_PURCHASE_LOG) in the provider's configuration: there is no log to read. Nothing was sent.")
}

// logIsUnreadable describes a log that does not exist, or cannot be read.
func logIsUnreadable(file string, err error) diag.Diagnostic {
	advice := "Check that the file or the store can be read."
	if errors.Is(err, fs.ErrNotExist) {
		advice = "Check the path: the file does not exist. A log begins with the first purchase."
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("path"), "Purchase Log Cannot Be Read", fmt.Sprintf(
		"%s Nothing was sent.\nLog: %s\nReason: %s",
		advice,
		file,
		framework.Sentence(err.Error()),
	))
}

// linesAreLeftOut warns that some lines of a log are not listed.
func linesAreLeftOut(err error) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("path"), "Purchase Log Cannot Be Read", fmt.Sprintf(
		"What these lines say was bought is neither listed nor counted, and an apply that writes this log buys "+
			"nothing. Reason: %s %s",
		framework.Sentence(err.Error()),
		MendLog,
	))
}
