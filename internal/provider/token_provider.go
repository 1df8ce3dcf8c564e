package provider

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// tokenProvider sets the token provider, and returns the parts that the
// environment gives.
func (s settings) tokenProvider(config *evidence.Config, insecure setting[bool]) []credentialPart {
	const attribute = "token_provider.url"
	address := s.text(providerAttribute[types.String](s, attribute), attribute)
	if address.value == "" {
		s.fail(pathTo(attribute), "", "Missing Address", errNoTokenProvider)
		return nil
	}
	headers := s.headers()
	identity := s.identity(insecure)
	config.TokenProvider = &transport.TokenProvider{
		URL:     s.address(pathTo(attribute), address, true, insecure),
		Headers: headers.value,
		OIDC:    identity.value,
	}
	for name := range headers.value {
		if identity.isSet() && strings.EqualFold(name, "Authorization") {
			s.fail(pathTo("token_provider.headers"), headers.variable, "Ambiguous Credentials",
				fmt.Errorf("has %s, which use_oidc sends too. Remove one of them", name))
		}
	}
	return providerParts(address, headers, identity)
}

// providerParts returns the parts of a token provider, each with the origins to
// which it may be sent.
func providerParts(
	address setting[string], headers setting[map[string]string], identity setting[*transport.OIDC],
) []credentialPart {
	var given []credentialPart
	both := []string{"token_provider.url", "base_url"}
	if address.origin == fromEnvironment {
		// The provider's address gets no secret, but its answer is a token that
		// belongs to the environment.
		given = append(given, credentialPart{name: address.variable, goesTo: []string{"base_url"}})
	}
	if headers.origin == fromEnvironment && len(headers.value) > 0 {
		given = append(given, credentialPart{name: headers.variable, goesTo: both})
	}
	if identity.origin == fromEnvironment {
		given = append(given, credentialPart{name: "a workload identity", goesTo: both})
	}
	return given
}

// headers come either all from the block, or all from the environment.
func (s settings) headers() setting[map[string]string] {
	const attribute = "token_provider.headers"
	configured := providerAttribute[types.Map](s, attribute)
	block := map[string]string{}
	for name, value := range configured.Elements() {
		text, isText := value.(types.String)
		if isText && !text.IsNull() {
			block[name] = text.ValueString()
		}
	}
	headers := choose(s, attribute, known(configured, block), format[map[string]string]{
		wrong: "Invalid Headers",
		parse: parseHeaders,
	})
	if headers.origin == fromEnvironment {
		s.checkHeaders(headers)
	}
	return headers
}

// parseHeaders never returns the decoder's own error, which could repeat a part
// of a secret.
func parseHeaders(text string) (map[string]string, error) {
	headers, err := parseObject[string](text)
	if twice, is := errors.AsType[duplicateKeyError](err); is {
		return nil, twice
	}
	if err != nil {
		return nil, errors.New("must be a JSON object of strings, as in {\"X-Team\": \"studio\"}")
	}
	return headers, nil
}

// checkHeaders checks headers by the rules of the schema.
func (s settings) checkHeaders(headers setting[map[string]string]) {
	attribute := pathTo("token_provider.headers")
	for name, value := range headers.value {
		if err := headerName().Check(name); err != nil {
			s.fail(attribute, headers.variable, "Invalid Headers", err)
		}
		if err := headerValue().Check(value); err != nil {
			s.fail(attribute, headers.variable, "Invalid Headers", fmt.Errorf("%w (%q)", err, name))
		}
	}
}

// identity resolves how the run proves its identity to the token provider.
// Without use_oidc it is not set. It belongs to the environment, unless the
// block contains the token itself: a path only says where the machine has the
// token.
func (s settings) identity(insecure setting[bool]) setting[*transport.OIDC] {
	use := s.flag(providerAttribute[types.Bool](s, "token_provider.use_oidc"), "token_provider.use_oidc")
	for _, attribute := range []string{
		"token_provider.oidc_audience", "token_provider.oidc_token", "token_provider.oidc_token_file_path",
	} {
		if !use.isSet() && !providerAttribute[types.String](s, attribute).IsNull() {
			s.fail(
				pathTo(attribute),
				"",
				"Missing Flag",
				errors.New(
					"needs use_oidc. Set it, or MEDIAGEN_USE_OIDC, to true; false ignores the attributes of OIDC",
				),
			)
		}
	}
	if !use.orDefault(false) {
		return setting[*transport.OIDC]{}
	}
	audience := s.identityText("token_provider.oidc_audience")
	if audience.value == "" {
		s.fail(pathTo("token_provider.oidc_audience"), "", "Missing Audience", errors.New("is not set, and use_oidc "+
			"needs it. Set it, or MEDIAGEN_OIDC_AUDIENCE, to the audience that your token provider accepts"))
	}
	token := s.identityText("token_provider.oidc_token")
	// Other errors in the token are found when it is read.
	if err := checkCopied(strings.TrimSpace(token.value)); err != nil {
		s.fail(pathTo("token_provider.oidc_token"), token.variable, "Invalid Credential", err)
	}
	file := s.identityText("token_provider.oidc_token_file_path")
	if err := framework.LocalPath().Check(file.value); err != nil {
		s.fail(pathTo("token_provider.oidc_token_file_path"), file.variable, "Invalid Value", err)
	}
	identity := setting[*transport.OIDC]{
		value: &transport.OIDC{
			Audience: audience.value,
			Sources:  s.oidcSources(token.value, file.value, insecure),
		},
		origin: fromEnvironment,
	}
	if token.origin == fromBlock {
		identity.origin = fromBlock
	}
	return identity
}

func (s settings) identityText(attribute string) setting[string] {
	return s.text(providerAttribute[types.String](s, attribute), attribute)
}

// oidcSources returns the sources of a token that are set for this provider,
// then the tokens that CI systems leave in the environment for any program.
func (s settings) oidcSources(token, file string, insecure setting[bool]) []transport.OIDCSource {
	const issuer, hcp = "ACTIONS_ID_TOKEN_REQUEST_URL", "TFC_WORKLOAD_IDENTITY_TOKEN"
	ours := []transport.OIDCSource{
		{Name: "oidc_token (MEDIAGEN_OIDC_TOKEN)", Token: token},
		{Name: "oidc_token_file_path (MEDIAGEN_OIDC_TOKEN_FILE_PATH)", File: file},
	}
	switch {
	case token != "":
		return ours[:1]
	case file != "":
		return ours[1:]
	}
	github := transport.OIDCSource{
		Name:   "GitHub (" + issuer + ", with the permission id-token: write)",
		Bearer: s.environment("ACTIONS_ID_TOKEN_REQUEST_TOKEN"),
	}
	address := setting[string]{
		value:    s.environment(issuer),
		origin:   fromEnvironment,
		variable: issuer,
	}
	if address.value != "" && github.Bearer != "" {
		github.Issuer = s.address(pathTo("token_provider.use_oidc"), address, true, insecure)
	}
	return append(ours,
		transport.OIDCSource{Name: hcp + "_MEDIAGEN", Token: s.environment(hcp + "_MEDIAGEN")},
		transport.OIDCSource{Name: hcp, Token: s.environment(hcp)},
		github,
	)
}
