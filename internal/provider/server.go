package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// protocol is the part of the plugin protocol that the provider serves.
type protocol interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// server wraps the framework's server. It notes which calls begin a new run or
// change an object. It does so for all resources, so that no resource can
// forget it.
type server struct {
	protocol
	runs    *run.Runs
	secrets *transport.Secrets
}

// Serve returns a function that creates servers of one version of the provider.
// Call finish before the process ends: it waits seconds for writes that nobody
// has waited for.
func Serve(version string, options Options) (serve func() tfprotov6.ProviderServer, finish func()) {
	var last *mediagen
	serve = func() tfprotov6.ProviderServer {
		p := newProvider(version, options)
		last = p
		served := providerserver.NewProtocol6(p)()
		if whole, is := served.(protocol); is {
			served = &server{
				protocol: whole,
				runs:     &p.runs,
				secrets:  &p.secrets,
			}
		}
		return served
	}
	finish = func() {
		if last != nil {
			last.runs.FinishLog()
		}
	}
	return serve, finish
}

// ReadResource notes that this run refreshes, and removes secrets and control
// characters from the diagnostics.
func (s *server) ReadResource(
	ctx context.Context,
	req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	s.runs.NoteRefresh()
	s.runs.OpenLog(ctx)
	resp, err := s.protocol.ReadResource(ctx, req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// PlanResourceChange plans an unknown reference with its value in the state,
// and refuses an apply's plan that finds a different value. It leaves out the
// warnings of a plan that an apply repeats.
func (s *server) PlanResourceChange(
	ctx context.Context,
	req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	mayDefer := req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed
	cli := s.runs.Command(mayDefer)
	s.runs.OpenLog(ctx)
	resp, err := s.planChange(ctx, req, cli.IsFinal())
	if cli.Repeats() && err == nil {
		resp.Diagnostics = slices.DeleteFunc(resp.Diagnostics, func(said *tfprotov6.Diagnostic) bool {
			return said.Severity == tfprotov6.DiagnosticSeverityWarning
		})
	}
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// planChange plans a change with an unknown reference as if the reference had
// its value in the state.
func (s *server) planChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest, isFinal bool,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	change := changeOf(req, s.runs.Ends)
	if change == nil {
		return s.protocol.PlanResourceChange(ctx, req)
	}
	asked, err := change.asPrior(req)
	if err != nil {
		return nil, err
	}
	resp, err := s.protocol.PlanResourceChange(ctx, asked)
	switch {
	case err != nil:
		return nil, err
	case hasError(resp.Diagnostics) && change.referenceIsGone(s.runs.Ends):
		return s.planChange(ctx, req, isFinal) // with the reference unknown: the object that the plan assumed is gone
	case hasError(resp.Diagnostics):
		return resp, nil
	}
	replacing := change.replacedInputs(resp)
	unknown := change.unknownOf(replacing)
	switch {
	case len(replacing) > 0 && isFinal:
		resp.Diagnostics = append(resp.Diagnostics, change.replacesInApply(replacing))
	case len(unknown) > 0 && len(unknown) == len(replacing):
		resp.Diagnostics = append(resp.Diagnostics, change.replacedByUnknown(unknown))
	case len(replacing) == 0:
		for _, name := range change.open {
			resp.Diagnostics = append(resp.Diagnostics, change.takenAsBefore(name))
		}
	}
	resp.PlannedState, err = change.asConfigured(resp.PlannedState)
	return resp, err
}

func hasError(diagnostics []*tfprotov6.Diagnostic) bool {
	return slices.ContainsFunc(diagnostics, func(said *tfprotov6.Diagnostic) bool {
		return said.Severity == tfprotov6.DiagnosticSeverityError
	})
}

// ApplyResourceChange marks requests as part of an apply. A change keeps trying
// during an outage that would end a plan.
func (s *server) ApplyResourceChange(
	ctx context.Context,
	req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.runs.NoteApply()
	s.runs.OpenLog(ctx)
	resp, err := s.protocol.ApplyResourceChange(transport.WithChange(ctx), req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// InvokeAction marks requests as part of an apply.
func (s *server) InvokeAction(
	ctx context.Context,
	req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.protocol.InvokeAction(transport.WithChange(ctx), req)
	if err == nil {
		s.screenEvents(stream)
	}
	return stream, err
}
