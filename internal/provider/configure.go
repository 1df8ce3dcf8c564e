package provider

import (
	"context"
	"fmt"
	"math"
	"os/signal"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Configure creates the client of the first run, and exchanges its credential
// for a token. A wrong address or credential is then a single error of the run,
// instead of an error of each object. An access token that needs no exchange
// costs no request.
func (p *mediagen) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var config configuration
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	data := &run.ProviderData{Inform: p.inform}
	data.Clock = p.Clock
	settings := settings{
		config:      config,
		environment: p.Environment,
		diags:       &resp.Diagnostics,
	}
	if framework.IsKnownBut(defaultLabels, req.Config.Raw) { // the labels do not change any plan
		p.connect(ctx, &settings, req.TerraformVersion, data)
	} else {
		data.Limits = purchases.NewAccount(settings.terms(), "").Limits()
		if req.ClientCapabilities.DeferralAllowed {
			resp.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
		}
	}
	if resp.Diagnostics.HasError() {
		return
	}
	p.runs.Configure(data)
	resp.ResourceData = &p.runs
	resp.DataSourceData = &p.runs
	resp.EphemeralResourceData = &p.runs
	resp.ListResourceData = &p.runs
	resp.ActionData = &p.runs
}

// connect makes the client of a known configuration, and obtains its token. A
// refused credential is then the only error of the run.
func (p *mediagen) connect(ctx context.Context, settings *settings, cli string, data *run.ProviderData) {
	clientConfig, buys := settings.resolve()
	data.MaxPromptsPerBatch = settings.number(
		settings.config.MaxPromptsPerBatch,
		"max_prompts_per_batch",
		1,
		math.MaxInt64,
	).orDefault(0)
	data.Labels = settings.labels()
	if settings.diags.HasError() {
		return
	}
	clientConfig.Clock = p.Clock
	clientConfig.UserAgent = strings.TrimSpace(fmt.Sprintf("terraform-provider-mediagen/%s terraform/%s %s",
		p.version, cli, p.Environment("TF_APPEND_USER_AGENT")))
	clientConfig.Secrets = &p.secrets
	clientConfig.Log = p.log
	clientConfig.Inform = p.inform
	if p.Adjust != nil {
		p.Adjust(&clientConfig)
	}
	client := evidence.New(clientConfig)
	buys.OpenStore = p.OpenStore
	buys.Author = p.author().Screened(clientConfig.Secrets.Screen) // which know the credential by now
	buys.Say = clientConfig.Inform
	err := data.Connect(client, buys)
	if err != nil {
		settings.diags.AddError("Unable to Configure Provider", err.Error())
		return
	}
	err = p.authenticate(ctx, client)
	if err != nil {
		settings.diags.Append(framework.Failure{
			Verb:        "Obtain",
			Noun:        "Access Token",
			Consequence: "Nothing was read, bought or changed.",
		}.Error(err))
		return
	}
	// Polls leave at least half of the customer's requests to the operations
	// for which a person waits.
	data.Polls = wait.NewLimiter(p.Clock, wait.PollsPerMinute(clientConfig.MaxRequestsPerMinute))
	data.Media = media.New(media.Config{
		Service:     clientConfig.BaseURL,
		UserAgent:   clientConfig.UserAgent,
		IdleTimeout: clientConfig.RequestTimeout,
		Log:         clientConfig.Log,
		Transport:   clientConfig.Transport,
	})
}

// authenticate exchanges the credential for a token, once a run. An interrupt
// ends the exchange at once: the CLI tells a provider only later.
func (p *mediagen) authenticate(ctx context.Context, client *evidence.Client) error {
	if len(p.Interrupts) > 0 {
		listening, stop := signal.NotifyContext(ctx, p.Interrupts...)
		defer stop()
		ctx = listening
	}
	_, err := client.AccessToken(ctx, 0)
	return err
}
