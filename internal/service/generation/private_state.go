package generation

import "github.com/mediagen/terraform-provider-mediagen/internal/api"

// privateState is what the provider must remember of a group and no attribute
// shows.
type privateState struct {
	// Only a generation that a status has shown can vanish.
	api.Sightings
	// Superseded are the generations that a key had before, or that may be its
	// own: to be deleted once its present one has results, unless another key
	// needs them.
	Superseded map[string][]string `json:"superseded,omitempty"`
	// Unverified are the ids of which no status has confirmed yet whose prompt
	// they render.
	Unverified map[string]match `json:"unverified,omitempty"`
	// Leftovers says that generations may outlive the group, so that its end is
	// not proof of theirs: a deletion left some behind, or the service put some
	// into another group.
	Leftovers bool `json:"leftovers,omitempty"`
	// Doubted says that the service did not find the group when a batch was to
	// be added: the next refresh looks at everything.
	Doubted bool `json:"doubted,omitempty"`
}

// match says how a result was matched to its key. Only results of one batch can
// have been mixed up.
type match struct {
	Batch   string `json:"batch"`
	Certain bool   `json:"certain"`
}

// ready has maps where the state held nothing.
func (p privateState) ready() privateState {
	if p.Superseded == nil {
		p.Superseded = map[string][]string{}
	}
	if p.Unverified == nil {
		p.Unverified = map[string]match{}
	}
	return p
}

// asShown is the sighting of the group itself, and of what is to be deleted.
func (p privateState) asShown() api.Sighting { return api.Sighting{By: p.By}.AsShown() }
