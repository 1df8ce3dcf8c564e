package provider

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// The last door: no message of the provider reaches a person, and no line of
// its log a file, without a look for secrets and for commands to a CI system.
// What a service says is screened when it is decoded (transport/receive.go);
// here it does not matter which way a text took, as one of an older state.

func (s *server) screen(diagnostics []*tfprotov6.Diagnostic) {
	for _, said := range diagnostics {
		said.Summary = s.screened(said.Summary)
		said.Detail = s.screened(said.Detail)
	}
}

func (s *server) screened(text string) string { return withoutCommands(s.secrets.Screen(text)) }

// command matches what a CI system takes for a command to it: GitHub's at the
// beginning of a line, the older ones and Azure's wherever they stand.
var command = regexp.MustCompile(`(?m)(?:^|\s)::|##(?:\[|vso\[)`)

// withoutCommands puts a blank into each command: a CLI prints a message as it
// is, and may break its lines at any blank.
func withoutCommands(text string) string { return command.ReplaceAllStringFunc(text, withBlank) }

func withBlank(command string) string {
	if before, after, isOlder := strings.Cut(command, "##"); isOlder {
		return before + "## " + after
	}
	return strings.TrimSuffix(command, "::") + ": :"
}

// ConfigureProvider screens what the exchange of a credential has met.
func (s *server) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := s.protocol.ConfigureProvider(ctx, req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// ImportResourceState screens what an import says.
func (s *server) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := s.protocol.ImportResourceState(ctx, req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// ReadDataSource screens what a data source says, and answers what it shows.
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

// OpenEphemeralResource screens what an exchange says; its result is the token
// itself.
func (s *server) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	resp, err := s.protocol.OpenEphemeralResource(ctx, req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// ListResource screens what each result says, and how it is called.
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

// PlanAction screens what the plan of an action says.
func (s *server) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	resp, err := s.protocol.PlanAction(ctx, req)
	if err == nil {
		s.screen(resp.Diagnostics)
	}
	return resp, err
}

// screenEvents screens the progress of an action, and how it ends.
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

// log and inform are the client's lines for the CLI's log.
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
