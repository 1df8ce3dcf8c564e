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

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// OIDC is how a run proves to the token provider who it is: by a token that its CI
// system has signed.
type OIDC struct {
	// Audience is whom the proof is for. One for somebody else may open something
	// else, and is never sent.
	Audience string
	// Sources are where the proof may be. The first fit one is sent.
	Sources []ProofSource
}

// ProofSource is a Token, which cannot be renewed, or a File that contains it, or an
// Issuer that answers {value} to who has Bearer; or nothing, if it is not set.
type ProofSource struct {
	// Name is what errors call it.
	Name        string
	Token, File string
	Issuer      *url.URL
	Bearer      string
}

// prover returns what finds a proof; nil if none is needed.
func (c *Client) prover(oidc *OIDC) func(context.Context) (string, error) {
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
			proof, err := source.read(ctx, ask[source.Name])
			proof = strings.TrimSpace(proof) // files and variables often end in a line break
			c.secrets.add(proof)
			if err == nil {
				err = source.unfit(proof, oidc.Audience, c.clock.Now())
			}
			switch {
			case err == nil:
				return proof, nil
			case ctx.Err() != nil:
				return "", wait.Ended(ctx)
			}
			problems = append(problems, source.Name+" "+err.Error())
		}
		return "", fmt.Errorf("there is no OIDC token for the audience %q to send: %s", Sanitize(oidc.Audience, maxCode), strings.Join(problems, "; "))
	}
}

// askIssuer requests a proof, as jobs of GitHub do.
func (c *Client) askIssuer(source ProofSource, audience string) func(context.Context) (Token, error) {
	address := *source.Issuer
	address.RawQuery = strings.TrimPrefix(address.RawQuery+"&audience="+url.QueryEscape(audience), "&")
	return c.fetchToken(sender{
		request: &Request{method: http.MethodGet, route: "…", expected: []string{"value"}, by: "it"},
		address: &address, header: http.Header{"Authorization": {"Bearer " + source.Bearer}, "Accept": {"application/json"}},
	})
}

// read reads the proof anew, as far as that is possible.
func (s ProofSource) read(ctx context.Context, ask func(context.Context) (Token, error)) (string, error) {
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
		proof, err := ask(ctx)
		if err != nil {
			// Not as a cause: what its status means is not about the token provider.
			err = errors.New("has issued none: " + err.Error())
		}
		return proof.Value, err
	default:
		return "", errors.New("is not set")
	}
}

// unfit says why a proof must not be sent, or would be in vain; nil if it is fit.
// Who receives it verifies the signature.
func (s ProofSource) unfit(proof, audience string, now time.Time) error {
	claims := claimsOf(proof)
	if claims == nil || !isToken(proof) {
		return errors.New("is not a JWT")
	}
	if meant, err := claims.GetAudience(); err != nil || !slices.Contains(meant, audience) {
		return fmt.Errorf("is for the audience %q, and may open something else", Sanitize(strings.Join(meant, ", "), maxCode))
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
