package main

import (
	"context"
	"fmt"
	"slices"
)

// planFile is the plan that is applied next.
const planFile = "demo.tfplan"

// plan plans, and returns what the plan buys: the trainings and generations
// whose id it does not know.
func (t *terminal) plan(ctx context.Context, arguments ...string) (purchases []string, err error) {
	if err := t.run(ctx, "plan", slices.Concat(arguments, []string{"-out=" + planFile})...); err != nil {
		return nil, err
	}
	var plan struct {
		Changes []struct {
			Address string `json:"address"`
			Type    string `json:"type"`
			Change  struct {
				Unknown struct {
					ID          any `json:"id"`
					Generations map[string]struct {
						ID any `json:"id"`
					} `json:"generations"`
				} `json:"after_unknown"`
			} `json:"change"`
		} `json:"resource_changes"`
	}
	if err := t.output(ctx, &plan, "show", "-json", planFile); err != nil {
		return nil, err
	}
	for _, resource := range plan.Changes {
		unknown := resource.Change.Unknown
		switch resource.Type {
		case "mediagen_body_lora_training":
			if unknown.ID == true {
				purchases = append(purchases, resource.Address)
			}
		case "mediagen_generation_group":
			for key, generation := range unknown.Generations {
				if generation.ID == true {
					purchases = append(purchases, fmt.Sprintf("%s: prompt %q", resource.Address, key))
				}
			}
		}
	}
	slices.Sort(purchases)
	return purchases, nil
}
