// Package provider is the mediagen provider: its schema, its configuration and
// its types.
package provider

import (
	"cmp"
	"context"
	"os"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/character"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/download"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/inference"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/work"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Interfaces that older CLIs do not use.
var (
	_ provider.ProviderWithActions            = (*mediagen)(nil)
	_ provider.ProviderWithEphemeralResources = (*mediagen)(nil)
	_ provider.ProviderWithFunctions          = (*mediagen)(nil)
	_ provider.ProviderWithListResources      = (*mediagen)(nil)
)

// Options change how the provider runs.
type Options struct {
	Clock       wait.Clock                   // nil is the system's clock
	Environment func(variable string) string // nil is os.Getenv
	// Machine returns the user who runs the provider, and the host; nil asks
	// the operating system.
	Machine func() (user, host string)
	// Adjust lets tests adjust the client's final configuration; nil leaves it.
	Adjust func(*evidence.Config)
	// Interrupts are signals that end the exchange for a token. OpenTofu tells
	// a provider of a Ctrl-C only after the provider is configured; the
	// terminal tells it at once.
	Interrupts []os.Signal
	// OpenStore opens a purchase log that is not a file, by the address of its
	// store. If it is nil, this build has no clients of stores.
	OpenStore func(ctx context.Context, address string) (purchases.Store, error)
}

// mediagen is the provider.
type mediagen struct {
	Options
	version string
	runs    run.Runs
	secrets transport.Secrets // the secrets of this provider's configuration
}

func newProvider(version string, options Options) *mediagen {
	options.Clock = cmp.Or(options.Clock, wait.System)
	if options.Environment == nil {
		options.Environment = os.Getenv
	}
	if options.Machine == nil {
		options.Machine = thisMachine
	}
	return &mediagen{Options: options, version: version}
}

func (p *mediagen) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "mediagen"
	resp.Version = p.version
}

// Resources lists the types of all domains.
func (p *mediagen) Resources(context.Context) []func() resource.Resource {
	return slices.Concat(
		character.Resources,
		generation.Resources,
		inference.Resources,
		work.Resources,
	)
}

func (p *mediagen) DataSources(context.Context) []func() datasource.DataSource {
	return slices.Concat(
		character.DataSources,
		generation.DataSources,
		[]func() datasource.DataSource{newPurchasesDataSource},
		work.DataSources,
	)
}

func (p *mediagen) Actions(context.Context) []func() action.Action {
	return slices.Concat(download.Actions, generation.Actions, work.Actions)
}

func (p *mediagen) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{newAccessToken}
}

func (p *mediagen) Functions(context.Context) []func() function.Function {
	return generation.Functions
}

func (p *mediagen) ListResources(context.Context) []func() list.ListResource {
	return slices.Concat(character.ListResources, work.ListResources, generation.ListResources)
}
