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

// OIDC is how a run proves its workload identity to the token provider, without a
// secret of its own: by a token that its CI system has signed.
type OIDC struct {
	// Audience is whom the proof is for. One for somebody else may open something
	// else, and is never sent.
	Audience string
	// Sources are where the proof may be. The first fit one is sent.
	Sources []ProofSource
}

// ProofSource is one of Token, File, and Issuer with Bearer; none if it is not set.
type ProofSource struct {
	// Name is what errors call it.
	Name string
	// Token is the proof. It cannot be renewed.
	Token string
	// File contains the proof, and is read for each request for a token.
	File string
	// Issuer answers {value} to who has Bearer, at each request for a token.
	Issuer *url.URL
	Bearer string
}

// prover returns what finds a proof; nil if none is needed.
func (c *Client) prover(oidc *OIDC) func(context.Context) (string, error) {
	if oidc == nil {
		return nil
	}
	var readers []func(context.Context) (string, error)
	for _, source := range oidc.Sources {
		c.secrets.add(source.Token, source.Bearer)
		readers = append(readers, c.proofReader(source, oidc.Audience))
	}
	return func(ctx context.Context) (string, error) {
		var problems []string
		for i, source := range oidc.Sources {
			proof, err := readers[i](ctx)
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

// proofReader returns what reads a source.
func (c *Client) proofReader(source ProofSource, audience string) func(context.Context) (string, error) {
	switch {
	case source.Token != "":
		return func(context.Context) (string, error) { return source.Token, nil }
	case source.File != "":
		return func(context.Context) (string, error) { return readProof(source.File) }
	case source.Issuer != nil:
		return c.askIssuer(source, audience)
	default:
		return func(context.Context) (string, error) { return "", errors.New("is not set") }
	}
}

func readProof(file string) (string, error) {
	content, err := os.ReadFile(file)
	if wrong, is := errors.AsType[*fs.PathError](err); is {
		return "", fmt.Errorf("names the file %q, which cannot be read: %w", file, wrong.Err)
	}
	return strings.TrimSpace(string(content)), err
}

// askIssuer requests a proof, as jobs of GitHub do.
func (c *Client) askIssuer(source ProofSource, audience string) func(context.Context) (string, error) {
	address := *source.Issuer
	address.RawQuery = strings.TrimPrefix(address.RawQuery+"&audience="+url.QueryEscape(audience), "&")
	ask := c.asker(tokenRoute{
		method: http.MethodGet, address: &address, shown: "…", field: "value",
		header: http.Header{"Authorization": {"Bearer " + source.Bearer}},
	})
	return func(ctx context.Context) (string, error) {
		proof, err := ask(ctx)
		if err != nil {
			// Not as a cause: what its status means is not about the token provider.
			err = fmt.Errorf("has issued none: %s", err.Error())
		}
		return proof, err
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
	end, err := claims.GetExpirationTime()
	if err != nil || end == nil || now.Before(end.Time) {
		return nil
	}
	expired := "expired at " + end.UTC().Format(time.RFC3339)
	if s.Token != "" {
		expired += " (a run reads such a value once: it must outlive the run, or be in oidc_token_file_path, which is read again)"
	}
	return errors.New(expired)
}
