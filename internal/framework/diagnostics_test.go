package framework_test

import (
	"io"
	"log"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

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
