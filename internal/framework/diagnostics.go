package framework

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Failure describes a failed operation for the person who reads it at 2 a.m.:
// what failed, on which object, and what it means for money and state.
type Failure struct {
	// Verb and Noun make the summary, "Unable to <Verb> <Noun>".
	Verb, Noun string
	Object     string // as in `character "ch_1"`
	// Consequence says what it means for money and state, and what to do next.
	Consequence string
	NotFound    path.Path // the attribute that a 404 is about
	// Fields maps the service's field names to the attributes behind them.
	Fields map[string]path.Path
}

// Unchanged is the consequence of a failed read.
const Unchanged = "Nothing was changed."

// Error returns the failure as an error: under the name of its cause where it
// has one, else on the attribute that the service blames, if any.
func (f Failure) Error(err error) diag.Diagnostic {
	if headline := causeOf(err).headline; headline != "" {
		return diag.NewErrorDiagnostic(headline, f.detail(err, headline))
	}
	if attribute, ok := f.attribute(err); ok {
		return diag.NewAttributeErrorDiagnostic(attribute, f.summary(), f.detail(err, f.summary()))
	}
	return diag.NewErrorDiagnostic(f.summary(), f.detail(err, f.summary()))
}

// Warning returns the failure as a warning: for all that fails after a
// purchase, since an error would taint what was paid for. Its summary is its
// own: CLIs fold equal ones, and hide its consequence.
func (f Failure) Warning(err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic(f.summary(), f.detail(err, f.summary()))
}

func (f Failure) summary() string { return "Unable to " + f.Verb + " " + f.Noun }

// OddReceipt warns of a purchase dearer than its price, and of numbers too
// large to be true.
func OddReceipt(
	object string,
	deducted, assumed *float64,
	beyondReason []string,
	summary func(what string) string,
) (diags diag.Diagnostics) {
	if deducted != nil && assumed != nil && *deducted > *assumed {
		text := func(credits float64) string { return strconv.FormatFloat(credits, 'f', -1, 64) }
		diags.AddWarning(summary("Price Differs"), fmt.Sprintf(
			"Object: %s\n\nThe service has deducted more credits than your prices say: %s instead of %s. The "+
				"deducted amount counts towards max_credits. Correct prices in the provider's configuration, or "+
				"MEDIAGEN_PRICES: until then, a plan can seem to stay within max_credits while its apply stops at "+
				"the limit.",
			object,
			text(*deducted),
			text(*assumed),
		))
	}
	if len(beyondReason) > 0 {
		diags.AddWarning(summary("Numbers Beyond Reason"), fmt.Sprintf(
			"The service's reply has %s, which cannot be true.\nObject: %s\n\nThey are treated as missing: they are "+
				"null in the state and count nowhere. Check at the service what was deducted.",
			strings.Join(beyondReason, " and "),
			object,
		))
	}
	return diags
}

// detail tells all only for the first of several failures with a common cause.
func (f Failure) detail(err error, headline string) string {
	reason := capital(Sentence(err.Error()))
	advice := causeOf(err).advice
	if !reply.Tell(err, "") {
		reason = capital(reply.Reminder(err)) + ": the same failure as another object's."
		advice = ""
	}
	switch {
	case headline != f.summary():
		reason += fmt.Sprintf("\nObject: %s (%s %s)", cmp.Or(f.Object, strings.ToLower(f.Noun)), f.Verb, f.Noun)
	case f.Object != "":
		reason += "\nObject: " + f.Object
	}
	if f.Consequence != "" && reply.Tell(err, f.Consequence) {
		reason += "\n\n" + f.Consequence
	}
	if advice != "" {
		reason += "\n\n" + advice
	}
	return reason
}

// capital begins a text like a sentence, unless it begins with a setting's name.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if word, _, _ := strings.Cut(text, " "); strings.Contains(word, "_") {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// attribute is the one that the service blames, or the id that it did not find.
func (f Failure) attribute(err error) (path.Path, bool) {
	failure, is := errors.AsType[*reply.Error](err)
	if !is {
		return path.Empty(), false
	}
	if reply.IsNotFound(err) && !reply.IsMissing(err) && len(f.NotFound.Steps()) > 0 {
		return f.NotFound, true
	}
	for _, field := range failure.Said.Fields {
		for _, v := range slices.Backward(field.Path) {
			if attribute, ok := f.Fields[v]; ok {
				return attribute, true
			}
		}
	}
	return path.Empty(), false
}

// cause is what a failure that means the same for every object is called, empty
// if it has no name of its own, and what to do about it.
type cause struct{ headline, advice string }

var credentials = map[string]string{
	"api_key":        "API Key",
	"access_token":   "Access Token",
	"token_provider": "Token of the Token Provider",
}

