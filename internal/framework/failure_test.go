package framework_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// What a person reads: the reason, the object, what it means, and what to do. An
// error is called by its cause, a warning by what it is about.
func TestFailureTellsAllAtOnce(t *testing.T) {
	t.Parallel()
	failure := framework.Failure{Verb: "Read", Noun: "Thing", Object: `thing "t1"`, Consequence: "Nothing was changed."}
	failed := func(status int, proves reply.Proof) *reply.Error {
		return &reply.Error{
			Sent:   reply.Request{Operation: "GET /things"},
			Said:   reply.Answer{Status: status},
			Proves: proves,
		}
	}
	unanswered := reply.Proof{Unanswered: true}
	notFound := failed(404, reply.Proof{NotFound: reply.NotFoundUnproven})
	rejected := func(credential string) error {
		rejected := failed(401, reply.Proof{})
		rejected.Sent.Credential = credential
		return rejected
	}
	noToken := func(status int, by string, proves reply.Proof) error {
		outer := failed(0, proves)
		outer.Sent.Credential = "api_key"
		outer.Err = &reply.Error{
			Sent:   reply.Request{Operation: "POST /token", Credential: "api_key"},
			Said:   reply.Answer{Status: status, By: by},
			Proves: proves,
		}
		return outer
	}
	const provider = reply.TokenProviderName
	silent := failed(0, unanswered)
	silent.Err = errors.New("no answer")
	const own = "Unable to Read Thing"
	for _, test := range []struct {
		err             error
		headline, about string
	}{
		{failed(500, reply.Proof{}), own, ""},
		{failed(500, unanswered), own, "wait until it is back"},
		{failed(503, unanswered), "Service Unreachable", "wait until it is back"},
		{silent, "Service Unreachable", "wait until it is back"},
		{failed(404, reply.Proof{Lacks: "the endpoint is not there"}), own, "Remove what needs this endpoint"},
		{failed(405, reply.Proof{Lacks: "the endpoint is not there", Instead: "Import it."}), own, "Import it."},
		{failed(404, reply.Proof{Alone: true}), own, "this run has found nothing that it asked for"},
		{noToken(503, "", unanswered), "Service Unreachable", "wait until it is back"},
		{noToken(500, "", unanswered), own, "wait until it is back"},
		{noToken(401, "", reply.Proof{}), "API Key Rejected (401)", "did not accept the provider's api_key."},
		{noToken(404, "", reply.Proof{}), own, "Tokens are not issued at this address."},
		{noToken(503, provider, unanswered), "Token Provider Unreachable", "Check the url of token_provider"},
		{noToken(401, provider, reply.Proof{}), "Rejected by the Token Provider (401)", "Check the url, the headers"},
		{noToken(403, provider, reply.Proof{}), own, "did not issue a token"},
		{rejected("api_key"), "API Key Rejected (401)", "did not accept the provider's api_key."},
		{rejected("access_token"), "Access Token Rejected (401)", "did not accept the provider's access_token."},
		{
			rejected("token_provider"),
			"Token of the Token Provider Rejected (401)",
			"did not accept the provider's token_provider.",
		},
		{&reply.UnprovenError{Err: notFound, Reason: "it may be a proxy's"}, own, "set trust_not_found"},
		{&reply.AddressError{Err: notFound, Address: "api.example.com/v1"}, "Wrong Base URL", "Correct base_url"},
		{
			&reply.Error{Sent: reply.Request{Operation: "GET /things"}, Err: reply.ErrOffline},
			"This Needs a Credential",
			"Data sources, imports, a refresh and an apply need a credential",
		},
		{failed(402, reply.Proof{}), "Not Enough Credits (402)", "Add credits"},
		{failed(429, reply.Proof{}), "Limit of Requests (429)", "Set max_requests_per_minute"},
	} {
		for _, diagnostic := range []diag.Diagnostic{failure.Error(test.err), failure.Warning(test.err)} {
			headline := test.headline
			if diagnostic.Severity() == diag.SeverityWarning {
				headline = own
			}
			does := ""
			if headline != own {
				does = " (Read Thing)"
			}
			want := sentence(test.err.Error()) + "\nObject: thing \"t1\"" + does + "\n\nNothing was changed."
			advice, found := strings.CutPrefix(diagnostic.Detail(), want)
			check.Equal(t, "summary", diagnostic.Summary(), headline)
			check.True(
				t,
				"detail, and advice",
				found && strings.Contains(advice, test.about) && (advice == "") == (test.about == ""),
				want,
				test.about,
				diagnostic.Detail(),
			)
		}
	}
}

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// The first tells all, the others why, that it is the same, and what nobody has
// said yet.
func TestFailureTellsACauseOnce(t *testing.T) {
	t.Parallel()
	down := &reply.Error{
		Sent:   reply.Request{Operation: "GET /things"},
		Said:   reply.Answer{Status: 503},
		Proves: reply.Proof{Unanswered: true, Shared: &reply.SharedCause{}},
	}
	broken := &reply.Error{
		Sent:   reply.Request{Operation: "GET /things"},
		Said:   reply.Answer{Status: 500},
		Proves: reply.Proof{Unanswered: true, Shared: &reply.SharedCause{}},
	}
	unknown := &reply.Error{
		Sent:   reply.Request{Operation: "POST /things"},
		Said:   reply.Answer{Status: 503},
		Proves: reply.Proof{Unanswered: true, Shared: down.Proves.Shared, Effect: reply.EffectUnknown},
	}
	poor := &reply.Error{
		Sent:   reply.Request{Operation: "POST /things"},
		Said:   reply.Answer{Status: 402, Code: "poor", Message: "Not enough credits: 3 needed, 1 left."},
		Proves: reply.Proof{Shared: &reply.SharedCause{}},
	}
	const same = ": the same failure as another object's."
	const unavailable = "The service answered 503 Service Unavailable" + same
	for _, test := range []struct {
		err                       error
		object, consequence, want string
	}{
		{down, "thing", "Nothing was changed.", sentence(down.Error()) + "\nObject: thing (Read Thing)"},
		{down, "thing", "Nothing was changed.", unavailable + "\nObject: thing (Read Thing)"},
		{down, "thing", "", unavailable + "\nObject: thing (Read Thing)"},
		{down, "thing", "It is half done.", unavailable + "\nObject: thing (Read Thing)\n\nIt is half done."},
		{down, "", "Nothing was changed.", unavailable + "\nObject: thing (Read Thing)"},
		{broken, "thing", "", sentence(broken.Error()) + "\nObject: thing"},
		{broken, "thing", "", "The service answered 500 Internal Server Error" + same + "\nObject: thing"},
		{broken, "", "", "The service answered 500 Internal Server Error" + same},
		{unknown, "thing", "Nothing was changed.", sentence(unknown.Error()) + "\nObject: thing\n\nNothing was " +
			"changed."},
		{poor, "thing", "Nothing was bought.", "Not enough credits: 3 needed, 1 left (402 Payment Required, poor, " +
			"POST /things).\nObject: thing (Read Thing)\n\nNothing was bought."},
		{poor, "thing", "Nothing was bought.", "Not enough credits: 3 needed, 1 left (402 Payment Required, " +
			"poor)" + same + "\nObject: thing (Read Thing)"},
	} {
		detail := framework.Failure{
			Verb:        "Read",
			Noun:        "Thing",
			Object:      test.object,
			Consequence: test.consequence,
		}.Error(test.err).
			Detail()
		whole := !strings.Contains(test.want, same)
		check.True(
			t,
			"the detail",
			strings.HasPrefix(detail, test.want) && (whole || detail == test.want),
			test.want,
			detail,
		)
		check.True(t, "no second headline", !strings.Contains(detail, "Unable to"), detail)
	}
}

