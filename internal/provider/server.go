package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

type protocol interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// server is the framework's server, and notes which calls begin another run or change something:
// for all resources, so that none can forget it.
type server struct {
	protocol
	runs    *framework.Runs
	secrets *credential.Secrets
}

// Serve returns a function that creates servers of one version of the provider.
func Serve(version string, options Options) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer {
		p := newProvider(version, options)
		served := providerserver.NewProtocol6(p)()
		if whole, is := served.(protocol); is {
			served = &server{protocol: whole, runs: &p.runs, secrets: &p.secrets}
		}
		return served
	}
}

func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	s.runs.Refreshes()
	resp, err := s.protocol.ReadResource(ctx, req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// PlanResourceChange leaves out the warnings of a plan that an apply repeats.
func (s *server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	repeats := s.runs.Repeats(req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed)
	resp, err := s.protocol.PlanResourceChange(ctx, req)
	if repeats && err == nil {
		resp.Diagnostics = slices.DeleteFunc(resp.Diagnostics, func(said *tfprotov6.Diagnostic) bool {
			return said.Severity == tfprotov6.DiagnosticSeverityWarning
		})
	}
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

func (s *server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.runs.Applies()
	resp, err := s.protocol.ApplyResourceChange(transport.WithChange(ctx), req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

func (s *server) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.protocol.InvokeAction(transport.WithChange(ctx), req)
	if err == nil {
		s.screenEvents(stream)
	}
	return stream, err
}
