package transport_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// A redirect that has the same request sent elsewhere has not processed it; any
// other may have, and so may one that says where to nowhere, or that counts or
// names what was bought. Each message says where it points, and nothing goes
// there. Fault F43.
func TestRedirect_ofAPaidRequest(t *testing.T) {
	t.Parallel()
	const elsewhere = "https://www.example.com/v2/train"
	for status := 300; status < 400; status++ {
		for location, says := range map[string]string{
			elsewhere: "the redirect to " + elsewhere + " was not followed",
			"https://user:password@www.example.com/v2/train?token=secret#part": "the redirect to " + elsewhere +
				" was not followed",
			"http://api.example.com/train": "the redirect to http://api.example.com/train was not followed",
			"/v2/train":                    "the redirect to https://api.example.com/v2/train was not followed",
			"http://[":                     "the redirect was not followed",
			"mailto:someone":               "the redirect was not followed",
			"":                             "the redirect was not followed",
		} {
			for body, bought := range map[string]bool{
				"": false, "<html>moved</html>": false, `{"message":"moved"}`: false,
				started: true, `{"credits_deducted":5}`: true, `{"job_id":"job_1"}`: true, started[:20]: true,
			} {
				requests := 0
				config := transport.Config{Credential: transport.Credential{AccessToken: "static"}, Clock: newClock()}
				client := answering(t, config, func(r *http.Request) *http.Response {
					requests++
					if location == "" {
						return response(r, status, body)
					}
					return response(r, status, body, location)
				})
				_, err := client.Do(t.Context(), order())
				unprocessed := (status == 307 || status == 308) && strings.Contains(says, "://") && !bought
				what := fmt.Sprintf("%d to %q with %q", status, location, body)
				check.Equal(t, what+": requests", requests, 1)
				check.True(
					t,
					what,
					reply.IsEffectUnknown(err) != unprocessed && reply.IsRefused(err) == unprocessed,
					err,
				)
				if status != http.StatusNotModified {
					check.Contains(t, what, err.Error(), says)
				}
				check.True(
					t,
					"no secret",
					!strings.Contains(err.Error(), "secret") && !strings.Contains(err.Error(), "password"),
					err,
				)
			}
		}
	}
}

// What a redirect's address repeats of the token is withheld. Fault F27.
func TestRedirect_withTheToken(t *testing.T) {
	t.Parallel()
	const secret = "a-token-of-the-environment"
	config := transport.Config{Credential: transport.Credential{AccessToken: secret}, Clock: newClock()}
	client := answering(t, config, func(r *http.Request) *http.Response {
		return response(r, http.StatusPermanentRedirect, "", "https://www.example.com/"+secret)
	})
	_, err := client.Do(t.Context(), transport.Put("/x"))
	check.Contains(t, "the error", err.Error(), "https://www.example.com/")
	check.True(t, "no secret", !strings.Contains(err.Error(), secret), err)
}
