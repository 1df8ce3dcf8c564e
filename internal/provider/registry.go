package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/mediagen/terraform-provider-mediagen/internal/service/auth"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/character"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/download"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/training"
)

// Interfaces that older CLIs do not use.
var (
	_ provider.ProviderWithActions            = (*mediagen)(nil)
	_ provider.ProviderWithEphemeralResources = (*mediagen)(nil)
	_ provider.ProviderWithFunctions          = (*mediagen)(nil)
	_ provider.ProviderWithListResources      = (*mediagen)(nil)
)

func (p *mediagen) Actions(context.Context) []func() action.Action {
	return slices.Concat(download.Actions(), generation.Actions(), training.Actions())
}

func (p *mediagen) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return auth.EphemeralResources()
}

func (p *mediagen) Functions(context.Context) []func() function.Function {
	return generation.Functions()
}

func (p *mediagen) ListResources(context.Context) []func() list.ListResource {
	return slices.Concat(character.ListResources(), training.ListResources(), generation.ListResources())
}
