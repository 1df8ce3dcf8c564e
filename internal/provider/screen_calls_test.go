package provider_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

const told = "a-secret-that-a-service-has-echoed-0123456789"

// tellsAll is a provider that tells a secret, whatever it is asked.
type tellsAll struct{ provider.Protocol }

func tells() []*tfprotov6.Diagnostic {
	return []*tfprotov6.Diagnostic{{Summary: "Failed " + told, Detail: "The service says " + told}}
}

func (tellsAll) ConfigureProvider(
	context.Context, *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{Diagnostics: tells()}, nil
}

func (tellsAll) ReadResource(
	context.Context, *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{Diagnostics: tells()}, nil
}

func (tellsAll) PlanResourceChange(
	context.Context, *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	return &tfprotov6.PlanResourceChangeResponse{Diagnostics: tells()}, nil
}

func (tellsAll) ApplyResourceChange(
	context.Context, *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return &tfprotov6.ApplyResourceChangeResponse{Diagnostics: tells()}, nil
}

func (tellsAll) ImportResourceState(
	context.Context, *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return &tfprotov6.ImportResourceStateResponse{Diagnostics: tells()}, nil
}

func (tellsAll) ReadDataSource(
	context.Context, *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	return &tfprotov6.ReadDataSourceResponse{Diagnostics: tells()}, nil
}

func (tellsAll) OpenEphemeralResource(
	context.Context, *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return &tfprotov6.OpenEphemeralResourceResponse{Diagnostics: tells()}, nil
}

func (tellsAll) PlanAction(
	context.Context, *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	return &tfprotov6.PlanActionResponse{Diagnostics: tells()}, nil
}

// What a call says is screened, no matter which way a secret has come there.
// Fault F36.
func TestWhatACallSaysIsScreened(t *testing.T) {
	t.Parallel()
	server := provider.Screens(tellsAll{}, told)
	ctx := t.Context()
	var said [][]*tfprotov6.Diagnostic
	configured, err := server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{})
	check.Must(t, err)
	read, err := server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{})
	check.Must(t, err)
	changed, err := server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{})
	check.Must(t, err)
	applied, err := server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{})
	check.Must(t, err)
	imported, err := server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{})
	check.Must(t, err)
	data, err := server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{})
	check.Must(t, err)
	opened, err := server.OpenEphemeralResource(ctx, &tfprotov6.OpenEphemeralResourceRequest{})
	check.Must(t, err)
	planned, err := server.PlanAction(ctx, &tfprotov6.PlanActionRequest{})
	check.Must(t, err)
	said = append(
		said,
		configured.Diagnostics,
		read.Diagnostics,
		changed.Diagnostics,
		applied.Diagnostics,
		imported.Diagnostics,
		data.Diagnostics,
		opened.Diagnostics,
		planned.Diagnostics,
	)
	for i, diagnostics := range said {
		check.Equal(t, "diagnostics of a call", len(diagnostics), 1)
		shown := diagnostics[0].Summary + diagnostics[0].Detail
		check.True(t, "what a call says", !strings.Contains(shown, told), i, shown)
	}
}
