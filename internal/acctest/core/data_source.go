package core

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// DataSource reads a data source once, in its own provider process. It returns
// nil if the read failed.
func (w *Workspace) DataSource(name string, config Object) (Object, Diagnostics) {
	w.t.Helper()
	var found Object
	said := w.once(
		"data source",
		w.schemas.dataSources,
		name,
		config,
		func(k *walk, known *kind, written tftypes.Value) Diagnostics {
			value, diagnostics := k.provider.readDataSource(k.ctx, known, written)
			if !diagnostics.HasErrors() {
				found = plainObject(value)
			}
			return diagnostics
		},
	)
	return found, said
}

// once sends one request about a block of any sort to a provider process of its
// own.
func (w *Workspace) once(
	sort string,
	kinds map[string]*kind,
	name string,
	config Object,
	ask func(*walk, *kind, tftypes.Value) Diagnostics,
) Diagnostics {
	w.t.Helper()
	known, ok := kinds[name]
	if !ok {
		w.t.Fatalf("the provider has no %s %q", sort, name)
	}
	written := &block{kind: known, config: config}
	w.check(sort+" "+name, written)
	o, done := w.start(context.Background())
	defer done()
	k, ok := o.begin(true, sort == "action")
	if ok {
		k.report.add(ask(k, known, written.value(true))...)
	}
	return k.report.all()
}

func (p *provider) readDataSource(ctx context.Context, known *kind, config tftypes.Value) (tftypes.Value, Diagnostics) {
	address := "data." + known.name
	validated, err := p.server.ValidateDataResourceConfig(ctx, &tfprotov6.ValidateDataResourceConfigRequest{
		TypeName: known.name, Config: wire(known.typ, config),
	})
	if err != nil {
		return known.null(), fromProtocol(address, nil, err)
	}
	reply := diagnosed{fromProtocol(address, validated.Diagnostics, nil)}
	if reply.diagnostics.HasErrors() {
		return known.null(), reply.diagnostics
	}
	answer, err := p.server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{
		TypeName:           known.name,
		Config:             wire(known.typ, config),
		ClientCapabilities: &tfprotov6.ReadDataSourceClientCapabilities{},
	})
	if err != nil {
		return known.null(), append(reply.diagnostics, fromProtocol(address, nil, err)...)
	}
	reply.diagnostics = append(reply.diagnostics, fromProtocol(address, answer.Diagnostics, nil)...)
	value := reply.decode(address, answer.State, known.typ)
	if reply.diagnostics.HasErrors() {
		return value, reply.diagnostics
	}
	if !value.IsFullyKnown() {
		reply.diagnostics = append(
			reply.diagnostics,
			failure(address, "Provider produced invalid object", "The value that was read contains unknown values."),
		)
	}
	if value.IsNull() {
		reply.diagnostics = append(
			reply.diagnostics,
			failure(address, "Provider produced null object", "Provider produced a null value for %s.", address),
		)
	}
	return value, reply.diagnostics
}
