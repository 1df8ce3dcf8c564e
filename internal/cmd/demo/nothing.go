package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// fromNothing creates a character, and goes on once its dataset was looked at.
var fromNothing = tale{
	example:  "from-nothing",
	service:  []string{"-extended", "-seed", "none"},
	pictures: `{ for key, generation in mediagen_generation_group.mira[0].generations : key => generation.id }`,
	steps: []func(*story, context.Context) error{
		(*story).create,
		(*story).planAgain,
		(*story).look,
		(*story).generate,
		(*story).planAgain,
	},
}

func (s *story) create(ctx context.Context) error {
	say("Create a character, upload images of face and body, train a face LoRA, generate a dataset: half a minute.")
	return s.buy(ctx, purchases{trainings: 1, datasets: 1})
}

// look shows the dataset, and rejects an image of it.
func (s *story) look(ctx context.Context) error {
	var dataset map[string]string
	if err := s.terminal.output(ctx, &dataset, "output", "-json", "dataset"); err != nil {
		return err
	}
	ids := slices.Sorted(maps.Keys(dataset))
	if len(ids) == 0 {
		return errors.New("the dataset has no images")
	}
	say("Somebody looks at the dataset, and likes all of it but the last image.")
	for _, id := range ids {
		show(id + "  " + dataset[id])
	}
	s.variables = []string{"-var", "approve=true", "-var", fmt.Sprintf("rejected=[%q]", ids[len(ids)-1])}
	return nil
}

func (s *story) generate(ctx context.Context) error {
	say("Approve the dataset, train a body LoRA on it, generate three images: half a minute.")
	return s.buy(ctx, purchases{trainings: 1, prompts: 3})
}
