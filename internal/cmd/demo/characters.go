package main

import "context"

// fromCharacters adopts two characters, and adds a prompt later.
var fromCharacters = tale{
	example: "pipeline",
	service: []string{"-seed", "id=char_ada,name=Character 1", "-seed", "id=char_lin,name=Character 2"},
	stays:   2,
	pictures: `merge([
      for name, group in mediagen_generation_group.this : {
        for key, generation in group.generations : "${name}-${key}" => generation.id
      }
    ]...)`,
	steps: []func(*story, context.Context) error{
		(*story).planSmallest,
		(*story).provision,
		(*story).planAgain,
		(*story).addPrompt,
	},
}

func (s *story) planSmallest(ctx context.Context) error {
	say("A plan of the smallest example: it buys what is wholly (known after apply).")
	return s.terminal.showSmallest(ctx)
}

func (s *story) provision(ctx context.Context) error {
	say("Adopt two characters, upload three face images, train two body LoRAs, generate four images: half a minute.")
	return s.buy(ctx, purchases{trainings: 2, prompts: 4})
}

func (s *story) addPrompt(ctx context.Context) error {
	say("One more prompt: only that one is bought.")
	s.variables = []string{"-var", `extra_prompts={ada={beach="On the beach, late summer"}}`}
	return s.buy(ctx, purchases{prompts: 1})
}
