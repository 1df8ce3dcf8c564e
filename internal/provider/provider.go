// Package provider is the mediagen provider: its schema, its configuration
// and the registry of its types.
package provider

import (
	"context"
	"os"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/character"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/dataset"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/inference"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/training"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var _ provider.Provider = (*mediagen)(nil)

type mediagen struct {
	version     string
	clock       wait.Clock
	environment func(variable string) string
	adjust      func(*api.Config)
}

// Option changes how the provider runs.
type Option func(*mediagen)

// WithClock makes waits, backoffs and limits go by clock.
func WithClock(clock wait.Clock) Option {
	return func(p *mediagen) { p.clock = clock }
}

// WithEnvironment makes lookup, instead of os.Getenv, answer for environment
// variables.
func WithEnvironment(lookup func(variable string) string) Option {
	return func(p *mediagen) { p.environment = lookup }
}

// WithClient lets adjust have the last word on how the client is made: tests
// give it a transport of their own.
func WithClient(adjust func(*api.Config)) Option {
	return func(p *mediagen) { p.adjust = adjust }
}

// New makes provider instances of one version.
func New(version string, options ...Option) func() provider.Provider {
	return func() provider.Provider {
		p := &mediagen{version: version, clock: wait.System, environment: os.Getenv, adjust: func(*api.Config) {}}
		for _, option := range options {
			option(p)
		}
		return p
	}
}

func (p *mediagen) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "mediagen"
	resp.Version = p.version
}

func (p *mediagen) Resources(context.Context) []func() resource.Resource {
	return slices.Concat(character.Resources(), dataset.Resources(), generation.Resources(), inference.Resources(), training.Resources())
}

func (p *mediagen) DataSources(context.Context) []func() datasource.DataSource {
	return slices.Concat(character.DataSources(), dataset.DataSources(), generation.DataSources(), training.DataSources())
}
