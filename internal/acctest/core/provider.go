package core

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// terraformVersion is the version reported to the provider.
const terraformVersion = "1.16.4"

// provider is a provider process. It is called as over the wire: every value
// goes through the protocol's encoding.
type provider struct {
	server  tfprotov6.ProviderServer
	schemas *schemas
	// mayDefer is true if the provider is told that it may defer.
	mayDefer bool
}

// object is a resource in the provider's form.
type object struct {
	value tftypes.Value
	// identity is null for a resource without an identity.
	identity tftypes.Value
	private  []byte
	tainted  bool
}

// absent reports whether there is no object.
func (o *object) absent() bool { return o == nil || o.value.IsNull() }

// diagnosed holds the messages of a reply.
type diagnosed struct{ diagnostics Diagnostics }

func (d *diagnosed) failed(address string, err error) {
	if err != nil {
		d.diagnostics = append(d.diagnostics, fromProtocol(address, nil, err)...)
	}
}

func (d *diagnosed) decode(address string, wire *tfprotov6.DynamicValue, typ tftypes.Type) tftypes.Value {
	if wire == nil {
		return tftypes.NewValue(typ, nil)
	}
	value, err := wire.Unmarshal(typ)
	d.failed(address, err)
	return value
}

func (d *diagnosed) decodeIdentity(address string, known *kind, wire *tfprotov6.ResourceIdentityData) tftypes.Value {
	if known.identity == nil || wire == nil {
		return tftypes.Value{}
	}
	return d.decode(address, wire.IdentityData, known.identity)
}

// wire encodes a value. It panics if the value does not have the type, which
// only a bug in this package can cause.
func wire(typ tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	encoded, err := tfprotov6.NewDynamicValue(typ, value)
	if err != nil {
		panic(err)
	}
	return &encoded
}

func wireIdentity(known *kind, identity tftypes.Value) *tfprotov6.ResourceIdentityData {
	if known.identity == nil || identity.IsNull() {
		return nil
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: wire(known.identity, identity)}
}

// configure validates the provider block and configures the provider with it.
func (p *provider) configure(ctx context.Context, config tftypes.Value) Diagnostics {
	known := p.schemas.provider
	validated, err := p.server.ValidateProviderConfig(
		ctx,
		&tfprotov6.ValidateProviderConfigRequest{Config: wire(known.typ, config)},
	)
	if err != nil {
		return fromProtocol("", nil, err)
	}
	diagnostics := fromProtocol("", validated.Diagnostics, nil)
	if diagnostics.HasErrors() {
		return diagnostics
	}
	prepared := validated.PreparedConfig
	if prepared == nil {
		prepared = wire(known.typ, config)
	}
	answer, err := p.server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{
		TerraformVersion:   terraformVersion,
		Config:             prepared,
		ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: p.mayDefer},
	})
	if err != nil {
		return append(diagnostics, fromProtocol("", nil, err)...)
	}
	return append(diagnostics, fromProtocol("", answer.Diagnostics, nil)...)
}

// validateProvider validates the provider block alone.
func (p *provider) validateProvider(ctx context.Context, config tftypes.Value) Diagnostics {
	answer, err := p.server.ValidateProviderConfig(
		ctx,
		&tfprotov6.ValidateProviderConfigRequest{Config: wire(p.schemas.provider.typ, config)},
	)
	if err != nil {
		return fromProtocol("", nil, err)
	}
	return fromProtocol("", answer.Diagnostics, nil)
}

