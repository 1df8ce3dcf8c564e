package core

import (
	"encoding/json"
)

// Entry is an object in the state file.
type Entry struct {
	Address string
	// Deposed says that a replacement left the object behind.
	Deposed bool
	// Tainted says that the next plan replaces the object because its creation
	// failed.
	Tainted    bool
	Attributes Object
	// Private is the provider's private state of the object, by key.
	Private map[string]json.RawMessage
}

// Entries returns all objects in the state file, by address, deposed ones last.
func (w *Workspace) Entries() []Entry {
	w.t.Helper()
	var entries []Entry
	for _, address := range w.state.addresses() {
		if file := w.state.get(address); file != nil {
			entries = append(entries, w.entry(address, file, false))
		}
		for _, file := range w.state.deposedAt(address) {
			entries = append(entries, w.entry(address, file, true))
		}
	}
	return entries
}

func (w *Workspace) entry(address string, file *stored, deposed bool) Entry {
	w.t.Helper()
	known := w.kindOf(address)
	entry := Entry{
		Address:    address,
		Deposed:    deposed,
		Tainted:    file.tainted,
		Attributes: w.plain(file.attributes, known.typ),
		Private:    map[string]json.RawMessage{},
	}
	// The framework's own encoding: the values are bytes, so base64.
	var private map[string][]byte
	if len(file.private) > 0 {
		if err := json.Unmarshal(file.private, &private); err != nil {
			w.t.Fatalf("private state of %s: %s", address, err)
		}
	}
	for key, value := range private {
		entry.Private[key] = value
	}
	return entry
}
