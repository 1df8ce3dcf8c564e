package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// subject is a measured configuration in a directory of its own.
type subject struct {
	name, directory string
}

// The three subjects. The last needs no provider process.
const (
	ours  = "mediagen"
	floor = "blank"
	data  = "terraform_data"
)

func (s subject) state() string { return filepath.Join(s.directory, "terraform.tfstate") }

// subjects writes a configuration for each subject, in the order of their
// names.
func (b *bench) subjects(configurations map[string]string) ([]subject, error) {
	var all []subject
	for _, name := range []string{ours, floor, data} {
		content, found := configurations[name]
		if !found {
			continue
		}
		directory, err := os.MkdirTemp(b.room, name+"-")
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(directory, "main.tf"), []byte(required+content), 0o600); err != nil {
			return nil, err
		}
		all = append(all, subject{name, directory})
	}
	return all, nil
}

// cost is the cost of one command.
type cost struct {
	wall     time.Duration
	provider usage
	requests int
}

// command runs a command of the CLI and measures it.
func (b *bench) command(ctx context.Context, in subject, arguments ...string) (cost, error) {
	if _, err := b.providerUsage(); err != nil {
		return cost{}, err
	}
	b.service.ResetJournal()
	command := exec.CommandContext(ctx, b.cli, append(arguments, "-no-color")...)
	command.Dir = in.directory
	command.Env = b.environment
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	var output bytes.Buffer
	command.Stdout = &output
	command.Stderr = &output
	begun := time.Now()
	if err := command.Run(); err != nil {
		tail := output.Bytes()[max(output.Len()-4000, 0):]
		return cost{}, fmt.Errorf("%s %s: %w\n%s", in.name, arguments[0], err, tail)
	}
	wall := time.Since(begun)
	used, err := b.providerUsage()
	return cost{
		wall:     wall,
		provider: used,
		requests: b.service.Count(""),
	}, err
}

// step is a command and the name of its costs.
type step struct {
	name      string
	arguments []string
	// copies is the number of instances in the state before the step; 0 leaves
	// the state.
	copies int
}

// series are the costs of a step, by subject, in the order of the pairs.
type series map[string]map[string][]cost

// measure runs the steps for each subject, beginning without a state, as often
// as pairs are wanted; the subjects alternate.
func (b *bench) measure(ctx context.Context, all []subject, steps []step) (series, error) {
	found := series{}
	for range b.sizes.pairs {
		for _, in := range all {
			b.service.Reset() // except the characters
			if err := os.RemoveAll(in.state()); err != nil {
				return nil, err
			}
			for _, step := range steps {
				if step.copies > 0 {
					if err := copyFirst(in.state(), step.copies); err != nil {
						return nil, err
					}
				}
				taken, err := b.command(ctx, in, step.arguments...)
				if err != nil {
					return nil, err
				}
				if found[step.name] == nil {
					found[step.name] = map[string][]cost{}
				}
				found[step.name][in.name] = append(found[step.name][in.name], taken)
			}
		}
	}
	return found, nil
}

func wall(c cost) float64 { return c.wall.Seconds() }

func cpu(c cost) float64 { return c.provider.CPU.Seconds() }

func memory(c cost) float64 { return float64(c.provider.Memory) / (1 << 20) }

// ratio returns a subject's cost relative to another subject's: the median of
// the pairs, and the least and the most.
func ratio(over, under []cost, of func(cost) float64) string {
	ratios := make([]float64, len(over))
	for i := range over {
		ratios[i] = of(over[i]) / of(under[i])
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", median(ratios), slices.Min(ratios), slices.Max(ratios))
}

func medianOf(costs []cost, of func(cost) float64) float64 {
	values := make([]float64, len(costs))
	for i, one := range costs {
		values[i] = of(one)
	}
	return median(values)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
