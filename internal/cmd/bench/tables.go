package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// table is a table of the note.
type table struct{ text strings.Builder }

func newTable(title string, columns ...string) *table {
	t := &table{}
	fmt.Fprintf(
		&t.text,
		"%s\n\n| %s |\n|%s\n",
		title,
		strings.Join(columns, " | "),
		strings.Repeat("---|", len(columns)),
	)
	return t
}

func (t *table) row(cells ...string) {
	fmt.Fprintf(&t.text, "| %s |\n", strings.Join(cells, " | "))
}

func number(n int) string { return fmt.Sprintf("n=%d", n) }

func (b *bench) characters(ctx context.Context) (string, error) {
	t := newTable(
		"Characters: time, CPU and memory, each as a ratio to the provider that sends nothing",
		"characters",
		"plan",
		"CPU of a plan",
		"memory of a plan",
		"apply",
		"memory of an apply",
		"plan, to `terraform_data`",
		"requests of a plan",
	)
	for _, n := range b.sizes.characters {
		b.service.characters(n)
		all, err := b.subjects(characters)
		if err != nil {
			return "", err
		}
		applied := n
		if n > b.sizes.applied {
			applied = 1
		}
		found, err := b.measure(ctx, all, []step{
			{name: "apply", arguments: []string{"apply", "-auto-approve", "-var", number(applied)}},
			{
				name:      "plan",
				arguments: []string{"plan", "-detailed-exitcode", "-var", number(n)},
				copies:    n,
			},
		})
		if err != nil {
			return "", err
		}
		plan := found["plan"]
		apply := found["apply"]
		cells := []string{"", ""}
		if applied == n {
			cells = []string{ratio(apply[ours], apply[floor], wall), ratio(apply[ours], apply[floor], memory)}
		}
		t.row(
			fmt.Sprint(n),
			ratio(plan[ours], plan[floor], wall),
			ratio(plan[ours], plan[floor], cpu),
			ratio(plan[ours], plan[floor], memory),
			cells[0],
			cells[1],
			ratio(plan[ours], plan[data], wall),
			fmt.Sprint(plan[ours][0].requests),
		)
	}
	return t.text.String(), nil
}

func (b *bench) groups(ctx context.Context) (string, error) {
	t := newTable(
		"One group: time as a ratio to the provider that sends nothing, and the provider's CPU when one prompt is "+
			"added",
		"prompts",
		"plan",
		"apply",
		"one more: plan",
		"one more: apply",
		"CPU of that plan",
		"CPU of that apply",
		"memory of a plan",
		"plan, to `terraform_data`",
		"requests of a plan",
	)
	b.service.characters(1)
	for _, n := range b.sizes.prompts {
		all, err := b.subjects(group)
		if err != nil {
			return "", err
		}
		found, err := b.measure(ctx, all, []step{
			{name: "apply", arguments: []string{"apply", "-auto-approve", "-var", number(n)}},
			{name: "plan", arguments: []string{"plan", "-detailed-exitcode", "-var", number(n)}},
			{name: "plan more", arguments: []string{"plan", "-out=plan", "-var", number(n + 1)}},
			{name: "apply more", arguments: []string{"apply", "plan"}},
		})
		if err != nil {
			return "", err
		}
		plan := found["plan"]
		cells := []string{fmt.Sprint(n)}
		for _, step := range []string{"plan", "apply", "plan more", "apply more"} {
			cells = append(cells, ratio(found[step][ours], found[step][floor], wall))
		}
		for _, step := range []string{"plan more", "apply more"} {
			cells = append(
				cells,
				fmt.Sprintf("%.2f s (%.2f s)", medianOf(found[step][ours], cpu), medianOf(found[step][floor], cpu)),
			)
		}
		t.row(
			append(
				cells,
				ratio(plan[ours], plan[floor], memory),
				ratio(plan[ours], plan[data], wall),
				fmt.Sprint(plan[ours][0].requests),
			)...)
	}
	return t.text.String(), nil
}

// latencies compares plans at several latencies with plans without latency.
func (b *bench) latencies(ctx context.Context) (string, error) {
	n := b.sizes.characters[min(2, len(b.sizes.characters)-1)]
	prompts := b.sizes.prompts[len(b.sizes.prompts)/2]
	t := newTable("Latency of each reply: time of a plan, as a ratio to the same without latency",
		"latency", fmt.Sprintf("%d characters", n), fmt.Sprintf("group of %d", prompts))
	b.service.characters(n)
	var columns [2][][]cost
	for i, what := range []struct {
		configurations map[string]string
		n              int
	}{{characters, n}, {group, prompts}} {
		all, err := b.subjects(map[string]string{ours: what.configurations[ours]})
		if err != nil {
			return "", err
		}
		if err := b.prepare(ctx, all[0], what.n, i == 0); err != nil {
			return "", err
		}
		columns[i] = make([][]cost, len(b.sizes.latencies))
		for range b.sizes.pairs {
			for k, latency := range b.sizes.latencies {
				b.service.latency(latency)
				taken, err := b.command(ctx, all[0], "plan", "-detailed-exitcode", "-var", number(what.n))
				if err != nil {
					return "", err
				}
				columns[i][k] = append(columns[i][k], taken)
			}
		}
		b.service.latency(0)
	}
	for k, latency := range b.sizes.latencies[1:] {
		t.row(
			latency.String(),
			ratio(columns[0][k+1], columns[0][0], wall),
			ratio(columns[1][k+1], columns[1][0], wall),
		)
	}
	return t.text.String(), nil
}

// prepare brings n characters, or a group of n prompts, into the state.
func (b *bench) prepare(ctx context.Context, in subject, n int, isCopied bool) error {
	b.service.Reset()
	applied := n
	if isCopied {
		applied = 1
	}
	if _, err := b.command(ctx, in, "apply", "-auto-approve", "-var", number(applied)); err != nil || !isCopied {
		return err
	}
	return copyFirst(in.state(), n)
}

func (b *bench) uploads(ctx context.Context) (string, error) {
	t := newTable(
		"Uploads: memory of the provider",
		"size of the image",
		"peak memory",
		fmt.Sprintf("ratio to %d MiB", b.sizes.uploads[0]),
	)
	b.service.characters(1)
	all, err := b.subjects(image)
	if err != nil {
		return "", err
	}
	var costs [][]cost
	for _, size := range b.sizes.uploads {
		if err := writeImage(filepath.Join(all[0].directory, "image.png"), size); err != nil {
			return "", err
		}
		found, err := b.measure(ctx, all, []step{{name: "apply", arguments: []string{"apply", "-auto-approve"}}})
		if err != nil {
			return "", err
		}
		costs = append(costs, found["apply"][ours])
	}
	for i, size := range b.sizes.uploads {
		t.row(
			fmt.Sprintf("%d MiB", size),
			fmt.Sprintf("%.0f MiB", medianOf(costs[i], memory)),
			ratio(costs[i], costs[0], memory),
		)
	}
	return t.text.String(), nil
}

// writeImage writes a sparse file with the beginning of a PNG.
func writeImage(name string, size int) error {
	if err := os.WriteFile(name, []byte("\x89PNG\r\n\x1a\n"), 0o600); err != nil {
		return err
	}
	return os.Truncate(name, int64(size)<<20)
}
