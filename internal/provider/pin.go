package provider

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
)

// credentialPart is a part of the credential that the environment gives. The
// token that it buys belongs to the environment too, whatever the block adds.
type credentialPart struct {
	name   string   // the variable, or a description
	goesTo []string // the attributes whose addresses get the part, or the token that it buys
}

// pin refuses to send the environment's credential to an origin that the
// environment does not name, if it names any. Otherwise, whoever can change a
// configuration would receive the key of whoever plans it.
func (s settings) pin(config *evidence.Config, parts []credentialPart) {
	origins := s.environmentOrigins()
	if len(origins) == 0 {
		return
	}
	for attribute, address := range s.credentialAddresses(config) {
		var given []string
		for _, part := range parts {
			if slices.Contains(part.goesTo, attribute) {
				given = append(given, part.name)
			}
		}
		used := originOf(address.String())
		isNamed := slices.ContainsFunc(origins, func(named namedOrigin) bool { return named.origin == used })
		if len(given) > 0 && !isNamed {
			s.fail(pathTo(attribute), "", "Credential of Another Address", credentialOfAnother(used, given, origins))
		}
	}
}

// credentialAddresses returns the addresses of requests with a credential. An
// auth_url that nobody has set has the origin of base_url.
func (s settings) credentialAddresses(config *evidence.Config) map[string]*url.URL {
	addresses := map[string]*url.URL{"base_url": config.BaseURL}
	if s.text(s.config.AuthURL, "auth_url").isSet() {
		addresses["auth_url"] = config.AuthURL
	}
	if config.TokenProvider != nil {
		addresses["token_provider.url"] = config.TokenProvider.URL
	}
	return addresses
}

// namedOrigin is an origin that the environment names.
type namedOrigin struct{ variable, origin string }

// environmentOrigins returns the addresses that the environment names, to which
// its credential may go.
func (s settings) environmentOrigins() []namedOrigin {
	var origins []namedOrigin
	for _, attribute := range []string{"base_url", "auth_url", "token_provider.url"} {
		variable := variableOf(attribute)
		text := s.environment(variable)
		if text != "" {
			origins = append(origins, namedOrigin{variable: variable, origin: originOf(text)})
		}
	}
	return origins
}

// originOf returns scheme, host and port of an address, because nothing else of
// an address may be shown. For an invalid address it returns a text that equals
// no origin.
func originOf(text string) string {
	address, err := parseAddress(text, true)
	if err != nil {
		return "no address"
	}
	standard := map[string]string{"https": ":443", "http": ":80"}[address.Scheme]
	return address.Scheme + "://" + strings.TrimSuffix(strings.ToLower(address.Host), standard)
}

// credentialOfAnother refuses to send a credential of the environment to an
// address that only a block names.
func credentialOfAnother(used string, given []string, origins []namedOrigin) error {
	var named []string
	for _, origin := range origins {
		named = append(named, fmt.Sprintf("%s (%s)", origin.variable, origin.origin))
	}
	return fmt.Errorf("is at %s, and the credential comes from the environment (%s). It, and a token that it buys, "+
		"goes only where the environment says: %s. Nothing was sent. Give the block its own credential, or name this "+
		"address in the environment",
		used, strings.Join(given, " and "), strings.Join(named, ", "))
}
