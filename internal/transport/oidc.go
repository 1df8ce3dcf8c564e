package transport

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// maxAudience limits, in characters, what errors show of an audience.
const maxAudience = 100

// OIDC is how a run proves to the token provider who it is: by a token that its CI
// system has signed.
type OIDC struct {
	// Audience is whom the token is for. One for somebody else may open something
	// else, and is never sent.
	Audience string
	// Sources are where the token may be. The first one that is fit is sent.
	Sources []OIDCSource
}

// OIDCSource is a Token, which cannot be renewed, or a File that contains it, or an
// Issuer that returns it as {value} to a request with Bearer. All are empty if it is not set.
type OIDCSource struct {
	// Name is what errors call it.
	Name        string
	Token, File string
	Issuer      *url.URL
	Bearer      string
}

// oidcTokens returns what finds an OIDC token; nil if none is needed.
func (c *Client) oidcTokens(oidc *OIDC) func(context.Context) (string, error) {
	if oidc == nil {
		return nil
	}
	ask := map[string]func(context.Context) (Token, error){}
	for _, source := range oidc.Sources {
		c.secrets.add(source.Token, source.Bearer)
		if source.Issuer != nil {
			ask[source.Name] = c.askIssuer(source, oidc.Audience)
		}
	}
	return func(ctx context.Context) (string, error) {
		var problems []string
		for _, source := range oidc.Sources {
			token, err := source.read(ctx, ask[source.Name])
			token = strings.TrimSpace(token) // files and variables often end in a line break
			c.secrets.add(token)
			if err == nil {
				err = source.unfit(token, oidc.Audience, c.clock.Now())
			}
			switch {
			case err == nil:
				return token, nil
			case ctx.Err() != nil:
				return "", wait.Ended(ctx)
			}
			problems = append(problems, source.Name+" "+err.Error())
		}
		return "", fmt.Errorf("there is no OIDC token for the audience %q to send: %s", reply.Sanitize(oidc.Audience, maxAudience), strings.Join(problems, "; "))
	}
}

// askIssuer requests an OIDC token, as jobs of GitHub do.
func (c *Client) askIssuer(source OIDCSource, audience string) func(context.Context) (Token, error) {
	address := *source.Issuer
	address.RawQuery = strings.TrimPrefix(address.RawQuery+"&audience="+url.QueryEscape(audience), "&")
	return c.fetchToken(sender{
		request: &Request{method: http.MethodGet, route: "…", expected: []string{"value"}, by: "it"},
		address: &address, header: http.Header{"Authorization": {"Bearer " + source.Bearer}, "Accept": {"application/json"}},
	})
}

// read reads the token anew, as far as that is possible.
func (s OIDCSource) read(ctx context.Context, ask func(context.Context) (Token, error)) (string, error) {
	switch {
	case s.Token != "":
		return s.Token, nil
	case s.File != "":
		content, err := os.ReadFile(s.File)
		if wrong, is := errors.AsType[*fs.PathError](err); is {
			err = fmt.Errorf("names the file %q, which cannot be read: %w", s.File, wrong.Err)
		}
		return string(content), err
	case ask != nil:
		token, err := ask(ctx)
		if err != nil {
			// Not as a cause: what its status means is not about the token provider.
			err = errors.New("has issued none: " + err.Error())
		}
		return token.Value, err
	default:
		return "", errors.New("is not set")
	}
}

// unfit says why a token must not be sent, or would be in vain; nil if it is fit.
// Who receives it verifies the signature.
func (s OIDCSource) unfit(token, audience string, now time.Time) error {
	claims := claimsOf(token)
	if claims == nil || !isToken(token) {
		return errors.New("is not a JWT")
	}
	if meant, err := claims.GetAudience(); err != nil || !slices.Contains(meant, audience) {
		return fmt.Errorf("is for the audience %q, and may open something else", reply.Sanitize(strings.Join(meant, ", "), maxAudience))
	}
	if end, err := claims.GetExpirationTime(); err == nil && end != nil && !now.Before(end.Time) {
		expired := "expired at " + end.UTC().Format(time.RFC3339)
		if s.Token != "" {
			expired += " (a run reads such a value once: it must outlive the run, or be in oidc_token_file_path, which is read again)"
		}
		return errors.New(expired)
	}
	return nil
}
