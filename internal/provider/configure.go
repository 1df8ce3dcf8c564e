package provider

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Configure creates the client of the first run. It sends nothing, and
// a missing credential is no error before the first request.
func (p *mediagen) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var config configuration
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	data := &framework.Data{Clock: p.clock}
	if config.known() {
		settings := settings{config: config, environment: p.environment, diags: &resp.Diagnostics}
		clientConfig := settings.client()
		data.MaxPromptsPerBatch = settings.number(config.MaxPromptsPerBatch, "max_prompts_per_batch", 1, math.MaxInt64, 0)
		if resp.Diagnostics.HasError() {
			return
		}
		clientConfig.Clock = p.clock
		clientConfig.UserAgent = p.userAgent(req.TerraformVersion)
		clientConfig.Log = func(ctx context.Context, message string, fields map[string]any) {
			tflog.Debug(ctx, message, fields)
		}
		p.adjust(&clientConfig)
		client, err := api.New(clientConfig)
		if err != nil {
			resp.Diagnostics.AddError("Unable to Configure Provider", err.Error())
			return
		}
		data.Client = client
		data.Polls = wait.NewLimiter(p.clock, pollsPerMinute(clientConfig.MaxRequestsPerMinute))
		data.Media = media.New(media.Config{
			Service: clientConfig.BaseURL, UserAgent: clientConfig.UserAgent, IdleTimeout: clientConfig.RequestTimeout,
			Log: clientConfig.Log, Transport: clientConfig.Transport,
		})
	}
	p.runs.Configure(data)
	resp.ResourceData = &p.runs
	resp.DataSourceData = &p.runs
	resp.EphemeralResourceData = &p.runs
	resp.ListResourceData = &p.runs
	resp.ActionData = &p.runs
}

// pollsPerMinute leaves at least half of the customer's requests to what a
// person waits for.
func pollsPerMinute(maxRequests int64) float64 {
	const most = 30
	if maxRequests == 0 {
		return most
	}
	return min(most, float64(maxRequests)/2)
}

func (c configuration) known() bool {
	values := []attr.Value{
		c.BaseURL, c.AuthURL, c.AllowInsecureHTTP, c.APIKey, c.AccessToken, c.MaxRequestsPerMinute,
		c.MaxRetries, c.RequestTimeout, c.PaidRequestTimeout, c.MaxPromptsPerBatch, c.MaxCredits, c.MaxPurchases, c.PurchaseLog, c.TrustNotFound, c.TokenProvider,
	}
	if !framework.Known(values...) {
		return false
	}
	for _, value := range c.TokenProvider.Attributes() {
		if value.IsUnknown() {
			return false
		}
		if headers, ok := value.(types.Map); ok {
			for _, header := range headers.Elements() {
				if header.IsUnknown() {
					return false
				}
			}
		}
	}
	return true
}

func (p *mediagen) userAgent(terraformVersion string) string {
	agent := fmt.Sprintf("terraform-provider-mediagen/%s terraform/%s", p.version, terraformVersion)
	if extra := strings.TrimSpace(p.environment("TF_APPEND_USER_AGENT")); extra != "" {
		agent += " " + extra
	}
	return agent
}

// attributeError reports a wrong setting on its attribute, and says if it came
// from the environment. The error is a sentence without its subject.
func attributeError(diags *diag.Diagnostics, attribute path.Path, fromEnvironment bool, variable, summary string, err error) {
	detail := framework.Problem(attribute, err.Error())
	if fromEnvironment {
		detail += " The value comes from the environment variable " + variable + "."
	}
	diags.AddAttributeError(attribute, summary, detail)
}
