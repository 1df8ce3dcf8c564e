package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// planFile is the plan that is applied next.
const planFile = "demo.tfplan"

// smallest is the example whose plan fits on a screen.
const smallest = "getting-started"

// showSmallest shows a plan of the smallest example as the CLI prints it, without the
// warning about dev_overrides.
func (t *terminal) showSmallest(ctx context.Context) error {
	directory := "-chdir=" + filepath.Join("..", smallest)
	if err := t.command(ctx, directory, "plan", "-out="+planFile).Run(); err != nil {
		return err
	}
	fmt.Printf("$ %s show %s\n", filepath.Base(t.cli), planFile)
	shown := t.command(ctx, directory, "show", "-no-color", planFile)
	shown.Stdout = os.Stdout
	return shown.Run()
}

// plan plans, shows what the plan buys, and returns how much that is: the trainings
// and generations whose id it does not know.
func (t *terminal) plan(ctx context.Context, arguments ...string) (purchases int, err error) {
	if err := t.run(ctx, "plan", slices.Concat(arguments, []string{"-out=" + planFile})...); err != nil {
		return 0, err
	}
	var plan struct {
		Changes []struct {
			Address string `json:"address"`
			Type    string `json:"type"`
			Change  struct {
				Unknown struct {
					ID          any            `json:"id"`
					Generations map[string]any `json:"generations"`
				} `json:"after_unknown"`
			} `json:"change"`
		} `json:"resource_changes"`
	}
	if err := t.output(ctx, &plan, "show", "-json", planFile); err != nil {
		return 0, err
	}
	for _, resource := range plan.Changes {
		unknown := resource.Change.Unknown
		switch resource.Type {
		case "mediagen_body_lora_training", "mediagen_face_lora_training":
			if unknown.ID == true {
				purchases++
				show("buys " + resource.Address)
			}
		case "mediagen_generation_group":
			var keys []string
			for key, generation := range unknown.Generations {
				if generation == true {
					keys = append(keys, key)
				}
			}
			if slices.Sort(keys); len(keys) > 0 {
				show(fmt.Sprintf("buys %s: %s", resource.Address, strings.Join(keys, ", ")))
			}
			purchases += len(keys)
		}
	}
	return purchases, nil
}
