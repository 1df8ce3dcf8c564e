package core

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Listed is a result of a query.
type Listed struct {
	DisplayName string
	Identity    Object
	// Resource is nil unless the query includes resources.
	Resource Object
}

// Query is a list block.
type Query struct {
	Config Object
	// Limit is the maximum number of results; 0 means the CLI's default of
	// 100.
	Limit int64
	// IncludeResource asks for the resources too.
	IncludeResource bool
}

// Query lists resources of a type, in its own provider process. It reads to the
// end or the first error: unlike the CLI, which stops reading at the limit, it
// detects a provider that exceeds the limit.
func (w *Workspace) Query(name string, query Query) (results []Listed, said Diagnostics) {
	w.t.Helper()
	if query.Limit == 0 {
		query.Limit = 100
	}
	said = w.once(
		"list resource",
		w.schemas.lists,
		name,
		query.Config,
		func(k *walk, known *kind, config tftypes.Value) (said Diagnostics) {
			results, said = k.provider.list(k.ctx, w.schemas.resources[name], &tfprotov6.ListResourceRequest{
				TypeName:        name,
				Config:          wire(known.typ, config),
				Limit:           query.Limit,
				IncludeResource: query.IncludeResource,
			})
			return said
		},
	)
	return results, said
}

func (p *provider) list(
	ctx context.Context,
	known *kind,
	request *tfprotov6.ListResourceRequest,
) (results []Listed, said Diagnostics) {
	server, ok := p.server.(tfprotov6.ListResourceServer)
	if !ok {
		return nil, Diagnostics{failure(known.name, "the provider lists nothing", "")}
	}
	stream, said := list(ctx, server, request)
	if said.HasErrors() {
		return nil, said
	}
	for result := range stream.Results {
		listed, diagnostics := decodeListed(known, result)
		said = append(said, diagnostics...)
		if diagnostics.HasErrors() {
			break
		}
		if result.Identity != nil { // otherwise the result is only a warning
			results = append(results, listed)
		}
	}
	if int64(len(results)) > request.Limit {
		said = append(
			said,
			failure(
				known.name,
				"More results than wanted",
				"The provider lists %d resources, and was asked for %d.",
				len(results),
				request.Limit,
			),
		)
	}
	return results, said
}

func list(
	ctx context.Context,
	server tfprotov6.ListResourceServer,
	request *tfprotov6.ListResourceRequest,
) (*tfprotov6.ListResourceServerStream, Diagnostics) {
	validated, err := server.ValidateListResourceConfig(
		ctx,
		&tfprotov6.ValidateListResourceConfigRequest{TypeName: request.TypeName, Config: request.Config},
	)
	if err != nil {
		return nil, fromProtocol(request.TypeName, nil, err)
	}
	diagnostics := fromProtocol(request.TypeName, validated.Diagnostics, nil)
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	stream, err := server.ListResource(ctx, request)
	return stream, append(diagnostics, fromProtocol(request.TypeName, nil, err)...)
}

func decodeListed(known *kind, result tfprotov6.ListResourceResult) (Listed, Diagnostics) {
	reply := diagnosed{fromProtocol(known.name, result.Diagnostics, nil)}
	listed := Listed{
		DisplayName: result.DisplayName,
		Identity:    plainObject(reply.decodeIdentity(known.name, known, result.Identity)),
	}
	if result.Resource != nil {
		listed.Resource = plainObject(reply.decode(known.name, result.Resource, known.typ))
	}
	return listed, reply.diagnostics
}

// Invoke invokes an action, in its own provider process, and returns the lines
// of its progress.
func (w *Workspace) Invoke(name string, config Object) (lines []string, said Diagnostics) {
	w.t.Helper()
	said = w.once(
		"action",
		w.schemas.actions,
		name,
		config,
		func(k *walk, known *kind, written tftypes.Value) (said Diagnostics) {
			server, ok := k.provider.server.(tfprotov6.ActionServer)
			if !ok {
				return Diagnostics{failure(name, "the provider has no actions", "")}
			}
			lines, said = invoke(k.ctx, server, name, wire(known.typ, written))
			return said
		},
	)
	return lines, said
}

func invoke(
	ctx context.Context,
	server tfprotov6.ActionServer,
	name string,
	config *tfprotov6.DynamicValue,
) (lines []string, diagnostics Diagnostics) {
	validated, err := server.ValidateActionConfig(
		ctx,
		&tfprotov6.ValidateActionConfigRequest{ActionType: name, Config: config},
	)
	if err != nil {
		return nil, fromProtocol(name, nil, err)
	}
	diagnostics = fromProtocol(name, validated.Diagnostics, nil)
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	planned, err := server.PlanAction(ctx, &tfprotov6.PlanActionRequest{
		ActionType:         name,
		Config:             config,
		ClientCapabilities: &tfprotov6.PlanActionClientCapabilities{},
	})
	if err != nil {
		return nil, fromProtocol(name, nil, err)
	}
	diagnostics = diagnostics.and(fromProtocol(name, planned.Diagnostics, nil))
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	stream, err := server.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{
		ActionType:         name,
		Config:             config,
		ClientCapabilities: &tfprotov6.InvokeActionClientCapabilities{},
	})
	if err != nil {
		return nil, diagnostics.and(fromProtocol(name, nil, err))
	}
	for event := range stream.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			lines = append(lines, event.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			diagnostics = diagnostics.and(fromProtocol(name, event.Diagnostics, nil))
		}
	}
	return lines, diagnostics
}

// Open opens an ephemeral resource, in its own provider process. It returns nil
// if opening failed.
func (w *Workspace) Open(name string, config Object) (opened Object, said Diagnostics) {
	w.t.Helper()
	said = w.once(
		"ephemeral resource",
		w.schemas.ephemerals,
		name,
		config,
		func(k *walk, known *kind, written tftypes.Value) Diagnostics {
			value, diagnostics := k.provider.open(k.ctx, known, written)
			if !diagnostics.HasErrors() {
				opened = plainObject(value)
			}
			return diagnostics
		},
	)
	return opened, said
}

func (p *provider) open(ctx context.Context, known *kind, config tftypes.Value) (tftypes.Value, Diagnostics) {
	answer, err := p.server.OpenEphemeralResource(ctx, &tfprotov6.OpenEphemeralResourceRequest{
		TypeName:           known.name,
		Config:             wire(known.typ, config),
		ClientCapabilities: &tfprotov6.OpenEphemeralResourceClientCapabilities{},
	})
	if err != nil {
		return known.null(), fromProtocol(known.name, nil, err)
	}
	reply := diagnosed{fromProtocol(known.name, answer.Diagnostics, nil)}
	value := reply.decode(known.name, answer.Result, known.typ)
	return value, reply.diagnostics
}
