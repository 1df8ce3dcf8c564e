package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
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
	MaxCreditsPerMonth   types.Float64 `tfsdk:"max_credits_per_month"`
	PurchaseLog          types.String  `tfsdk:"purchase_log"`
	DefaultLabels        types.Map     `tfsdk:"default_labels"`
	TrustNotFound        types.Bool    `tfsdk:"trust_not_found"`
	ExtendedReads        types.Bool    `tfsdk:"extended_reads"`
}

// Schema describes the provider block. Each attribute names its variable, which
// applies if the block does not set the attribute.
func (p *mediagen) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	alone := stringvalidator.ConflictsWith(
		path.MatchRoot("api_key"),
		path.MatchRoot("access_token"),
		path.MatchRoot("token_provider"),
	)
	resp.Schema = schema.Schema{
		MarkdownDescription: "AI characters, their images and trainings, and the media that a character, media and " +
			"generation service generates.",
		Attributes: map[string]schema.Attribute{
			"base_url": optionalText(
				serviceAddress(false),
				"Address of the service with its version, such as `https://api.example.com/v2`. It must be https, "+
					"except on loopback. Required here or as `MEDIAGEN_BASE_URL`.",
			),
			"auth_url": optionalText(
				serviceAddress(false),
				"Address of the authentication service, without a version. If it or `access_token` is set, "+
					"`base_url` needs no version. Defaults to `base_url` without its last segment."+env(
					"AUTH_URL",
				),
			),
			"allow_insecure_http": optionalFlag(
				"Whether to allow http beyond loopback, which sends credentials in clear. Defaults to " +
					"`false`." + envFlag(
					"ALLOW_INSECURE_HTTP",
				),
			),
			"max_requests_per_minute": optionalNumber(
				int64validator.AtLeast(1),
				"Maximum number of requests a minute, for all objects together. Defaults to no limit, until the "+
					"service refuses some."+env(
					"MAX_REQUESTS_PER_MINUTE",
				)+" If both are set, the lower one holds.",
			),
			"max_retries": optionalNumber(
				int64validator.Between(0, maxMaxRetries),
				"How often a read, update or deletion is sent again after a fault, not counting replies with status "+
					"429. What costs credits is sent again only if it certainly was not processed. Defaults to "+
					"`4`."+env(
					"MAX_RETRIES",
				),
			),
			"request_timeout": optionalText(
				framework.Duration(),
				"How long one attempt of a request that costs nothing may take, as in `90s`. Defaults to `60s`."+env(
					"REQUEST_TIMEOUT",
				),
			),
			"paid_request_timeout": optionalText(
				framework.Duration(),
				"How long a POST, which may cost credits, may take, as in `15m`. If it is given up early, it may "+
					"have bought something all the same. Defaults to `10m`."+env(
					"PAID_REQUEST_TIMEOUT",
				),
			),
			"max_prompts_per_batch": optionalNumber(
				int64validator.AtLeast(1),
				"Maximum number of prompts in one batch; a larger group is submitted in several. Defaults to no "+
					"limit."+env(
					"MAX_PROMPTS_PER_BATCH",
				),
			),
			"trust_not_found": optionalFlag(
				"Whether to take every 404 and 410 as proof that an object is gone, which may buy it again; " +
					"otherwise only the service's own error " +
					"proves it. Defaults to `false`." + envFlag(
					"TRUST_NOT_FOUND",
				),
			),
			"extended_reads": optionalFlag(
				"Whether to use further reads, where a deployment has them. If one fails, the provider warns and " +
					"does without it. Silence proves nothing: a query of groups is an error where they are missing. " +
					"Defaults to `false`." + env(
					"EXTENDED_READS",
				),
			),

			"api_key": secret(
				"API key of the organization, which is exchanged for a token once a run. Conflicts with "+
					"`access_token` and `token_provider`."+env(
					"API_KEY",
				),
				alone,
			),
			"access_token": secret(
				"Access token, which is sent as it is. It cannot be renewed, so it must outlive the run. Conflicts "+
					"with `api_key` and `token_provider`."+env(
					"ACCESS_TOKEN",
				),
				alone,
			),
			"token_provider": schema.SingleNestedAttribute{
				Optional: true,
				MarkdownDescription: "Endpoint of your own, which checks the caller and answers `{\"accessToken\": " +
					"\"...\"}`, so that the run never holds the API key. Conflicts with `api_key` and `access_token`.",
				Attributes: tokenProviderAttributes(),
				Validators: []validator.Object{framework.NotEmpty{}},
			},

			"max_purchases": optionalNumber(
				int64validator.AtLeast(0),
				"Maximum number of prompts, trainings, datasets and generated images that a plan or apply may buy; "+
					"`0` buys nothing. More is an error, in the plan or before the request. A `destroy` plans the "+
					"configuration first, and so may fail too, unless with `-refresh=false`. Defaults to no limit."+env(
					"MAX_PURCHASES",
				)+" If both are set, the lower one holds.",
			),
			"max_credits": optionalCredits(
				"Maximum number of credits that a plan or apply may spend, by `prices`, or by what was deducted if " +
					"that is more; `0` spends nothing. More is an error, in the plan or before the request. Defaults " +
					"to no limit." + env(
					"MAX_CREDITS",
				) + " If both are set, the lower one holds.",
			),
			"prices": schema.SingleNestedAttribute{
				Optional: true,
				MarkdownDescription: "Your price list in credits, such as `{ generation = 1, training = " +
					"100 }`. `cost` and `max_credits` are computed from it; `max_credits` needs a price of each kind " +
					"that is bought. Write `0` for what is free. A purchase above its price is a warning. Can be set " +
					"as `MEDIAGEN_PRICES`, in JSON. If both are set, the higher of each " +
					"holds.",
				Attributes: priceAttributes(),
				Validators: []validator.Object{framework.NotEmpty{}},
			},
			"purchase_log": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Path of a file, or address of a bucket (`s3://`, `gs://`, `azblob://`), that " +
					"gets a JSON line before and after each purchase, deletion and cancellation. Until something " +
					"ends a purchase, it is bought again only if the plan is given a state that has it: else it is " +
					"named, with its import. Keep a file between runs, " +
					"and give each state a log of its own. Prompts are hashed; keys, titles, labels, user, host " +
					"and CI job are not. If the log cannot be written, nothing is bought. Defaults to none." + env(
					"PURCHASE_LOG",
				) + " If both are set, both are written, and the block's guards.",
				Validators: []validator.String{framework.NotBlank(), bookName()},
			},
			"max_credits_per_month": schema.Float64Attribute{
				Optional: true,
				MarkdownDescription: "Maximum number of credits that a calendar month (UTC) may cost by each " +
					"`purchase_log` that is set, of all who write it; `0` spends nothing. More is an error, in the " +
					"plan or before the request. Needs `purchase_log` and `prices`. Defaults to no limit." + env(
					"MAX_CREDITS_PER_MONTH",
				) + " If both are set, the lower one holds.",
				Validators: []validator.Float64{float64validator.AtLeast(0)},
			},
			defaultLabels: schema.MapAttribute{
				ElementType: types.StringType,
				Optional:    true,
				MarkdownDescription: "Labels of all purchases in the `purchase_log`. A resource's `labels` win, key " +
					"by key. The service gets none of them. Defaults to none. Can be set as `MEDIAGEN_LABELS`, in " +
					"JSON, over which the block's win.",
				Validators: []validator.Map{framework.LabelRules{}},
			},
		},
	}
}

