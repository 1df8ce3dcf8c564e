package provider

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// configuration is the provider block as written.
type configuration struct {
	BaseURL              types.String  `tfsdk:"base_url"`
	AuthURL              types.String  `tfsdk:"auth_url"`
	AllowInsecureHTTP    types.Bool    `tfsdk:"allow_insecure_http"`
	APIKey               types.String  `tfsdk:"api_key"`
	AccessToken          types.String  `tfsdk:"access_token"`
	TokenProvider        types.Object  `tfsdk:"token_provider"`
	MaxRequestsPerMinute types.Int64   `tfsdk:"max_requests_per_minute"`
	MaxRetries           types.Int64   `tfsdk:"max_retries"`
	RequestTimeout       types.String  `tfsdk:"request_timeout"`
	PaidRequestTimeout   types.String  `tfsdk:"paid_request_timeout"`
	MaxPromptsPerBatch   types.Int64   `tfsdk:"max_prompts_per_batch"`
	MaxCredits           types.Float64 `tfsdk:"max_credits"`
	Prices               types.Object  `tfsdk:"prices"`
	MaxPurchases         types.Int64   `tfsdk:"max_purchases"`
	PurchaseLog          types.String  `tfsdk:"purchase_log"`
	TrustNotFound        types.Bool    `tfsdk:"trust_not_found"`
	ExtendedReads        types.Bool    `tfsdk:"extended_reads"`
}

func (p *mediagen) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	attributes := serviceAttributes()
	maps.Copy(attributes, credentialAttributes())
	maps.Copy(attributes, purchaseAttributes())
	resp.Schema = schema.Schema{
		MarkdownDescription: "Characters, media and generation jobs of a character, media and generation service. " +
			"Every attribute can come from the environment; the configuration wins. Exactly one of `api_key`, `access_token` and `token_provider` is needed, except to validate.",
		Attributes: attributes,
	}
}

func serviceAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"base_url": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Address of the service, ending in its version segment, as in `https://api.example.com/v2`. Required, here or as `MEDIAGEN_BASE_URL`. https, except on loopback.",
			Validators:          []validator.String{serviceAddress(false)},
		},
		"auth_url": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Address of the authentication service, without a version. Default: `base_url` without its last segment. `MEDIAGEN_AUTH_URL`. If set, `base_url` may be without a version.",
			Validators:          []validator.String{serviceAddress(false)},
		},
		"allow_insecure_http": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Allow http beyond loopback, for a mock service in another container; credentials then travel in clear. Default `false`. `MEDIAGEN_ALLOW_INSECURE_HTTP`.",
		},
		"max_requests_per_minute": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Limit that the provider keeps by itself, over all its operations. Default: none; a service that keeps refusing requests is then asked for as many a minute as it has answered within one. `MEDIAGEN_MAX_REQUESTS_PER_MINUTE`.",
			Validators:          []validator.Int64{int64validator.AtLeast(1)},
		},
		"max_retries": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "How often a read, an update or a deletion is sent again after a passing fault; batches and trainings never are. A 429 does not count. Default `4`. `MEDIAGEN_MAX_RETRIES`.",
			Validators:          []validator.Int64{int64validator.Between(0, mostRetries)},
		},
		"request_timeout": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Time for one attempt of a read, an update, a deletion or a token request, as in `90s`. Default `60s`. `MEDIAGEN_REQUEST_TIMEOUT`.",
			Validators:          []validator.String{duration()},
		},
		"paid_request_timeout": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Time for one POST. Giving up on a batch or a training early would leave it unknown whether it was bought. Default `10m`. `MEDIAGEN_PAID_REQUEST_TIMEOUT`.",
			Validators:          []validator.String{duration()},
		},
		"max_prompts_per_batch": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Groups with more prompts are submitted in several batches. Default: one batch. `MEDIAGEN_MAX_PROMPTS_PER_BATCH`.",
			Validators:          []validator.Int64{int64validator.AtLeast(1)},
		},
		"trust_not_found": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Take every 404 and 410 as proof that an object is gone. By default only the service's own error (a JSON object with an `error` text) proves that, twice, at the address and under the organization or credential that saw the object last; " +
				"anything else, such as a gateway's page or the answer of another `base_url`, is an error that changes nothing. For services whose errors have another form, or for one run. Default `false`. `MEDIAGEN_TRUST_NOT_FOUND`.",
		},
		"extended_reads": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "The deployment answers reads that only some have: of a group as a whole, so that its refresh needs one request for each 200 finished generations, and its id is enough to import it; " +
				"of all groups, to list them, and to find a batch whose reply was lost, by title and texts (give groups of different workspaces different titles: equal ones cannot be told apart); " +
				"of one character, where that takes fewer requests than pages; and of a video's categorization, whose end is then awaited. A route that is not there is given up with a warning. Default `false`. `MEDIAGEN_EXTENDED_READS`.",
		},
	}
}

func purchaseAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"max_purchases": schema.Int64Attribute{
			Optional: true,
			MarkdownDescription: "How many prompts, trainings and datasets one plan or apply may buy, for each provider configuration. A plan that announces more is an error, as far as it can tell equal objects apart; an apply counts before each batch and each training, " +
				"and sends none that would exceed it. `0` buys nothing. Also stops a `destroy` while the configuration has something to buy, unless with `-refresh=false`. Default: no limit. `MEDIAGEN_MAX_PURCHASES`.",
			Validators: []validator.Int64{int64validator.AtLeast(0)},
		},
		"max_credits": schema.Float64Attribute{
			Optional: true,
			MarkdownDescription: "How many credits one plan or apply may spend, for each provider configuration, by the `prices` of what it buys: it needs that of each kind. A plan that announces more is an error. An apply reserves the price before each batch and each training, " +
				"and sends none that would exceed the limit; then what the service has deducted counts, if that is more. What was refused is given back, what may have been bought is not. One purchase is made at a time. `0` buys nothing. Default: no limit. `MEDIAGEN_MAX_CREDITS`.",
			Validators: []validator.Float64{float64validator.AtLeast(0)},
		},
		"prices": schema.SingleNestedAttribute{
			Optional: true,
			MarkdownDescription: "What you pay, in credits, since the service tells no price before a purchase. `max_credits` needs it, and a purchase that was dearer is a warning. " +
				"`MEDIAGEN_PRICES` (a JSON object, as in `{\"generation\": 1, \"training\": 100}`), which does not add to what is set here.",
			Attributes: priceAttributes(),
		},
		"purchase_log": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "File that every batch, training and dataset is written to, a JSON line before it is sent and one when it is answered, and a line for each deletion and cancellation. What was bought can then be found and imported if the state is lost. " +
				"Prompts are in it as SHA-256 only; keys and titles are plain text. A relative path goes by the working directory of the run (`-chdir`). If it cannot be written, nothing is bought. Default: none. `MEDIAGEN_PURCHASE_LOG`.",
			Validators: []validator.String{framework.NotBlank()},
		},
	}
}

// priceAttributes are the kinds of purchases.
func priceAttributes() map[string]schema.Attribute {
	price := func(of string) schema.Attribute {
		return schema.Float64Attribute{
			Optional:            true,
			MarkdownDescription: "Credits for one " + of + ".",
			Validators:          []validator.Float64{float64validator.AtLeast(0)},
		}
	}
	return map[string]schema.Attribute{
		api.KindGeneration: price("prompt of a `mediagen_generation_group`"),
		api.KindTraining:   price("`mediagen_body_lora_training` or `mediagen_face_lora_training`"),
		api.KindDataset:    price("`mediagen_dataset`; its cost is not documented: `0` says that it is free"),
	}
}

func credentialAttributes() map[string]schema.Attribute {
	validators := []validator.String{
		stringvalidator.ConflictsWith(path.MatchRoot("api_key"), path.MatchRoot("access_token"), path.MatchRoot("token_provider")),
		credential(),
	}
	return map[string]schema.Attribute{
		"api_key": schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: "Organization API key, exchanged for a short-lived token once a run, before anything else. `MEDIAGEN_API_KEY`.",
			Validators:          validators,
		},
		"access_token": schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: "A token to use as it is. It cannot be renewed, so it must outlive the run. Nothing is sent before something is read: `offline` is enough for `plan -refresh=false` without the service. `MEDIAGEN_ACCESS_TOKEN`.",
			Validators:          validators,
		},
		"token_provider": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: "Your own token-provider endpoint, which checks the caller and answers `{accessToken}`: the run then never holds the API key.",
			Attributes:          tokenProviderAttributes(),
		},
	}
}

func tokenProviderAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"url": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Address that a POST without body is sent to. Required, here or as `MEDIAGEN_TOKEN_PROVIDER_URL`. https, except on loopback.",
			Validators:          []validator.String{serviceAddress(true)},
		},
		"headers": schema.MapAttribute{
			ElementType: types.StringType, Optional: true, Sensitive: true,
			MarkdownDescription: "Headers that authenticate the caller to the token provider. `MEDIAGEN_TOKEN_PROVIDER_HEADERS` (a JSON object).",
			Validators:          []validator.Map{mapvalidator.KeysAre(headerName()), mapvalidator.ValueStringsAre(headerValue())},
		},
		"use_oidc": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Prove the identity of the run to the token provider by a token of the CI system, sent as `Authorization: Bearer`: no secret is stored anywhere. It comes from `oidc_token`, else `oidc_token_file_path`, else HCP Terraform's " +
				"`TFC_WORKLOAD_IDENTITY_TOKEN_MEDIAGEN` or `TFC_WORKLOAD_IDENTITY_TOKEN`, else GitHub Actions. Default `false`. `MEDIAGEN_USE_OIDC`.",
		},
		"oidc_audience": schema.StringAttribute{
			Optional: true, Validators: []validator.String{framework.NotBlank()},
			MarkdownDescription: "Audience that your token provider accepts. Required with `use_oidc`, here or as `MEDIAGEN_OIDC_AUDIENCE`: a token whose `aud` lacks it may open something else, and is never sent.",
		},
		"oidc_token": schema.StringAttribute{
			Optional: true, Sensitive: true, Validators: []validator.String{credential()},
			MarkdownDescription: "The CI system's token, as GitLab hands it out in a variable. It cannot be renewed, so it must outlive the run, or the token provider's tokens must. `MEDIAGEN_OIDC_TOKEN`.",
		},
		"oidc_token_file_path": schema.StringAttribute{
			Optional: true, Validators: []validator.String{framework.NotBlank()},
			MarkdownDescription: "File that contains the CI system's token. It is read again for each renewal. A relative path goes by the working directory of the run. `MEDIAGEN_OIDC_TOKEN_FILE_PATH`.",
		},
	}
}
