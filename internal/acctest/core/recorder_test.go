package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// recording is what a provider was asked, stage by stage, however many
// processes it had.
type recording struct {
	mutex  sync.Mutex
	stages []recordedStage
}

type recordedStage struct {
	Name  string
	Calls []string
}

func (r *recording) begin(name string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.stages = append(r.stages, recordedStage{Name: name})
}

func (r *recording) served(toy *toy) func() (tfprotov6.ProviderServer, error) {
	return func() (tfprotov6.ProviderServer, error) {
		server, err := toy.serve()
		if err != nil {
			return nil, err
		}
		schema, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
		if err != nil {
			return nil, err
		}
		return &recorder{
			ProviderServer: server, recording: r,
			provider: schema.Provider.ValueType(), thing: schema.ResourceSchemas["toy_thing"].ValueType(),
			identity: tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String}},
		}, nil
	}
}

func (r *recording) sort(name string) {
	for _, stage := range r.stages {
		if stage.Name == name {
			slices.Sort(stage.Calls)
		}
	}
}

type recorder struct {
	tfprotov6.ProviderServer
	recording                 *recording
	provider, thing, identity tftypes.Type
}

func (r *recorder) note(name string, parts ...string) {
	r.recording.mutex.Lock()
	defer r.recording.mutex.Unlock()
	stage := &r.recording.stages[len(r.recording.stages)-1]
	stage.Calls = append(stage.Calls, name+"\n  "+strings.Join(parts, "\n  "))
}

func wireText(typ tftypes.Type, name string, value *tfprotov6.DynamicValue) string {
	if value == nil {
		return name + " none"
	}
	decoded, err := value.Unmarshal(typ)
	if err != nil {
		return fmt.Sprintf("%s %s", name, err)
	}
	return name + " " + core.Show(decoded)
}

func (r *recorder) identityText(identity *tfprotov6.ResourceIdentityData) string {
	if identity == nil {
		return "identity none"
	}
	return wireText(r.identity, "identity", identity.IdentityData)
}

func (r *recorder) ValidateProviderConfig(
	ctx context.Context, request *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	r.note("ValidateProviderConfig", wireText(r.provider, "config", request.Config))
	return r.ProviderServer.ValidateProviderConfig(ctx, request)
}

func (r *recorder) ConfigureProvider(
	ctx context.Context,
	request *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	r.note(
		"ConfigureProvider",
		wireText(r.provider, "config", request.Config),
		fmt.Sprint("deferral allowed ", request.ClientCapabilities.DeferralAllowed),
	)
	return r.ProviderServer.ConfigureProvider(ctx, request)
}

func (r *recorder) ValidateResourceConfig(
	ctx context.Context, request *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	r.note("ValidateResourceConfig", wireText(r.thing, "config", request.Config))
	return r.ProviderServer.ValidateResourceConfig(ctx, request)
}

func (r *recorder) UpgradeResourceState(
	ctx context.Context,
	request *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	var state map[string]any
	_ = json.Unmarshal(request.RawState.JSON, &state)
	sorted, _ := json.Marshal(state)
	r.note("UpgradeResourceState", fmt.Sprintf("version %d", request.Version), string(sorted))
	return r.ProviderServer.UpgradeResourceState(ctx, request)
}

func (r *recorder) ReadResource(
	ctx context.Context,
	request *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	r.note(
		"ReadResource",
		wireText(r.thing, "state", request.CurrentState),
		"private "+string(request.Private),
		r.identityText(request.CurrentIdentity),
		fmt.Sprint("deferral allowed ", request.ClientCapabilities.DeferralAllowed),
	)
	return r.ProviderServer.ReadResource(ctx, request)
}

func (r *recorder) PlanResourceChange(
	ctx context.Context,
	request *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	r.note(
		"PlanResourceChange",
		wireText(r.thing, "prior", request.PriorState),
		wireText(r.thing, "config", request.Config),
		wireText(
			r.thing,
			"proposed",
			request.ProposedNewState,
		),
		"private "+string(request.PriorPrivate),
		r.identityText(request.PriorIdentity),
		fmt.Sprint("deferral allowed ", request.ClientCapabilities.DeferralAllowed),
	)
	return r.ProviderServer.PlanResourceChange(ctx, request)
}

func (r *recorder) ApplyResourceChange(
	ctx context.Context,
	request *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	r.note(
		"ApplyResourceChange",
		wireText(r.thing, "prior", request.PriorState),
		wireText(r.thing, "config", request.Config),
		wireText(
			r.thing,
			"planned",
			request.PlannedState,
		),
		"private "+string(request.PlannedPrivate),
		r.identityText(request.PlannedIdentity),
	)
	return r.ProviderServer.ApplyResourceChange(ctx, request)
}

func (r *recorder) ImportResourceState(
	ctx context.Context,
	request *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	r.note(
		"ImportResourceState",
		"id "+request.ID,
		r.identityText(request.Identity),
		fmt.Sprint("deferral allowed ", request.ClientCapabilities.DeferralAllowed),
	)
	return r.ProviderServer.ImportResourceState(ctx, request)
}
