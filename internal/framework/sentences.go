package framework

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// InvalidValue is an error about a value of the configuration. The problem is a
// sentence without its subject. The subject is the path, because CLIs print no
// path within an attribute.
func InvalidValue(at path.Path, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Invalid Value", Problem(at, problem))
}

// Problem is the detail of InvalidValue, for errors with a different summary.
func Problem(at path.Path, problem string) string { return fmt.Sprintf("%s %s", at, Sentence(problem)) }

// Sentence ends a text with one full stop. Texts of the service and of the
// system may already end with a full stop.
func Sentence(text string) string { return strings.TrimRight(text, ". \n") + "." }

// ButEffect returns the text of an error without the note that the effect is
// unknown, for a message that says so itself.
func ButEffect(reason string) string {
	text, _, _ := strings.Cut(reason, reply.UnknownEffect)
	return fmt.Sprint(reply.Text(text))
}
