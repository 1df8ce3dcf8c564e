package framework

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Failure describes a failed operation for the person who reads it at 2 a.m.:
// what failed, on which object, and what it means for money and state.
type Failure struct {
	// Verb and Noun make the summary, "Unable to <Verb> <Noun>".
	Verb, Noun string
	// Object names the object, as in `character "ch_1"`.
	Object string
	// Consequence says what the failure means for money and state, and what to
	// do next.
	Consequence string
	// NotFound is the attribute that a 404 is about.
	NotFound path.Path
	// Fields maps the service's field names to the attributes behind them.
	Fields map[string]path.Path
}

// Error returns the failure as an error, on the attribute that the service
// blames, if any.
func (f Failure) Error(err error) diag.Diagnostic {
	summary := "Unable to " + f.Verb + " " + f.Noun
	if isWrongAddress(err) {
		return diag.NewErrorDiagnostic("Wrong Base URL", f.detail(err))
	}
	if attribute, ok := f.attribute(err); ok {
		return diag.NewAttributeErrorDiagnostic(attribute, summary, f.detail(err))
	}
	return diag.NewErrorDiagnostic(summary, f.detail(err))
}

// Warning returns the failure as a warning: for everything that fails after a
// purchase, since an error would taint what was paid for.
func (f Failure) Warning(err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Unable to "+f.Verb+" "+f.Noun, f.detail(err))
}

// BeyondReason warns of numbers of the reply to a purchase that are too large to be
// true.
func BeyondReason(object string, numbers []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Numbers Beyond Reason", fmt.Sprintf(
		"Object: %s\n\nThe service's reply has %s, which cannot be true. They count as missing: null in the state, and part of no sum. Look at the service for what was deducted.",
		object, strings.Join(numbers, " and ")))
}

func isWrongAddress(err error) bool {
	_, is := errors.AsType[*transport.AddressError](err)
	return is
}

func (f Failure) detail(err error) string {
	var text strings.Builder
	if f.Object != "" {
		text.WriteString("Object: " + f.Object + "\n")
	}
	reason, full := transport.Report(err)
	text.WriteString("Reason: " + reason + "\n")
	parts := []string{f.Consequence}
	if full {
		parts = append(parts, advice(err))
	}
	for _, part := range parts {
		if part != "" {
			text.WriteString("\n" + part + "\n")
		}
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func (f Failure) attribute(err error) (path.Path, bool) {
	var failure *api.Error
	if !errors.As(err, &failure) {
		return path.Empty(), false
	}
	if api.IsNotFound(err) && len(f.NotFound.Steps()) > 0 {
		return f.NotFound, true
	}
	for _, field := range failure.Fields {
		for _, v := range slices.Backward(field.Path) {
			if attribute, ok := f.Fields[v]; ok {
				return attribute, true
			}
		}
	}
	return path.Empty(), false
}

// advice says what to do about a reply that means the same for every object.
func advice(err error) string {
	var failure *api.Error
	if !errors.As(err, &failure) {
		return ""
	}
	var unproven *api.UnprovenError
	switch {
	case isWrongAddress(err):
		return "Nothing was concluded from these answers, and nothing was bought or deleted because of them. Correct base_url (MEDIAGEN_BASE_URL), its version too, or any proxy on the way to the service; then run again."
	case errors.As(err, &unproven):
		return "Nothing was concluded from this answer, and nothing was bought or deleted because of it. Check base_url, any proxy on the way to the service, and that the credential is of the organization that owns the object; then run again. " +
			"If the object is gone nevertheless, set trust_not_found (MEDIAGEN_TRUST_NOT_FOUND=true) for one run, or for good if the service's errors have another form."
	case errors.Is(err, transport.ErrNoCredential):
		return "Set api_key, access_token or token_provider in the provider's configuration, or MEDIAGEN_API_KEY, MEDIAGEN_ACCESS_TOKEN or MEDIAGEN_TOKEN_PROVIDER_URL in the environment."
	case errors.Is(err, api.ErrPurchaseLimit):
		return "Raise max_purchases (MEDIAGEN_MAX_PURCHASES) or remove it; each plan and apply begins to count at zero, as does each run of a test file that refreshes something."
	case errors.Is(err, api.ErrPurchaseLog):
		return "Correct purchase_log (MEDIAGEN_PURCHASE_LOG), or remove it to buy without a log, and apply again."
	case failure.Alone:
		return "Nothing that was asked for in this run has been found so far. If everything is answered like this, check base_url (MEDIAGEN_BASE_URL), its version too."
	case transport.IsTokenNotFound(err):
		return "Tokens are not issued at this address. Check base_url (MEDIAGEN_BASE_URL), and auth_url (MEDIAGEN_AUTH_URL) or the url of token_provider if you set it."
	case transport.IsUntrusted(err):
		return "The certificate could not be verified, and nothing was sent. Check the address. If the certificate comes from an authority of your own, as behind a proxy that inspects TLS, " +
			"set SSL_CERT_FILE to a file (PEM) that has it beside the public ones; on macOS and Windows, add them to the system's store."
	case api.IsUnauthorized(err):
		credential := failure.Credential
		if credential == "" {
			credential = "credential"
		}
		return fmt.Sprintf("The service did not accept the provider's %s. Check it, and that it belongs to the organization that owns the object.", credential)
	case transport.IsPaymentRequired(err):
		return "The service says that the organization's plan or credits do not cover this. Add credits, then apply again."
	case transport.IsRateLimited(err):
		return "The service limits the number of requests. Set max_requests_per_minute in the provider's configuration to the limit of your plan."
	case failure.Unanswered:
		return "The service does not work, or is not there. Check the addresses in the provider's configuration and the network, or wait until it works again; then run again. " +
			"Until it answers, each other request of this run is sent only once, and other errors with this cause are brief."
	default:
		return ""
	}
}
