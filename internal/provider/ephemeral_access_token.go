package provider

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var _ ephemeral.EphemeralResourceWithConfigure = (*accessToken)(nil)

// accessToken is the ephemeral mediagen_access_token: the token that the
// provider itself uses. It lives only in the memory of the process, since an
// ephemeral value is in neither plan nor state. It expires by itself and cannot
// be revoked, so that there is nothing to close, and a renewed token could not be
// handed out.
type accessToken struct{ run.EphemeralResource }

func newAccessToken() ephemeral.EphemeralResource { return &accessToken{} }

// accessTokenModel is a token and its expiry. It goes into no state.
type accessTokenModel struct {
	AccessToken types.String `tfsdk:"access_token"`
	ExpiresAt   types.String `tfsdk:"expires_at"`
}

func (e *accessToken) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_access_token"
}

// Schema describes the token.
func (e *accessToken) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The provider's access token, for use by other clients.\n\n" +
			"The token costs no credits and is stored in neither plan nor state. At least half of its life is left, " +
			"unless it is the `access_token` of the provider's configuration.",
		Attributes: map[string]schema.Attribute{
			"access_token": schema.StringAttribute{
				Computed:  true,
				Sensitive: true,
				MarkdownDescription: "Token to send to the service as a bearer, in the header `Authorization`. Never " +
					"null.",
			},
			"expires_at": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "When the token expires, in RFC 3339 and UTC. Null if the token does not say.",
			},
		},
	}
}

// Open returns the provider's token. If less than half of its life is left, it
// exchanges the credential for a fresh token.
func (e *accessToken) Open(ctx context.Context, _ ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	if !e.Data.Ready(&resp.Diagnostics) {
		return
	}
	token, err := e.Data.Client.AccessToken(ctx, 0.5) // at least half of its life is left
	if err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb:        "Obtain",
			Noun:        "Access Token",
			Consequence: "No token was handed out.",
		}.Error(err))
		return
	}
	model := accessTokenModel{AccessToken: types.StringValue(token.Value)}
	if !token.ExpiresAt.IsZero() {
		model.ExpiresAt = types.StringValue(token.ExpiresAt.UTC().Format(time.RFC3339))
	}
	resp.Diagnostics.Append(resp.Result.Set(ctx, &model)...)
}
