package run_test

import (
	"io"
	"log"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// A private authority needs one variable, for the service and for the token
// provider alike.
func TestFailureNamesTheCertificateFile(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(nil)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL + "/v2")
	check.Must(t, err)
	for credential, config := range map[string]transport.Config{
		"access_token": {BaseURL: address, Credential: transport.Credential{AccessToken: "static"}},
		"api_key": {
			BaseURL:    address,
			Credential: transport.Credential{AuthURL: address, APIKey: "key-0123456789"},
		},
	} {
		client := evidence.New(evidence.Config{Config: config})
		_, err := client.Generations.Get(t.Context(), "g1")
		if err == nil {
			t.Fatal("an unknown authority was trusted")
		}
		detail := framework.Failure{Verb: "Read", Noun: "Generation"}.Error(err).Detail()
		check.True(
			t,
			credential,
			strings.Contains(detail, "x509: ") && strings.Contains(detail, "set SSL_CERT_FILE"),
			detail,
		)
	}
}
