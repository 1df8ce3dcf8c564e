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

// OIDC proves a run's identity to the token provider by a token that the CI
// system has signed.
type OIDC struct {
	Audience string       // the receiver; a token for a different audience is never sent
	Sources  []OIDCSource // the first valid token is sent
}

// OIDCSource is a source of OIDC tokens. It has a Token, which cannot be
// renewed, a File that contains the token, or an Issuer that returns {value} to
// a request with Bearer. All are empty if the source is not set.
type OIDCSource struct {
	Name        string // in errors
	Token, File string
	Issuer      *url.URL
	Bearer      string
}

// tokens returns a function that finds an OIDC token, or nil if no OIDC token
// is needed.
func (o *OIDC) tokens(clock wait.Clock, secrets *Secrets, ask askForToken) func(context.Context) (Token, error) {
	if o == nil {
		return nil
	}
	issue := map[string]func(context.Context) (string, error){}
	for _, source := range o.Sources {
		secrets.Add(source.Token, source.Bearer)
		if source.Issuer != nil {
			issue[source.Name] = ask(source.request(o.Audience))
		}
	}
	return func(ctx context.Context) (Token, error) {
		var problems []string
		for _, source := range o.Sources {
			token, err := source.read(ctx, issue[source.Name])
			token = strings.TrimSpace(token) // files and variables often end in a line break
			secrets.Add(token)
			if err == nil {
				err = source.validate(token, o.Audience, clock.Now())
			}
			switch {
			case err == nil:
				return Token{Value: token}, nil
			case ctx.Err() != nil:
				return Token{}, wait.Ended(ctx)
			}
			problems = append(problems, source.Name+" "+err.Error())
		}
		return Token{}, fmt.Errorf(
			"there is no OIDC token for the audience %q to send: %s",
			reply.Shown(o.Audience, reply.MaxCode),
			strings.Join(problems, "; "),
		)
	}
}

// request returns a request for a token in the form that GitHub's jobs use.
func (s OIDCSource) request(audience string) TokenRequest {
	address := *s.Issuer
	address.RawQuery = strings.TrimPrefix(address.RawQuery+"&audience="+url.QueryEscape(audience), "&")
	return TokenRequest{
		Method:  http.MethodGet,
		Address: &address,
		Path:    "…",
		Field:   "value",
		By:      "it",
		Header:  http.Header{"Authorization": {"Bearer " + s.Bearer}, "Accept": {"application/json"}},
	}
}

// read reads the token. It reads a file or an issuer again at each call.
func (s OIDCSource) read(ctx context.Context, issue func(context.Context) (string, error)) (string, error) {
	switch {
	case s.Token != "":
		return s.Token, nil
	case s.File != "":
		content, err := os.ReadFile(s.File)
		if wrong, is := errors.AsType[*fs.PathError](err); is {
			err = fmt.Errorf("names the file %q, which cannot be read: %w", s.File, wrong.Err)
		}
		return string(content), err
	case issue != nil:
		token, err := issue(ctx)
		if err != nil { // not wrapped: its status is not the token provider's
			err = errors.New("has issued none: " + err.Error())
		}
		return token, err
	default:
		return "", errors.New("is not set")
	}
}

// validate returns the reason why a token must not be sent or would be useless.
// It returns nil if the token is valid. The receiver verifies the signature.
func (s OIDCSource) validate(token, audience string, now time.Time) error {
	claims := claimsOf(token)
	if claims == nil || !isToken(token) {
		return errors.New("is not a JWT")
	}
	if meant, err := claims.GetAudience(); err != nil || !slices.Contains(meant, audience) {
		return fmt.Errorf(
			"is for the audience %q, and may open something else",
			reply.Shown(strings.Join(meant, ", "), reply.MaxCode),
		)
	}
	if end, err := claims.GetExpirationTime(); err == nil && end != nil && !now.Before(end.Time) {
		expired := "expired at " + end.UTC().Format(time.RFC3339)
		if s.Token != "" {
			expired += " (a run reads such a value once: it must outlive the run, or be in oidc_token_file_path, " +
				"which is read again)"
		}
		return errors.New(expired)
	}
	return nil
}
