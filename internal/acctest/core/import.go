package core

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Import imports an object by its id, reads it and writes it to the state. The
// next plan compares it with the configuration.
func (w *Workspace) Import(address, id string) *Result {
	w.t.Helper()
	return w.adopt(address, &tfprotov6.ImportResourceStateRequest{ID: id})
}

// ImportIdentity imports an object by its identity, like an import block with
// `identity`. Attributes that are left out are null.
func (w *Workspace) ImportIdentity(address string, identity Object) *Result {
	w.t.Helper()
	known := w.kindOf(address)
	if known.identity == nil {
		w.t.Fatalf("%s has no identity", known.name)
	}
	value, err := encoder{}.encode(known.identity, identity, tftypes.NewAttributePath())
	if err != nil {
		w.t.Fatalf("identity of %s: %s", address, err)
	}
	return w.adopt(address, &tfprotov6.ImportResourceStateRequest{Identity: wireIdentity(known, value)})
}

func (w *Workspace) adopt(address string, request *tfprotov6.ImportResourceStateRequest) *Result {
	w.t.Helper()
	known := w.kindOf(address)
	o, done := w.start(context.Background())
	defer done()
	result := &Result{t: w.t}
	k, ok := o.begin(true, false)
	if ok {
		if imported := k.importObject(address, known, request, w.state.get(address) != nil); imported != nil {
			next := w.state.clone()
			next.set(address, known, imported)
			w.write(next)
			result.Changed = []string{address}
		}
	}
	result.Diagnostics = k.report.all()
	return result
}

func (k *walk) importObject(
	address string,
	known *kind,
	request *tfprotov6.ImportResourceStateRequest,
	managed bool,
) *object {
	imported, diagnostics := k.provider.importState(k.ctx, address, known, request)
	switch {
	case diagnostics.HasErrors():
	case managed:
		diagnostics = append(
			diagnostics,
			failure(
				address,
				"Resource already managed by Terraform",
				"Terraform is already managing a remote object for %s.",
				address,
			),
		)
	case imported == nil:
		diagnostics = append(
			diagnostics,
			failure(address, "Import returned no resources", "The provider returned no instance states."),
		)
	case request.Identity != nil && imported.identity.IsNull():
		diagnostics = append(diagnostics, failure(address, "import didn't return an identity", ""))
	case request.Identity == nil && imported.value.IsNull():
		diagnostics = append(
			diagnostics,
			failure(address, "Import returned null resource", "The provider returned an instance with no state."),
		)
	}
	k.report.add(diagnostics...)
	if diagnostics.HasErrors() {
		return nil
	}
	fresh, ok := k.refresh(address, known, imported)
	if !ok {
		return nil
	}
	if fresh.absent() {
		k.report.add(failure(
			address,
			"Cannot import non-existent remote object",
			"While attempting to import an existing object to %q, the provider detected that no object exists with "+
				"the given id.",
			address,
		))
		return nil
	}
	return fresh
}

// importState returns the object of an import; nil if there is none.
func (p *provider) importState(
	ctx context.Context,
	address string,
	known *kind,
	request *tfprotov6.ImportResourceStateRequest,
) (*object, Diagnostics) {
	request.TypeName = known.name
	request.ClientCapabilities = &tfprotov6.ImportResourceStateClientCapabilities{}
	answer, err := p.server.ImportResourceState(ctx, request)
	if err != nil {
		return nil, fromProtocol(address, nil, err)
	}
	reply := diagnosed{fromProtocol(address, answer.Diagnostics, nil)}
	if len(answer.ImportedResources) == 0 {
		return nil, reply.diagnostics
	}
	first := answer.ImportedResources[0]
	return &object{
		value:    reply.decode(address, first.State, known.typ),
		identity: reply.decodeIdentity(address, known, first.Identity),
		private:  first.Private,
	}, reply.diagnostics
}
