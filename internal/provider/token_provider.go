package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
)

func (s settings) tokenProvider(insecure bool) *credential.TokenProvider {
	s.within = path.Root("token_provider")
	attributes := s.config.TokenProvider.Attributes()
	address, _ := attributes["url"].(types.String)
	text, variable := s.text(address, "token_provider_url")
	if text == "" {
		s.fail(s.within.AtName("url"), "", "Missing Address", errors.New("is not set. Set it, or MEDIAGEN_TOKEN_PROVIDER_URL, to the address of your token provider"))
		return nil
	}
	provider := &credential.TokenProvider{
		URL:     s.address(s.within.AtName("url"), text, variable, true, insecure),
		Headers: map[string]string{},
		OIDC:    s.oidc(insecure),
	}
	variable = ""
	if headers, ok := attributes["headers"].(types.Map); ok && !headers.IsNull() {
		for name, value := range headers.Elements() {
			if text, ok := value.(types.String); ok && !text.IsNull() {
				provider.Headers[name] = text.ValueString()
			}
		}
	} else {
		variable = "MEDIAGEN_TOKEN_PROVIDER_HEADERS"
		s.environmentHeaders(variable, provider.Headers)
	}
	for name := range provider.Headers {
		if provider.OIDC != nil && strings.EqualFold(name, "Authorization") {
			s.fail(s.within.AtName("headers"), variable, "Ambiguous Credentials", fmt.Errorf("has %s, which use_oidc sends too. Remove one of them", name))
		}
	}
	return provider
}

func (s settings) environmentHeaders(variable string, headers map[string]string) {
	attribute, text := s.within.AtName("headers"), s.environment(variable)
	if text == "" {
		return
	}
	// The decoder's own error could repeat part of a secret.
	if err := json.Unmarshal([]byte(text), &headers); err != nil {
		s.fail(attribute, variable, "Invalid Headers", errors.New("must be a JSON object of strings, as in {\"X-Team\": \"studio\"}"))
		return
	}
	for name, value := range headers {
		if err := headerName().Check(name); err != nil {
			s.fail(attribute, variable, "Invalid Headers", err)
		}
		if err := headerValue().Check(value); err != nil {
			s.fail(attribute, variable, "Invalid Headers", fmt.Errorf("%w (%q)", err, name))
		}
	}
}

// oidc returns how the run proves itself to the token provider; nil without use_oidc.
func (s settings) oidc(insecure bool) *credential.OIDC {
	attributes := s.config.TokenProvider.Attributes()
	text := func(attribute string) (text, variable string) {
		configured, _ := attributes[attribute].(types.String)
		return s.text(configured, attribute)
	}
	configured, _ := attributes["use_oidc"].(types.Bool)
	use := s.flag(configured, "use_oidc")
	for _, attribute := range []string{"oidc_audience", "oidc_token", "oidc_token_file_path"} {
		if value := attributes[attribute]; use == nil && value != nil && !value.IsNull() {
			s.fail(s.within.AtName(attribute), "", "Missing Flag", errors.New("needs use_oidc. Set it, or MEDIAGEN_USE_OIDC, to true; false ignores the attributes of OIDC"))
		}
	}
	if !or(false, use) {
		return nil
	}
	audience, _ := text("oidc_audience")
	if audience == "" {
		s.fail(s.within.AtName("oidc_audience"), "", "Missing Audience", errors.New("is not set, and use_oidc needs it. Set it, or MEDIAGEN_OIDC_AUDIENCE, to the audience that your token provider accepts"))
	}
	token, _ := text("oidc_token")
	file, _ := text("oidc_token_file_path")
	return &credential.OIDC{Audience: audience, Sources: s.proofSources(token, file, insecure)}
}

// proofSources returns the source that is set for this provider, else what CI systems leave in the
// environment for any.
func (s settings) proofSources(token, file string, insecure bool) []credential.OIDCSource {
	const url, hcp = "ACTIONS_ID_TOKEN_REQUEST_URL", "TFC_WORKLOAD_IDENTITY_TOKEN"
	ours := []credential.OIDCSource{
		{Name: "oidc_token (MEDIAGEN_OIDC_TOKEN)", Token: token},
		{Name: "oidc_token_file_path (MEDIAGEN_OIDC_TOKEN_FILE_PATH)", File: file},
	}
	switch {
	case token != "":
		return ours[:1]
	case file != "":
		return ours[1:]
	}
	github := credential.OIDCSource{Name: "GitHub (" + url + ", with the permission id-token: write)", Bearer: s.environment("ACTIONS_ID_TOKEN_REQUEST_TOKEN")}
	if address := s.environment(url); address != "" && github.Bearer != "" {
		github.Issuer = s.address(s.within.AtName("use_oidc"), address, url, true, insecure)
	}
	return append(ours,
		credential.OIDCSource{Name: hcp + "_MEDIAGEN", Token: s.environment(hcp + "_MEDIAGEN")},
		credential.OIDCSource{Name: hcp, Token: s.environment(hcp)},
		github,
	)
}