// causeOf asks the error once what its cause is.
func causeOf(err error) cause {
	failure, is := errors.AsType[*reply.Error](err)
	if !is {
		return cause{}
	}
	_, wrong := errors.AsType[*api.AddressError](err)
	_, unproven := errors.AsType[*api.UnprovenError](err)
	switch {
	case wrong:
		return cause{
			headline: "Wrong Base URL",
			advice: "Nothing was concluded from these answers, and nothing was bought or deleted because of them. " +
				"Correct base_url (MEDIAGEN_BASE_URL), including its version, or check any proxy on the way to the " +
				"service; then run again.",
		}
	case reply.IsMissing(err):
		return cause{
			advice: "This endpoint is optional, and a deployment that does not offer it answers like this. Nothing " +
				"was done. Remove what needs the endpoint from the configuration; if the deployment offers it, check " +
				"the ids.",
		}
	case unproven:
		return cause{
			advice: "Nothing was concluded from this answer, and nothing was bought or deleted because of it. Check " +
				"base_url, any proxy on the way to the service, and that the credential is of the organization that " +
				"owns the object; then run again. If the object really is gone, set trust_not_found " +
				"(MEDIAGEN_TRUST_NOT_FOUND=true) for one run, or permanently if the service's errors have another " +
				"form.",
		}
	case errors.Is(err, purchases.ErrLimit):
		return cause{
			advice: "Raise or remove the limit in the provider's configuration. Each plan and each apply starts " +
				"counting at zero, and so does each run of a test file that refreshes something.",
		}
	case errors.Is(err, purchases.ErrLog):
		return cause{
			advice: "Correct purchase_log (MEDIAGEN_PURCHASE_LOG), or remove it to buy without a log, and apply again.",
		}
	case failure.Proves.Alone:
		return cause{
			advice: "So far, this run has found nothing that it asked for. If every request is answered like this, " +
				"check base_url (MEDIAGEN_BASE_URL), including its version.",
		}
	case reply.IsUntrusted(err):
		return cause{
			headline: "Service Unreachable",
			advice: "The certificate could not be verified, and nothing was sent. Check the address. If the " +
				"certificate comes from an authority of your own, as behind a proxy that inspects TLS, set " +
				"SSL_CERT_FILE to a file (PEM) that has it beside the public ones; on macOS and Windows, add them to " +
				"the system's store.",
		}
	case reply.IsTokenProvider(err):
		return ofTokenProvider(err, failure)
	case failure.Proves.Unanswered && reply.IsUnreachable(err):
		return cause{headline: "Service Unreachable", advice: notWorking}
	case failure.Proves.Unanswered:
		return cause{advice: notWorking}
	default:
		return answered(err, failure)
	}
}

const notWorking = "The service is down or cannot be reached. Check base_url (MEDIAGEN_BASE_URL), any other address " +
	"in the provider's configuration, and the network, or wait until it is back; then run again."

// ofTokenProvider is about the customer's own endpoint that issues tokens.
func ofTokenProvider(err error, failure *reply.Error) cause {
	const check = "Check the url, the headers and, with use_oidc, the audience of token_provider"
	switch status := reply.Status(err); {
	case failure.Proves.Unanswered && reply.IsUnreachable(err):
		return cause{
			headline: "Token Provider Unreachable",
			advice: "The token provider is down or cannot be reached. Check the url of token_provider " +
				"(MEDIAGEN_TOKEN_PROVIDER_URL) and the network, or wait until it is back; then run again.",
		}
	case status == http.StatusUnauthorized:
		return cause{
			headline: "Rejected by the Token Provider (401)",
			advice:   "The token provider did not accept the credentials in the request. " + check + ".",
		}
	default:
		return cause{advice: "The token provider did not issue a token. " + check + ", or ask the people who run it."}
	}
}

// answered is about what the service says to everybody.
func answered(err error, failure *reply.Error) cause {
	switch status := reply.Status(err); {
	case reply.IsTokenNotFound(err):
		return cause{
			advice: "Tokens are not issued at this address. Check base_url (MEDIAGEN_BASE_URL), and auth_url " +
				"(MEDIAGEN_AUTH_URL) or the url of token_provider if you set it.",
		}
	case status == http.StatusUnauthorized:
		return cause{
			headline: credentials[failure.Sent.Credential] + " Rejected (401)",
			advice: fmt.Sprintf(
				"The service did not accept the provider's %s. Check that it is correct, and that it belongs to the "+
					"organization that owns the object.",
				failure.Sent.Credential,
			),
		}
	case status == http.StatusPaymentRequired:
		return cause{
			headline: "Not Enough Credits (402)",
			advice: "The service says that the organization's plan or credits do not cover this. Add credits, then " +
				"apply again.",
		}
	case status == http.StatusTooManyRequests:
		return cause{
			headline: "Limit of Requests (429)",
			advice: "The service limits the number of requests. Set max_requests_per_minute in the provider's " +
				"configuration to the limit of your plan.",
		}
	default:
		return cause{}
	}
}
