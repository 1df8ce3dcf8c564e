package acctest_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
)

type feature struct {
	name    string
	file    string // default main.tf
	config  string
	command string // default plan
	shows   string // in the output, if the exit code is not enough
	module  bool   // the configuration is a module's
}

var features = []feature{
	{name: "Resources and data sources", config: `
		resource "mediagen_character" "ada" { id = "char_ada" }
		data "mediagen_characters" "all" {}`},
	{name: "Import blocks", config: `
		import {
			to = mediagen_character.ada
			id = "char_ada"
		}
		resource "mediagen_character" "ada" { id = "char_ada" }`},
	{name: "Import blocks whose `id` is a function's result", config: `
		import {
			to = mediagen_character.ada
			id = format("char_%s", "ada")
		}
		resource "mediagen_character" "ada" { id = "char_ada" }`},
	{name: "Import blocks with `for_each`", config: `
		import {
			for_each = toset(["char_ada"])
			to       = mediagen_character.all[each.key]
			id       = each.key
		}
		resource "mediagen_character" "all" {
			for_each = toset(["char_ada"])
			id       = each.key
		}`},
	{name: "Import blocks in modules", file: "module/main.tf", module: true, config: `
		terraform {
			required_providers {
				mediagen = { source = "mediagen/mediagen" }
			}
		}
		import {
			to = mediagen_character.ada
			id = "char_ada"
		}
		resource "mediagen_character" "ada" { id = "char_ada" }`},
	{name: "Import by `identity`", config: `
		import {
			to       = mediagen_character.ada
			identity = { id = "char_ada" }
		}
		resource "mediagen_character" "ada" { id = "char_ada" }`},
	{name: "The mocked provider of `test`", file: "main.tftest.hcl", command: "test", shows: "1 passed", config: `
		mock_provider "mediagen" {}
		run "plans" { command = plan }`},
	{
		name: "`prompt_matrix`, `prompts`",
		config: `
		output "prompts" {
			value = provider::mediagen::prompts(provider::mediagen::prompt_matrix("{a}", { a = ["b"] }))
		}`,
	},
	{name: "`mediagen_access_token`", config: `
		ephemeral "mediagen_access_token" "short_lived" {}`},
	{name: "Lists and queries", file: "main.tfquery.hcl", command: "query", config: `
		list "mediagen_character" "all" { provider = mediagen }`},
	{name: "Actions", config: `
		action "mediagen_await_generations" "done" {
			config { generation_ids = [] }
		}`},
	{name: "Actions before a destroy", config: `
		action "mediagen_await_generations" "done" {
			config { generation_ids = [for generation in caller.generations : generation.id] }
		}
		resource "mediagen_generation_group" "g" {
			prompts = { a = { prompt = "A" } }
			lifecycle {
				action_trigger {
					events  = [before_destroy]
					actions = [action.mediagen_await_generations.done]
				}
			}
		}`},
}

// The CLI has what the documentation says of it, and lacks what it says is only
// in later ones.
func TestAccCompatibility(t *testing.T) {
	tier.Long(t, "what each CLI can do")
	t.Parallel()
	since := compatibility(t)
	check.Equal(t, "rows of the table, and features that are tried", len(since), len(features))
	for _, f := range features {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			m := newTerminal(t, newExampleService(t), t.TempDir())
			m.write("versions.tf", versions)
			if f.module {
				check.Must(t, os.Mkdir(filepath.Join(m.directory, "module"), 0o700))
				m.write("main.tf", `module "m" { source = "./module" }`)
			}
			m.write(cmp.Or(f.file, "main.tf"), f.config)
			if f.module {
				m.try("get")
			}
			output, code := m.try(cmp.Or(f.command, "plan"), "-no-color")
			documented := m.isSince(since[f.name])
			check.True(
				t,
				"the CLI has what is documented",
				documented == (code == 0 && strings.Contains(output, f.shows)),
				documented,
				code,
				output,
			)
		})
	}
}

func compatibility(t *testing.T) map[string][2]string {
	t.Helper()
	page := readFile(t, filepath.Join("..", "..", "docs", "guides", "where-it-runs.md"))
	_, table, _ := strings.Cut(page, "## What works on which CLI\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := map[string][2]string{}
	for _, row := range regexp.MustCompile(
		`(?m)^\| (.+) \| (\d+\.\d+|none) \| (\d+\.\d+|none) \|$`,
	).FindAllStringSubmatch(table, -1) {
		rows[row[1]] = [2]string{row[2], row[3]}
	}
	return rows
}

func (m *terminal) isSince(versions [2]string) bool {
	m.t.Helper()
	first := versions[0]
	if m.isOpenTofu() {
		first = versions[1]
	}
	if first == "" {
		m.t.Fatal("the table has no such row")
	}
	return first != "none" && m.atLeast(version.Must(version.NewVersion(first)))
}