// env ends a description with the variable that can be used instead.
func env(name string) string { return " Can be set as `MEDIAGEN_" + name + "`." }

// envFlag is env for a flag that a block cannot switch on if the environment
// says false.
func envFlag(name string) string {
	return " Can be set as `MEDIAGEN_" + name + "`, whose `false` holds."
}

func optionalText(rule validator.String, description string) schema.Attribute {
	return schema.StringAttribute{
		Optional:            true,
		MarkdownDescription: description,
		Validators:          []validator.String{rule},
	}
}

func optionalPath(description string) schema.Attribute {
	return schema.StringAttribute{
		Optional:            true,
		MarkdownDescription: description,
		Validators:          []validator.String{framework.NotBlank(), framework.LocalPath()},
	}
}

func optionalFlag(description string) schema.Attribute {
	return schema.BoolAttribute{Optional: true, MarkdownDescription: description}
}

func optionalNumber(rule validator.Int64, description string) schema.Attribute {
	return schema.Int64Attribute{
		Optional:            true,
		MarkdownDescription: description,
		Validators:          []validator.Int64{rule},
	}
}

func optionalCredits(description string) schema.Attribute {
	return schema.Float64Attribute{
		Optional:            true,
		MarkdownDescription: description,
		Validators:          []validator.Float64{float64validator.AtLeast(0)},
	}
}

func secret(description string, rules ...validator.String) schema.Attribute {
	return schema.StringAttribute{
		Optional:            true,
		Sensitive:           true,
		MarkdownDescription: description,
		Validators:          append(rules, credentialValue()),
	}
}

// priceAttributes are the prices, by the kind of purchase.
func priceAttributes() map[string]schema.Attribute {
	price := func(of string) schema.Attribute { return optionalCredits("Price of one " + of + " in credits.") }
	return map[string]schema.Attribute{
		purchases.KindGeneration: price("prompt"),
		purchases.KindTraining:   price("training"),
		purchases.KindDataset:    price("`mediagen_dataset`"),
		purchases.KindImage:      price("`mediagen_image` or `mediagen_dataset_image_regeneration`"),
	}
}

// tokenProviderAttributes are the attributes of token_provider.
func tokenProviderAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"url": optionalText(
			serviceAddress(true),
			"Address of your endpoint, which gets a POST without a body. It must be https, except on loopback. "+
				"Required here or as `MEDIAGEN_TOKEN_PROVIDER_URL`.",
		),
		"headers": schema.MapAttribute{
			ElementType: types.StringType,
			Optional:    true,
			Sensitive:   true,
			MarkdownDescription: "Headers of the request, which authenticate the caller. Defaults to none. Can be " +
				"set as `MEDIAGEN_TOKEN_PROVIDER_HEADERS`, in JSON.",
			Validators: []validator.Map{
				mapvalidator.KeysAre(headerName()),
				mapvalidator.ValueStringsAre(headerValue()),
			},
		},
		"use_oidc": optionalFlag(
			"Whether to authenticate by a token of the CI system in place of a secret. It is `oidc_token`, else the " +
				"content of `oidc_token_file_path`, else HCP Terraform's `TFC_WORKLOAD_IDENTITY_TOKEN_MEDIAGEN` or " +
				"`TFC_WORKLOAD_IDENTITY_TOKEN`, else the token of GitHub Actions. Defaults to `false`." + env(
				"USE_OIDC",
			),
		),
		"oidc_audience": optionalText(
			framework.NotBlank(),
			"Audience that the CI system's token must name, or it is not sent. Required with `use_oidc`, here or as "+
				"`MEDIAGEN_OIDC_AUDIENCE`.",
		),
		"oidc_token": secret(
			"Token of the CI system, as GitLab provides it. It cannot be renewed, so it must outlive the run." + env(
				"OIDC_TOKEN",
			),
		),
		"oidc_token_file_path": optionalPath(
			"Path of a file with the CI system's token, which is read again for each renewal." + env(
				"OIDC_TOKEN_FILE_PATH",
			),
		),
	}
}
