package main

import (
	"fmt"
	"strings"
)

// purchases are what a plan announces, what a ledger books, and what a state
// holds.
type purchases struct{ trainings, datasets, prompts int }

// String implements fmt.Stringer.
func (p purchases) String() string {
	var parts []string
	for _, part := range []struct {
		number int
		noun   string
	}{{p.trainings, "training"}, {p.datasets, "dataset"}, {p.prompts, "prompt"}} {
		if part.number > 0 {
			parts = append(parts, count(part.number, part.noun))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

func count(number int, noun string) string {
	if number == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", number, noun)
}

// object is a resource of a plan or a state.
type object struct {
	Address string `json:"address"`
	Type    string `json:"type"`
}

// add adds a purchase that has an id, or the generations of a group.
func (p *purchases) add(of object, hasID bool, generations int) {
	switch of.Type {
	case "mediagen_body_lora_training", "mediagen_face_lora_training":
		p.trainings += number(hasID)
	case "mediagen_dataset":
		p.datasets += number(hasID)
	case "mediagen_generation_group":
		p.prompts += generations
	}
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}