// validate validates a resource's configuration.
func (p *provider) validate(ctx context.Context, address string, known *kind, config tftypes.Value) Diagnostics {
	answer, err := p.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{
		TypeName:           known.name,
		Config:             wire(known.typ, config),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	if err != nil {
		return fromProtocol(address, nil, err)
	}
	return fromProtocol(address, answer.Diagnostics, nil)
}

// upgrade reads a resource from the state file.
func (p *provider) upgrade(ctx context.Context, address string, known *kind, from *stored) (*object, Diagnostics) {
	answer, err := p.server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: known.name,
		Version:  from.version,
		RawState: &tfprotov6.RawState{JSON: from.attributes},
	})
	if err != nil {
		return nil, fromProtocol(address, nil, err)
	}
	reply := diagnosed{fromProtocol(address, answer.Diagnostics, nil)}
	read := &object{
		value:   reply.decode(address, answer.UpgradedState, known.typ),
		private: from.private,
		tainted: from.tainted,
	}
	if known.identity != nil && from.identity != nil {
		read.identity, err = tfprotov6.RawState{JSON: from.identity}.Unmarshal(known.identity)
		reply.failed(address, err)
	}
	return read, reply.diagnostics
}

// read refreshes a resource.
func (p *provider) read(ctx context.Context, address string, known *kind, current *object) (*object, Diagnostics) {
	answer, err := p.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName:           known.name,
		CurrentState:       wire(known.typ, current.value),
		Private:            current.private,
		CurrentIdentity:    wireIdentity(known, current.identity),
		ClientCapabilities: &tfprotov6.ReadResourceClientCapabilities{DeferralAllowed: p.mayDefer},
	})
	if err != nil {
		return nil, fromProtocol(address, nil, err)
	}
	reply := diagnosed{fromProtocol(address, answer.Diagnostics, nil)}
	return &object{
		value:    reply.decode(address, answer.NewState, known.typ),
		identity: reply.decodeIdentity(address, known, answer.NewIdentity),
		private:  answer.Private,
		tainted:  current.tainted,
	}, reply.diagnostics
}

// proposal is the input of a plan.
type proposal struct {
	prior            *object
	config, proposed tftypes.Value
}

// planned is the result of a plan.
type planned struct {
	object
	replace  []*tftypes.AttributePath
	deferred bool
}

// plan plans a change. A provider that cannot plan deletions is not called for
// a deletion.
func (p *provider) plan(ctx context.Context, address string, known *kind, asked proposal) (*planned, Diagnostics) {
	if asked.proposed.IsNull() && !p.schemas.planDestroy {
		return &planned{object: object{value: asked.proposed, private: asked.prior.private}}, nil
	}
	answer, err := p.server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName:           known.name,
		PriorState:         wire(known.typ, asked.prior.value),
		Config:             wire(known.typ, asked.config),
		ProposedNewState:   wire(known.typ, asked.proposed),
		PriorPrivate:       asked.prior.private,
		PriorIdentity:      wireIdentity(known, asked.prior.identity),
		ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: p.mayDefer},
	})
	if err != nil {
		return nil, fromProtocol(address, nil, err)
	}
	reply := diagnosed{fromProtocol(address, answer.Diagnostics, nil)}
	return &planned{
		object: object{
			value:    reply.decode(address, answer.PlannedState, known.typ),
			private:  answer.PlannedPrivate,
			identity: reply.decodeIdentity(address, known, answer.PlannedIdentity),
		},
		replace:  answer.RequiresReplace,
		deferred: answer.Deferred != nil,
	}, reply.diagnostics
}

// apply makes a planned change. The object is nil if the provider returned
// none at all.
func (p *provider) apply(
	ctx context.Context,
	address string,
	known *kind,
	before, config tftypes.Value,
	after object,
) (*object, Diagnostics) {
	answer, err := p.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName:        known.name,
		PriorState:      wire(known.typ, before),
		Config:          wire(known.typ, config),
		PlannedState:    wire(known.typ, after.value),
		PlannedPrivate:  after.private,
		PlannedIdentity: wireIdentity(known, after.identity),
	})
	if err != nil {
		return nil, fromProtocol(address, nil, err)
	}
	reply := diagnosed{fromProtocol(address, answer.Diagnostics, nil)}
	return &object{
		value:    reply.decode(address, answer.NewState, known.typ),
		private:  answer.Private,
		identity: reply.decodeIdentity(address, known, answer.NewIdentity),
	}, reply.diagnostics
}
