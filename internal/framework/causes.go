package framework

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// cause describes a failure that means the same for every object. name is empty
// if the failure has no name of its own; advice says what a person can do.
type cause struct{ name, advice string }

// Explained is an error of the provider that explains itself. name is empty if
// the error has no name; advice says what a person can do.
type Explained interface {
	error
	Explain() (name, advice string)
}

// causeOf returns the cause of an error.
func causeOf(err error) cause {
	kind := reply.KindOf(err)
	_, wrong := errors.AsType[*reply.AddressError](err)
	_, unproven := errors.AsType[*reply.UnprovenError](err)
	explained, isExplained := errors.AsType[Explained](err)
	switch {
	case wrong:
		return wrongAddress
	case unproven && kind != reply.KindNoEndpoint:
		return unprovenAnswer
	case kind == reply.KindNoEndpoint:
		return lacking(reply.ErrorOf(err))
	case isExplained:
		name, advice := explained.Explain()
		return cause{name: name, advice: advice}
	case kind == reply.KindUnauthorized:
		return rejected(reply.ErrorOf(err).Sent.Credential)
	case kind == reply.KindTooManyRequests:
		return limited(reply.Status(err))
	default:
		return causes[kind]
	}
}

// Causes that the provider has concluded; no reply states them.
var (
	wrongAddress = cause{
		name: "Wrong Base URL",
		advice: "Nothing was concluded from these answers, and nothing was bought or deleted because of them. " +
			"Correct base_url (MEDIAGEN_BASE_URL), including its version, or check any proxy on the way to the " +
			"service; then run again.",
	}
	unprovenAnswer = cause{
		advice: "Nothing was concluded from this answer, and nothing was bought or deleted because of it. Check " +
			"base_url, any proxy on the way to the service, and that the credential is of the organization that " +
			"owns the object; then run again. If the object really is gone, set trust_not_found " +
			"(MEDIAGEN_TRUST_NOT_FOUND=true) for one run, or permanently if the service's errors have another " +
			"form.",
	}
)

const (
	serviceIsDown = "The service is down or cannot be reached. Check base_url (MEDIAGEN_BASE_URL), any other address " +
		"in the provider's configuration, and the network, or wait until it is back; then run again."
	checkTokenProvider = "Check the url, the headers and, with use_oidc, the audience of token_provider"
)

// causes has no entry for an error that only the error's own text explains.
var causes = map[reply.Kind]cause{
	reply.KindNothingFound: {
		advice: "So far, this run has found nothing that it asked for. If every request is answered like this, check " +
			"base_url (MEDIAGEN_BASE_URL), including its version.",
	},
	reply.KindOffline: {
		name: "This Needs a Credential",
		advice: "Data sources, imports, a refresh and an apply need a credential: set MEDIAGEN_API_KEY, " +
			"MEDIAGEN_ACCESS_TOKEN or MEDIAGEN_TOKEN_PROVIDER_URL. Without one, plan with -refresh=false, and " +
			"put variables in the place of data sources.",
	},
	reply.KindUntrusted: {
		name: "Service Unreachable",
		advice: "The certificate could not be verified, and nothing was sent. Check the address. If the certificate " +
			"comes from an authority of your own, as behind a proxy that inspects TLS, set SSL_CERT_FILE to a file " +
			"(PEM) that has it beside the public ones; on macOS and Windows, add them to the system's store.",
	},
	reply.KindTokenProviderDown: {
		name: "Token Provider Unreachable",
		advice: "The token provider is down or cannot be reached. Check the url of token_provider " +
			"(MEDIAGEN_TOKEN_PROVIDER_URL) and the network, or wait until it is back; then run again.",
	},
	reply.KindTokenProviderRefused: {
		name:   "Rejected by the Token Provider (401)",
		advice: "The token provider did not accept the credentials in the request. " + checkTokenProvider + ".",
	},
	reply.KindNoToken: {
		advice: "The token provider did not issue a token. " + checkTokenProvider +
			", or ask the people who run it.",
	},
	reply.KindUnreachable: {name: "Service Unreachable", advice: serviceIsDown},
	reply.KindUnanswered:  {advice: serviceIsDown},
	reply.KindTokenNotFound: {
		advice: "Tokens are not issued at this address. Check base_url (MEDIAGEN_BASE_URL), and auth_url " +
			"(MEDIAGEN_AUTH_URL) or the url of token_provider if you set it.",
	},
	reply.KindNoCredits: {
		name: "Not Enough Credits (402)",
		advice: "The service says that the organization's plan or credits do not cover this. Add credits, then apply " +
			"again.",
	},
}

var credentials = map[string]string{
	"api_key":        "API Key",
	"access_token":   "Access Token",
	"token_provider": "Token of the Token Provider",
}

// lacking is the cause if the deployment lacks an optional endpoint. Its advice
// says how to do without the endpoint. A 404 may also mean that an id in the
// path is wrong.
func lacking(failure *reply.Error) cause {
	advice := cmp.Or(failure.Proves.Instead, "Remove what needs this endpoint from the configuration.")
	if failure.Sent.HasIDs && failure.Proves.NotFound != reply.NotFoundNone {
		advice += " If the deployment does offer the endpoint, check the ids."
	}
	return cause{advice: advice}
}

// limited is the cause if a request exceeds the service's limit of requests.
// The service may say so with any status.
func limited(status int) cause {
	return cause{
		name: fmt.Sprintf("Limit of Requests (%d)", status),
		advice: "The service limits the number of requests. Set max_requests_per_minute in the provider's " +
			"configuration to the limit of your plan.",
	}
}

// rejected is the cause of a 401 to the credential in the named attribute.
func rejected(attribute string) cause {
	return cause{
		name: credentials[attribute] + " Rejected (401)",
		advice: fmt.Sprintf(
			"The service did not accept the provider's %s. Check that it is correct, and that it belongs to the "+
				"organization that owns the object.",
			attribute,
		),
	}
}
