package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// copyFirst gives the only resource of a state n instances that are like its
// first. The CLI writes the whole state after each object that it creates, so
// that an apply of thousands would take hours.
func copyFirst(file string, n int) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var state map[string]json.RawMessage
	var resources []map[string]json.RawMessage
	var instances []json.RawMessage
	var first map[string]json.RawMessage
	for _, part := range []struct {
		from func() json.RawMessage
		into any
	}{
		{func() json.RawMessage { return content }, &state},
		{func() json.RawMessage { return state["resources"] }, &resources},
		{func() json.RawMessage { return resources[0]["instances"] }, &instances},
		{func() json.RawMessage { return instances[0] }, &first},
	} {
		if err := json.Unmarshal(part.from(), part.into); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	copies := make([]json.RawMessage, n)
	for i := range copies {
		first["index_key"] = fmt.Append(nil, i)
		instance, err := json.Marshal(first)
		if err != nil {
			return err
		}
		copies[i] = bytes.ReplaceAll(instance, []byte("ch_00000"), fmt.Appendf(nil, "ch_%05d", i))
	}
	resources[0]["instances"], err = json.Marshal(copies)
	if err != nil {
		return err
	}
	state["resources"], err = json.Marshal(resources)
	if err != nil {
		return err
	}
	content, err = json.Marshal(state)
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o600)
}
