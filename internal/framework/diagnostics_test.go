package framework_test

import (
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// A private certificate authority needs one variable, which the error names,
// for the service and for the token provider alike.
func TestFailureNamesTheCertificateFile(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(nil)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL + "/v2")
	if err != nil {
		t.Fatal(err)
	}
	for credential, config := range map[string]transport.Config{
		"access_token": {BaseURL: address, AccessToken: "static"},
		"api_key":      {BaseURL: address, AuthURL: address, APIKey: "key-0123456789"},
	} {
		client, err := api.New(api.Config{Config: config})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Generation(t.Context(), "g1")
		if err == nil {
			t.Fatal("an unknown authority was trusted")
		}
		detail := framework.Failure{Verb: "Read", Noun: "Generation"}.Error(err).Detail()
		if !strings.Contains(detail, "x509: ") || !strings.Contains(detail, "set SSL_CERT_FILE") {
			t.Errorf("%s:\n%s", credential, detail)
		}
	}
}

// What a person reads: the object, the reason, what it means, and what to do.
func TestFailureTellsAllAtOnce(t *testing.T) {
	t.Parallel()
	failure := framework.Failure{Verb: "Read", Noun: "Thing", Object: `thing "t1"`, Consequence: "Nothing was changed."}
	unauthorized := &api.Error{Operation: "GET /things", Status: 401, Credential: "token_provider"}
	unproven := &api.UnprovenError{Err: &api.Error{Operation: "GET /things", Status: 404, NotFound: transport.NotFoundUnproven}, Reason: "it may be a proxy's"}
	down := &api.Error{Operation: "GET /things", Status: 503, Unanswered: true, Shared: &transport.SharedCause{}}
	const head, middle = "Object: thing \"t1\"\nReason: ", "\n\nNothing was changed.\n"
	for _, test := range []struct {
		err           error
		reason, about string
	}{
		{&api.Error{Operation: "GET /things", Status: 500}, "GET /things: the service answered 500 Internal Server Error", ""},
		{unauthorized, "GET /things: the service answered 401 Unauthorized", "did not accept the provider's token_provider."},
		{unproven, unproven.Error(), "set trust_not_found"},
		{&api.Error{Operation: "POST /things", Status: 402}, "POST /things: the service answered 402 Payment Required", "Add credits"},
		{&api.Error{Operation: "GET /things", Status: 429}, "GET /things: the service answered 429 Too Many Requests", "Set max_requests_per_minute"},
		{down, "GET /things: the service answered 503 Service Unavailable", "wait until it works again"},
		{down, "GET /things: the same failure as another object's: ", ""}, // told before, with its advice
	} {
		diagnostic := failure.Warning(test.err)
		rest, found := strings.CutPrefix(diagnostic.Detail(), head+test.reason)
		_, advice, parted := strings.Cut(rest+"\n", middle)
		if diagnostic.Summary() != "Unable to Read Thing" || !found || !parted || !strings.Contains(advice, test.about) || (advice == "") != (test.about == "") {
			t.Errorf("want %q and the advice %q, got %q:\n%s", test.reason, test.about, diagnostic.Summary(), diagnostic.Detail())
		}
	}
}

// The service's name for a field is that of the innermost one that an attribute
// stands for.
func TestFailureIsOnTheAttributeThatIsBlamed(t *testing.T) {
	t.Parallel()
	failure := framework.Failure{NotFound: path.Root("id"), Fields: map[string]path.Path{"prompts": path.Root("prompts"), "prompt": path.Root("text")}}
	fields := func(steps ...string) []transport.FieldError {
		return []transport.FieldError{{Path: []string{"body"}}, {Path: steps}}
	}
	for want, err := range map[string]error{
		"id":      &api.Error{Status: 404, NotFound: transport.NotFoundUnproven, Fields: fields("prompts")},
		"text":    fmt.Errorf("wrapped: %w", &api.Error{Status: 422, Fields: fields("body", "prompts", "0", "prompt")}),
		"prompts": &api.Error{Status: 422, Fields: fields("body", "prompts", "0", "mood")},
		"":        &api.Error{Status: 422, Fields: fields("body", "mood")},
	} {
		got := ""
		if diagnostic, is := failure.Error(err).(diag.DiagnosticWithPath); is {
			got = diagnostic.Path().String()
		}
		if got != want {
			t.Errorf("%v is on %q, want %q", err, got, want)
		}
	}
}
