package provider

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// The last screen: every message of the provider, and every line of its log, is
// searched for secrets and for commands to a CI system before a person can see
// it. A reply of the service is already screened when it is decoded
// (transport/receive.go). The screen here covers texts from all other sources,
// for example from an older state.

func (s *server) screen(diagnostics []*tfprotov6.Diagnostic) {
	for _, said := range diagnostics {
		said.Summary = s.screened(said.Summary)
		said.Detail = s.screened(said.Detail)
	}
}

func (s *server) screened(text string) string { return withoutCommands(s.secrets.Screen(text)) }

// command matches a text that a CI system takes for a command: GitHub's
// commands at the beginning of a line, its older commands and Azure's anywhere.
var command = regexp.MustCompile(`(?m)(?:^|\s)::|##(?:\[|vso\[)`)

// withoutCommands puts a blank into each command. Escaping is not possible: a
// CLI prints a message unchanged, and may break its lines at any blank.
func withoutCommands(text string) string { return command.ReplaceAllStringFunc(text, withBlank) }

func withBlank(command string) string {
	if before, after, isOlder := strings.Cut(command, "##"); isOlder {
		return before + "## " + after
	}
	return strings.TrimSuffix(command, "::") + ": :"
}

// ConfigureProvider screens the diagnostics of the exchange of a credential.
func (s *server) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := s.protocol.ConfigureProvider(ctx, req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// ImportResourceState screens the diagnostics of an import.
func (s *server) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := s.protocol.ImportResourceState(ctx, req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// ReadDataSource screens the diagnostics of a data source, and returns its
// collected answer.
func (s *server) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	ctx, answer := framework.CollectAnswer(ctx)
	resp, err := s.protocol.ReadDataSource(ctx, req)
	if err != nil {
		return resp, err
	}
	s.screen(resp.Diagnostics)
	if state := answer(); state != nil {
		resp.State = state
	}
	return resp, nil
}

// OpenEphemeralResource screens the diagnostics of an exchange. Its result, the
// token, is not screened.
func (s *server) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	resp, err := s.protocol.OpenEphemeralResource(ctx, req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// ListResource screens the diagnostics and the display name of each result.
func (s *server) ListResource(
	ctx context.Context, req *tfprotov6.ListResourceRequest,
) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := s.protocol.ListResource(ctx, req)
	if err != nil || stream == nil {
		return stream, err
	}
	results := stream.Results
	stream.Results = func(yield func(tfprotov6.ListResourceResult) bool) {
		results(func(result tfprotov6.ListResourceResult) bool {
			s.screen(result.Diagnostics)
			result.DisplayName = s.screened(result.DisplayName)
			return yield(result)
		})
	}
	return stream, nil
}

// PlanAction screens the diagnostics of an action's plan.
func (s *server) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	resp, err := s.protocol.PlanAction(ctx, req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// screenEvents screens the progress of an action, and its final diagnostics.
func (s *server) screenEvents(stream *tfprotov6.InvokeActionServerStream) {
	events := stream.Events
	stream.Events = func(yield func(tfprotov6.InvokeActionEvent) bool) {
		events(func(event tfprotov6.InvokeActionEvent) bool {
			switch said := event.Type.(type) {
			case tfprotov6.ProgressInvokeActionEventType:
				said.Message = s.screened(said.Message)
				event.Type = said
			case tfprotov6.CompletedInvokeActionEventType:
				s.screen(said.Diagnostics)
			}
			return yield(event)
		})
	}
}

// log and inform write the client's lines to the CLI's log.
func (p *mediagen) log(ctx context.Context, message string, fields map[string]any) {
	for name, value := range fields {
		if text, is := value.(string); is {
			fields[name] = p.secrets.Screen(text)
		}
	}
	tflog.Debug(ctx, p.secrets.Screen(message), fields)
}

func (p *mediagen) inform(ctx context.Context, line string) {
	tflog.Info(ctx, p.secrets.Screen(line))
}
