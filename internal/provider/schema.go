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
		MarkdownDescription: "AI characters, their images and trainings, and the media that a character, media and generation service generates.",
		Attributes:          attributes,
	}
}

func serviceAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"base_url": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Address of the service with its version, as in `https://api.example.com/v2`; https, except on loopback. Required, here or as `MEDIAGEN_BASE_URL`.",
			Validators:          []validator.String{serviceAddress(false)},
		},
		"auth_url": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Address of the authentication service, without a version. If it is set, or `access_token` is, `base_url` needs no version. Default: `base_url` without its last segment. `MEDIAGEN_AUTH_URL`.",
			Validators:          []validator.String{serviceAddress(false)},
		},
		"allow_insecure_http": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether to allow http beyond loopback, which sends credentials in clear. Default `false`. `MEDIAGEN_ALLOW_INSECURE_HTTP`.",
		},
		"max_requests_per_minute": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "How many requests a minute the provider sends at most, of all objects together. Default: no limit, until the service refuses some. `MEDIAGEN_MAX_REQUESTS_PER_MINUTE`; the lower holds.",
			Validators:          []validator.Int64{int64validator.AtLeast(1)},
		},
		"max_retries": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "How often a read, update or deletion is sent again after a fault, not counting answers with 429. What costs credits is never sent again. Default `4`. `MEDIAGEN_MAX_RETRIES`.",
			Validators:          []validator.Int64{int64validator.Between(0, maxMaxRetries)},
		},
		"request_timeout": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "How long one attempt of a request that costs nothing may take, as in `90s`. Default `60s`. `MEDIAGEN_REQUEST_TIMEOUT`.",
			Validators:          []validator.String{framework.Duration()},
		},
		"paid_request_timeout": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "How long a POST may take, as in `15m`. One that is given up early may have bought unseen. Default `10m`. `MEDIAGEN_PAID_REQUEST_TIMEOUT`.",
			Validators:          []validator.String{framework.Duration()},
		},
		"max_prompts_per_batch": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "How many prompts a batch has at most, 1 or more; a larger group is submitted in several. Default: no limit. `MEDIAGEN_MAX_PROMPTS_PER_BATCH`.",
			Validators:          []validator.Int64{int64validator.AtLeast(1)},
		},
		"trust_not_found": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether to take every 404 and 410 as proof that an object is gone, which may buy it again; [by default](guides/money.md#when-something-seems-to-be-gone) only the service's own error proves it. Default `false`. `MEDIAGEN_TRUST_NOT_FOUND`.",
		},
		"extended_reads": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether the deployment has [further reads](#what-further-endpoints-add). One that fails is a warning, and is done without. Default `false`. `MEDIAGEN_EXTENDED_READS`.",
		},
	}
}

func purchaseAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"max_purchases": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "How many prompts, trainings, datasets and images a plan or apply may buy; `0` buys nothing. More is an error, in the plan or before the request; also of a `destroy` whose configuration has something to buy, unless with `-refresh=false`. Default: no limit. `MEDIAGEN_MAX_PURCHASES`; the lower holds.",
			Validators:          []validator.Int64{int64validator.AtLeast(0)},
		},
		"max_credits": schema.Float64Attribute{
			Optional:            true,
			MarkdownDescription: "How many credits a plan or apply may spend, by `prices`, or by what was deducted if that is more; `0` spends nothing. More is an error, in the plan or before the request. Default: no limit. `MEDIAGEN_MAX_CREDITS`; the lower holds.",
			Validators:          []validator.Float64{float64validator.AtLeast(0)},
		},
		"prices": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: "What you pay for each purchase, in credits, since the service names no price; `max_credits` needs them. A purchase above its price gives a warning. `MEDIAGEN_PRICES`, as in `{\"generation\": 1, \"training\": 100}`.",
			Attributes:          priceAttributes(),
		},
		"purchase_log": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "File for a JSON line before and after each purchase, deletion and cancellation. What a run that was killed has bought is taken from it, and [found](guides/books.md) if the state is lost. Prompts are hashed; keys and titles are not. If it cannot be written, nothing is bought. Default: none. `MEDIAGEN_PURCHASE_LOG`.",
			Validators:          []validator.String{framework.NotBlank()},
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
		api.KindGeneration: price("prompt"),
		api.KindTraining:   price("training"),
		api.KindDataset:    price("`mediagen_dataset`; `0` if it is free"),
		api.KindImage:      price("`mediagen_image` or `mediagen_dataset_image_regeneration`; `0` if it is free"),
	}
}

func credentialAttributes() map[string]schema.Attribute {
	validators := []validator.String{
		stringvalidator.ConflictsWith(path.MatchRoot("api_key"), path.MatchRoot("access_token"), path.MatchRoot("token_provider")),
		credentialValue(),
	}
	return map[string]schema.Attribute{
		"api_key": schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: "API key of the organization, which is exchanged for a token once a run; in place of `access_token` and `token_provider`. `MEDIAGEN_API_KEY`.",
			Validators:          validators,
		},
		"access_token": schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: "Access token that is sent as it is. It cannot be renewed, so it must outlive the run; in place of `api_key` and `token_provider`. `MEDIAGEN_ACCESS_TOKEN`.",
			Validators:          validators,
		},
		"token_provider": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: "Your own endpoint, which checks the caller and answers `{\"accessToken\": \"...\"}`: the run never holds the API key. In place of `api_key` and `access_token`.",
			Attributes:          tokenProviderAttributes(),
		},
	}
}

func tokenProviderAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"url": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Address of your endpoint, which gets a POST without a body; https, except on loopback. Required, here or as `MEDIAGEN_TOKEN_PROVIDER_URL`.",
			Validators:          []validator.String{serviceAddress(true)},
		},
		"headers": schema.MapAttribute{
			ElementType: types.StringType, Optional: true, Sensitive: true,
			MarkdownDescription: "Headers of the request, which authenticate the caller. Default: none. `MEDIAGEN_TOKEN_PROVIDER_HEADERS`, in JSON.",
			Validators:          []validator.Map{mapvalidator.KeysAre(headerName()), mapvalidator.ValueStringsAre(headerValue())},
		},
		"use_oidc": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether to authenticate by a token of the CI system in place of a secret: `oidc_token`, else `oidc_token_file_path`, else HCP Terraform's `TFC_WORKLOAD_IDENTITY_TOKEN_MEDIAGEN` or `TFC_WORKLOAD_IDENTITY_TOKEN`, else GitHub Actions'. Default `false`. `MEDIAGEN_USE_OIDC`.",
		},
		"oidc_audience": schema.StringAttribute{
			Optional: true, Validators: []validator.String{framework.NotBlank()},
			MarkdownDescription: "Audience that the CI system's token must name, or it is not sent. Required with `use_oidc`, here or as `MEDIAGEN_OIDC_AUDIENCE`.",
		},
		"oidc_token": schema.StringAttribute{
			Optional: true, Sensitive: true, Validators: []validator.String{credentialValue()},
			MarkdownDescription: "Token of the CI system, as GitLab gives it. It cannot be renewed, so it must outlive the run. `MEDIAGEN_OIDC_TOKEN`.",
		},
		"oidc_token_file_path": schema.StringAttribute{
			Optional: true, Validators: []validator.String{framework.NotBlank()},
			MarkdownDescription: "Path of a file with the CI system's token, which is read again for each renewal. `MEDIAGEN_OIDC_TOKEN_FILE_PATH`.",
		},
	}
}
