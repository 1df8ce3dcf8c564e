package api

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

type call struct{ query url.Values }
type gate struct{}
type tokenSource struct{}
type secrets struct{}

// Token is a bearer.
type Token struct {
	Value     string
	ExpiresAt time.Time
}

// TokenProvider is the customer's own token endpoint.
type TokenProvider struct {
	URL     *url.URL
	Headers map[string]string
}

// AccessToken is the token source.
func (c *Client) AccessToken(ctx context.Context, minLifeShare float64) (Token, error) {
	return Token{}, errors.ErrUnsupported
}

const maxMessage = 1000

func tame(text string, limit int) string      { return text }
func newGate(wait.Clock, int64) *gate         { return nil }
func newTokenSource(*Client) *tokenSource     { return nil }
func newCall(string, string, ...string) *call { return &call{} }
func get(t string, ids ...string) *call       { return &call{} }
func post(t string, ids ...string) *call      { return &call{} }
func put(t string, ids ...string) *call       { return &call{} }
func remove(t string, ids ...string) *call    { return &call{} }
func (c *call) paid() *call                   { return c }
func (c *call) mayBeEmpty() *call             { return c }
func (c *call) expect(...string) *call        { return c }
func (c *call) json(any) *call                { return c }
func (c *call) file(FaceImage) *call          { return c }
func (c *Client) do(ctx context.Context, call *call) (object, error) {
	return nil, errors.ErrUnsupported
}
