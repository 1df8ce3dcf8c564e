package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// takenAsBefore warns of an unknown reference that is planned with its value in
// the state.
func (c *plannedChange) takenAsBefore(name string) *tfprotov6.Diagnostic {
	return &tfprotov6.Diagnostic{
		Severity:  tfprotov6.DiagnosticSeverityWarning,
		Attribute: tftypes.NewAttributePath().WithAttributeName(name),
		Summary:   "Planned Without Knowing " + name,
		Detail: fmt.Sprintf(
			"%s is known only after apply, and is planned as %q, which it was before: nothing is replaced because of "+
				"it. If it turns out to be another, the apply stops here, before it buys or deletes anything of this "+
				"object, and the next plan shows what that replaces.",
			name,
			textOf(c.prior[name]),
		),
	}
}

// replacedByUnknown warns of a replacement whose only cause is an unknown
// value.
func (c *plannedChange) replacedByUnknown(unknown []string) *tfprotov6.Diagnostic {
	id := textOf(c.prior["id"])
	if id == "" {
		id = textOf(c.prior["character_id"])
	}
	return &tfprotov6.Diagnostic{
		Severity:  tfprotov6.DiagnosticSeverityWarning,
		Attribute: tftypes.NewAttributePath().WithAttributeName(unknown[0]),
		Summary:   framework.Summary("Replaced for What Is Not Known", c.typeName, id, ""),
		Detail: fmt.Sprintf("This input of the object is known only after apply: %s. The plan replaces the object, "+
			"and what costs credits is bought even if it turns out the same. To prevent that, make it known at plan, "+
			"as content_sha256 of an image is; or apply first, with -target, what it depends on.",
			strings.Join(unknown, ", ")),
	}
}

// replacesInApply refuses the plan of an apply that would replace an object
// that was planned in place.
func (c *plannedChange) replacesInApply(names []string) *tfprotov6.Diagnostic {
	var found []string
	for _, name := range names {
		found = append(found, c.foundAnother(name))
	}
	return &tfprotov6.Diagnostic{
		Severity:  tfprotov6.DiagnosticSeverityError,
		Attribute: tftypes.NewAttributePath().WithAttributeName(names[0]),
		Summary:   "Other Than Planned",
		Detail: fmt.Sprintf("The plan changed this object in place, and now it would have to be replaced: %s. "+
			"Nothing of this object was bought, deleted or sent. Plan again: the next plan shows what the "+
			"replacement buys and deletes.", strings.Join(found, "; ")),
	}
}

// foundAnother describes the value that the apply has found. It shows only ids,
// because other inputs may be texts that nobody else should read.
func (c *plannedChange) foundAnother(name string) string {
	switch {
	case name == "content_sha256":
		return "the file that source names has other bytes than when it was planned"
	case !c.isReference(name):
		return name + " turned out to be another than planned"
	case textOf(c.config[name]) == "":
		return fmt.Sprintf("%s turned out to be null instead of %q", name, textOf(c.prior[name]))
	default:
		return fmt.Sprintf("%s turned out to be %q instead of %q", name, textOf(c.config[name]), textOf(c.prior[name]))
	}
}

// credentialIsMissing says that exactly one credential must be set. reason
// begins the message.
func credentialIsMissing(reason string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Missing Credential", reason+
		"Exactly one credential must be set: api_key, access_token or token_provider in the provider's "+
		"configuration, or MEDIAGEN_API_KEY, MEDIAGEN_ACCESS_TOKEN or MEDIAGEN_TOKEN_PROVIDER_URL in the "+
		"environment. To plan with -refresh=false and without the service, MEDIAGEN_ACCESS_TOKEN=offline is "+
		"enough.")
}

func severalCredentials(variables []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Ambiguous Credentials", fmt.Sprintf(
		"Exactly one credential must be set, but the environment has %s. Unset all but one, or choose one in the "+
			"provider's configuration.",
		strings.Join(variables, " and "),
	))
}
