package core

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Listed is one result of a query.
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
func (w *Workspace) Query(name string, query Query) ([]Listed, Diagnostics) {
	w.t.Helper()
	known, ok := w.schemas.lists[name]
	resource, managed := w.schemas.resources[name]
	if !ok || !managed {
		w.t.Fatalf("the provider has no list resource %q", name)
	}
	written := &block{kind: known, config: query.Config}
	w.check("list."+name, written)
	if query.Limit == 0 {
		query.Limit = 100
	}
	o, done := w.start(context.Background())
	defer done()
	k, ok := o.begin(true, false)
	if !ok {
		return nil, k.report.all()
	}
	server, ok := k.provider.server.(tfprotov6.ListResourceServer)
	if !ok {
		w.t.Fatal("the provider lists nothing")
	}
	request := &tfprotov6.ListResourceRequest{
		TypeName: name, Config: wire(known.typ, written.value(true)), Limit: query.Limit, IncludeResource: query.IncludeResource,
	}
	stream, diagnostics := list(o.ctx, server, request)
	k.report.add(diagnostics...)
	if diagnostics.HasErrors() {
		return nil, k.report.all()
	}
	var results []Listed
	for result := range stream.Results {
		listed, diagnostics := decodeListed(resource, result)
		k.report.add(diagnostics...)
		if diagnostics.HasErrors() {
			break
		}
		if result.Identity == nil {
			continue // a warning alone
		}
		results = append(results, listed)
	}
	if int64(len(results)) > query.Limit {
		k.report.add(failure(name, "More results than wanted", "The provider lists %d resources, and was asked for %d.", len(results), query.Limit))
	}
	return results, k.report.all()
}

func list(ctx context.Context, server tfprotov6.ListResourceServer, request *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, Diagnostics) {
	validated, err := server.ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: request.TypeName, Config: request.Config})
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
	listed := Listed{DisplayName: result.DisplayName, Identity: plainObject(reply.decodeIdentity(known.name, known, result.Identity))}
	if result.Resource != nil {
		listed.Resource = plainObject(reply.decode(known.name, result.Resource, known.typ))
	}
	return listed, reply.diagnostics
}

// Invoke invokes an action, in its own provider process, and returns the lines
// of its progress.
func (w *Workspace) Invoke(name string, config Object) ([]string, Diagnostics) {
	w.t.Helper()
	known, ok := w.schemas.actions[name]
	if !ok {
		w.t.Fatalf("the provider has no action %q", name)
	}
	written := &block{kind: known, config: config}
	w.check("action."+name, written)
	o, done := w.start(context.Background())
	defer done()
	k, ok := o.begin(true, true)
	if !ok {
		return nil, k.report.all()
	}
	server, ok := k.provider.server.(tfprotov6.ActionServer)
	if !ok {
		w.t.Fatal("the provider has no actions")
	}
	lines, diagnostics := invoke(o.ctx, server, name, wire(known.typ, written.value(true)))
	k.report.add(diagnostics...)
	return lines, k.report.all()
}

func invoke(ctx context.Context, server tfprotov6.ActionServer, name string, config *tfprotov6.DynamicValue) (lines []string, diagnostics Diagnostics) {
	validated, err := server.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: name, Config: config})
	if err != nil {
		return nil, fromProtocol(name, nil, err)
	}
	if diagnostics = fromProtocol(name, validated.Diagnostics, nil); diagnostics.HasErrors() {
		return nil, diagnostics
	}
	planned, err := server.PlanAction(ctx, &tfprotov6.PlanActionRequest{
		ActionType: name, Config: config, ClientCapabilities: &tfprotov6.PlanActionClientCapabilities{},
	})
	if err != nil {
		return nil, fromProtocol(name, nil, err)
	}
	if diagnostics = diagnostics.and(fromProtocol(name, planned.Diagnostics, nil)); diagnostics.HasErrors() {
		return nil, diagnostics
	}
	stream, err := server.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{
		ActionType: name, Config: config, ClientCapabilities: &tfprotov6.InvokeActionClientCapabilities{},
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
// if that failed.
func (w *Workspace) Open(name string, config Object) (Object, Diagnostics) {
	w.t.Helper()
	known, ok := w.schemas.ephemerals[name]
	if !ok {
		w.t.Fatalf("the provider has no ephemeral resource %q", name)
	}
	written := &block{kind: known, config: config}
	w.check("ephemeral."+name, written)
	o, done := w.start(context.Background())
	defer done()
	k, ok := o.begin(true, false)
	if !ok {
		return nil, k.report.all()
	}
	value, diagnostics := k.provider.open(o.ctx, known, written.value(true))
	k.report.add(diagnostics...)
	if diagnostics.HasErrors() {
		return nil, k.report.all()
	}
	return plainObject(value), k.report.all()
}

func (p *provider) open(ctx context.Context, known *kind, config tftypes.Value) (tftypes.Value, Diagnostics) {
	answer, err := p.server.OpenEphemeralResource(ctx, &tfprotov6.OpenEphemeralResourceRequest{
		TypeName: known.name, Config: wire(known.typ, config), ClientCapabilities: &tfprotov6.OpenEphemeralResourceClientCapabilities{},
	})
	if err != nil {
		return known.null(), fromProtocol(known.name, nil, err)
	}
	reply := diagnosed{fromProtocol(known.name, answer.Diagnostics, nil)}
	value := reply.decode(known.name, answer.Result, known.typ)
	return value, reply.diagnostics
}
