package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// planFile is the plan that is applied next.
const planFile = "demo.tfplan"

// smallest is the example whose plan fits on a screen.
const smallest = "getting-started"

// showSmallest shows a plan of the smallest example as the CLI prints it,
// without the warning about dev_overrides.
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

// plan plans, shows what the plan buys, and returns that: the trainings, datasets
// and generations whose id it does not know.
func (t *terminal) plan(ctx context.Context, arguments ...string) (announced purchases, err error) {
	if err := t.run(ctx, "plan", slices.Concat(arguments, []string{"-out=" + planFile})...); err != nil {
		return announced, err
	}
	var plan struct {
		Changes []struct {
			object
			Change struct {
				Unknown struct {
					ID          any            `json:"id"`
					Generations map[string]any `json:"generations"`
				} `json:"after_unknown"`
			} `json:"change"`
		} `json:"resource_changes"`
	}
	if err := t.output(ctx, &plan, "show", "-json", planFile); err != nil {
		return announced, err
	}
	for _, resource := range plan.Changes {
		unknown := resource.Change.Unknown
		before := announced
		var keys []string
		for key, generation := range unknown.Generations {
			if generation == true {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		announced.add(resource.object, unknown.ID == true, len(keys))
		if announced != before {
			show(strings.TrimSuffix(fmt.Sprintf("buys %s: %s", resource.Address, strings.Join(keys, ", ")), ": "))
		}
	}
	return announced, nil
}

// held returns what the state has of purchases, and what they have cost.
func (t *terminal) held(ctx context.Context) (held purchases, credits float64, err error) {
	var state struct {
		Values struct {
			Root struct {
				Resources []struct {
					object
					Values struct {
						ID              string         `json:"id"`
						Generations     map[string]any `json:"generations"`
						CreditsDeducted float64        `json:"credits_deducted"`
					} `json:"values"`
				} `json:"resources"`
			} `json:"root_module"`
		} `json:"values"`
	}
	if err := t.output(ctx, &state, "show", "-json"); err != nil {
		return held, 0, err
	}
	for _, resource := range state.Values.Root.Resources {
		held.add(resource.object, resource.Values.ID != "", len(resource.Values.Generations))
		credits += resource.Values.CreditsDeducted
	}
	return held, credits, nil
}

// resultURLs are the addresses of all pictures in the state.
func (t *terminal) resultURLs(ctx context.Context) (addresses []string, err error) {
	var state struct {
		Values struct {
			Root struct {
				Resources []struct {
					Values struct {
						ResultURLs map[string][]string `json:"result_urls"`
					} `json:"values"`
				} `json:"resources"`
			} `json:"root_module"`
		} `json:"values"`
	}
	err = t.output(ctx, &state, "show", "-json")
	for _, resource := range state.Values.Root.Resources {
		for _, key := range slices.Sorted(maps.Keys(resource.Values.ResultURLs)) {
			addresses = append(addresses, resource.Values.ResultURLs[key]...)
		}
	}
	return addresses, err
}
