package framework

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// InvalidValue is an error about a value of the configuration. The problem is a
// sentence without its subject, which is the path: CLIs print none within an
// attribute.
func InvalidValue(at path.Path, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Invalid Value", Problem(at, problem))
}

// Problem is the detail of InvalidValue, for errors with a summary of their own.
func Problem(at path.Path, problem string) string { return fmt.Sprintf("%s %s", at, Sentence(problem)) }

// Sentence ends a text with one full stop. Those of the service and of the
// system may have one.
func Sentence(text string) string { return strings.TrimRight(text, ". \n") + "." }

// ButEffect is the text of an error, for a message that says itself that the
// effect of the request is not known.
func ButEffect(reason string) string {
	text, _, _ := strings.Cut(reason, reply.UnknownEffect)
	return fmt.Sprint(reply.Text(text))
}