// The service's name for a field is that of the innermost one that an attribute
// stands for.
func TestFailureIsOnTheAttributeThatIsBlamed(t *testing.T) {
	t.Parallel()
	failure := framework.Failure{
		NotFound: path.Root("id"),
		Fields:   map[string]path.Path{"prompts": path.Root("prompts"), "prompt": path.Root("text")},
	}
	fields := func(steps ...string) []reply.FieldError {
		return []reply.FieldError{{Path: []string{"body"}}, {Path: steps}}
	}
	for want, err := range map[string]error{
		"id": &reply.Error{
			Said:   reply.Answer{Status: 404, Fields: fields("prompts")},
			Proves: reply.Proof{NotFound: reply.NotFoundUnproven},
		},
		"text": fmt.Errorf(
			"wrapped: %w",
			&reply.Error{Said: reply.Answer{Status: 422, Fields: fields("body", "prompts", "0", "prompt")}},
		),
		"prompts": &reply.Error{Said: reply.Answer{Status: 422, Fields: fields("body", "prompts", "0", "mood")}},
		"":        &reply.Error{Said: reply.Answer{Status: 422, Fields: fields("body", "mood")}},
	} {
		got := ""
		if diagnostic, is := failure.Error(err).(diag.DiagnosticWithPath); is {
			got = diagnostic.Path().String()
		}
		check.True(t, "is it on", got == want, err, got, want)
	}
}
