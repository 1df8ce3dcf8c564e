package inference

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// object names a snapshot in messages. The service has no name for it.
func (s *snapshot[I, R]) object() string { return strings.ToLower(s.noun) + " of mediagen_" + s.Name }

func (s *snapshot[I, R]) summary(what, id string) string {
	return framework.Summary(what, strings.ToLower(s.noun), id, "")
}

// guarded describes the purchases of this snapshot in the purchase log.
func (s *snapshot[I, R]) guarded(found []purchases.Bought) purchases.GuardedOrder {
	return purchases.GuardedOrder{
		Object:  s.object(),
		Found:   found,
		Again:   "triggers",
		Summary: func(what string) string { return s.summary(what, found[0].Request) },
	}
}

// isUnconfirmed warns of a snapshot that may have been paid for.
func (s *snapshot[I, R]) isUnconfirmed(id types.String, unconfirmed framework.Unconfirmed) diag.Diagnostic {
	return unconfirmed.Warning(framework.Doubt{
		Summary: s.summary(s.noun+" Unconfirmed", id.ValueString()),
		Look: "Look for it at the service. It cannot be imported: only the reply had it, so that its outputs are " +
			"null.",
		Again:  "To buy it again, which may cost credits, change triggers.",
		Object: fmt.Sprintf("%s, in the state as %q", s.object(), id.ValueString()),
	})
}

// showsNothing warns of a purchase whose reply has nothing to show.
func (s *snapshot[I, R]) showsNothing(id types.String) diag.Diagnostic {
	return diag.NewWarningDiagnostic(s.summary("Reply Without an "+s.noun, id.ValueString()), fmt.Sprintf(
		"To buy it again, which may cost credits, change triggers.\n\nThe service has accepted the request, and its "+
			"reply names no %s. No later reply would.\nObject: %s\n\nIt may be paid for, and is not sent again by "+
			"itself.",
		strings.ToLower(s.noun),
		s.object(),
	))
}

// failure says that nothing was stored, on the attribute that the service
// blames.
func (s *snapshot[I, R]) failure(err error) diag.Diagnostic {
	failure := framework.Failure{
		Verb:        "Create",
		Noun:        s.noun,
		Consequence: "Nothing was stored. The next apply asks again.",
		Fields:      map[string]path.Path{"autoTurn": path.Root("auto_turn")},
	}
	for name := range s.inputs {
		failure.Fields[name] = path.Root(name)
	}
	var job *api.CategorizationJobError
	switch {
	case errors.As(err, &job) && job.Err != nil:
		failure.Consequence = "Nothing was stored; the job may be charged. The next apply begins another one."
	case errors.As(err, &job):
		failure.Consequence = "The service works on the medium as a job, and its interface has no way to read what " +
			"comes out of it, other than with extended_reads. Nothing was stored; the job may be charged. Give " +
			"media_url the address of an image, or of a shorter video."
	case reply.IsEffectUnknown(err):
		failure.Consequence = "The service may have answered, and charged for it, but the answer is lost. Nothing " +
			"was stored, and the request was not repeated. The next apply asks again, which may be charged again."
	}
	return failure.Error(err)
}
