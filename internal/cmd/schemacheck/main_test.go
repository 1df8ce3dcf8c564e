package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	main "github.com/mediagen/terraform-provider-mediagen/internal/cmd/schemacheck"
)

type build struct {
	schemas string // members of the provider's JSON
	plans   string // of the resource r
}

func resource(attributes string) build { return upgraded(0, attributes) }

func upgraded(version int, attributes string) build {
	return build{
		schemas: fmt.Sprintf(
			`"resource_schemas": {"r": {"version": %d, "block": {"attributes": {%s}}}}`,
			version,
			attributes,
		),
	}
}

func (b build) planning(plans string) build { return build{b.schemas, plans} }

func identity(version int, attributes string) build {
	return build{
		schemas: fmt.Sprintf(
			`"resource_identity_schemas": {"r": {"version": %d, "attributes": {%s}}}`,
			version,
			attributes,
		),
	}
}

func function(members string) build {
	return build{schemas: fmt.Sprintf(`"functions": {"f": {%s}}`, members)}
}

func oneOf(kind, attributes string) build {
	return build{schemas: fmt.Sprintf(`%q: {"x": {"block": {"attributes": {%s}}}}`, kind, attributes)}
}

func compare(t *testing.T, released, changelog string, was, is build) (printed string, err error) {
	t.Helper()
	directory := t.TempDir()
	write := func(name, content string) string {
		t.Helper()
		file := filepath.Join(directory, name)
		check.Must(t, os.WriteFile(file, []byte(content), 0o600))
		return file
	}
	var out bytes.Buffer
	run := func(changelog string, b build, more ...string) error {
		t.Helper()
		members := `"provider": {"version": 0, "block": {}}` // or the build's, which comes later
		if b.schemas != "" {
			members += ", " + b.schemas
		}
		return main.Run(append([]string{
			"-schemas",
			write(
				"schemas",
				`{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/a/b": {`+members+`}}}`,
			),
			"-plans",
			write("plans", `{"r": {`+b.plans+`}}`),
			"-changelog",
			write("changelog", changelog),
		}, more...), &out)
	}
	last := filepath.Join(directory, "last.json")
	check.Must(t, run("## "+released+" (May 1, 2027)\n", was, "-write", last))
	err = run(changelog, is, last)
	return out.String(), err
}

const minor = "## 1.3.0 (Unreleased)\n\nFEATURES:\n\n## 1.2.3 (May 1, 2027)\n\nBREAKING CHANGES:\n"

func TestRules(t *testing.T) {
	t.Parallel()
	const (
		optional = `"a": {"type": "string", "optional": true}`
		both     = `"a": {"type": "string", "optional": true, "computed": true}`
		required = `"a": {"type": "string", "required": true}`
		computed = `"a": {"type": "string", "computed": true}`
		none     = ``
		nested   = `"a": {"nested_type": {"nesting_mode": "map", "attributes": {%s}}, "optional": true}`
		objects  = `"a": {"type": ["map", ["object", {%s}]], %s}`
	)
	free := "                      "
	configuration := "breaks configurations "
	state := "breaks states         "
	for name, test := range map[string]struct {
		was, is build
		want    string // the only change; "" is none
	}{
		"nothing": {resource(both), resource(both), ""},
		"other words": {
			resource(optional),
			resource(`"a": {"type": "string", "optional": true, "description": "new", "description_kind": "markdown"}`),
			"",
		},
		"an attribute goes":     {resource(optional), resource(none), configuration + "resource r, a: removed"},
		"a computed one goes":   {resource(computed), resource(none), configuration + "resource r, a: removed"},
		"an optional one comes": {resource(none), resource(optional), free + "resource r, a: added"},
		"a computed one comes":  {resource(none), resource(computed), free + "resource r, a: added"},
		"a required one comes": {resource(none), resource(required), configuration + "resource r, a: added, and " +
			"required"},
		"optional to required": {resource(optional), resource(required), configuration + "resource r, a: required now"},
		"required to optional": {resource(required), resource(optional), free + "resource r, a: optional now"},
		"optional to computed": {resource(both), resource(computed), configuration + "resource r, a: can no longer " +
			"be set"},
		"computed to optional": {resource(computed), resource(both), free + "resource r, a: can be set now"},
		"computed ends": {
			resource(both),
			resource(optional),
			configuration + "resource r, a: no longer computed",
		},
		"computed begins": {resource(optional), resource(both), free + "resource r, a: computed now"},
		"another type": {
			resource(optional),
			resource(`"a": {"type": "number", "optional": true}`),
			configuration + "resource r, a: number, was string",
		},
		"list to set": {
			resource(`"a": {"type": ["list", "string"], "optional": true}`),
			resource(`"a": {"type": ["set", "string"], "optional": true}`),
			configuration + "resource r, a: set(string), was list(string)",
		},
		"a version upgrades no configuration": {
			upgraded(1, optional), upgraded(1, `"a": {"type": "bool", "optional": true}`),
			configuration + "resource r, a: bool, was string",
		},
		"sensitive begins": {
			resource(computed),
			resource(`"a": {"type": "string", "computed": true, "sensitive": true}`),
			configuration + "resource r, a: sensitive now: outputs that show it fail",
		},
		"sensitive ends": {
			resource(`"a": {"type": "string", "computed": true, "sensitive": true}`),
			resource(computed),
			configuration + "resource r, a: no longer sensitive: plans and logs show it",
		},
		"write-only begins": {
			resource(optional),
			resource(`"a": {"type": "string", "optional": true, "write_only": true}`),
			configuration + "resource r, a: write-only is true now",
		},
		"deprecated": {
			resource(optional),
			resource(`"a": {"type": "string", "optional": true, "deprecated": true}`),
			free + "resource r, a: deprecated",
		},
		"a version falls": {upgraded(2, optional), upgraded(1, optional), state + "resource r: version 1 of its " +
			"schema, was 2: states cannot be read"},
		"a version rises": {upgraded(1, optional), upgraded(2, optional), free + "resource r: version 2 of its " +
			"schema, was 1"},

		"another default": {
			resource(both).planning(`"a": {"default": "1"}`),
			resource(both).planning(`"a": {"default": "2"}`),
			state + "resource r, a: default 2, was 1",
		},
		"a default begins": {resource(both), resource(both).planning(`"a": {"default": "2"}`), state + "resource r, " +
			"a: default 2, was none"},
		"a default ends": {resource(both).planning(`"a": {"default": "1"}`), resource(both), state + "resource r, a: " +
			"default none, was 1"},
		"one comes with a default": {
			resource(none), resource(both).planning(`"a": {"default": "1"}`), state + "resource r, a: added with a " +
				"default, which states lack: an upgrade plans an update",
		},
		"a default begins, and states keep their null": {
			resource(both),
			resource(both).planning(`"a": {"default": "2", "keeps_null": true}`),
			free + "resource r, a: default 2, was none",
		},
		"one comes with a default, and states keep their null": {
			resource(none),
			resource(both).planning(`"a": {"default": "1", "keeps_null": true}`),
			free + "resource r, a: added",
		},
		"another default where states keep null": {
			resource(both).planning(`"a": {"default": "1", "keeps_null": true}`),
			resource(both).planning(`"a": {"default": "2", "keeps_null": true}`),
			state + "resource r, a: default 2, was 1",
		},
		"replacement begins": {
			resource(optional),
			resource(optional).planning(`"a": {"replaces": "A change trains again."}`),
			configuration + "resource r, a: a change replaces or buys now: A change trains again.",
		},
		"replacement ends": {
			resource(optional).planning(`"a": {"replaces": "always"}`),
			resource(optional),
			free + "resource r, a: a change replaces or buys: none, was: always",
		},
		"replacement differs": {
			resource(optional).planning(`"a": {"replaces": "always"}`),
			resource(optional).planning(`"a": {"replaces": "seldom"}`),
			free + "resource r, a: a change replaces or buys: seldom, was: always",
		},

		"a nested one goes": {
			resource(fmt.Sprintf(nested, `"b": {"type": "string", "optional": true}`)),
			resource(fmt.Sprintf(nested, ``)),
			configuration + "resource r, a.b: removed",
		},
		"with all around it": {
			resource(fmt.Sprintf(nested, `"b": {"type": "string", "optional": true}`)),
			resource(none),
			configuration + "resource r, a: removed",
		},
		"a nested one comes": {
			resource(fmt.Sprintf(nested, ``)),
			resource(fmt.Sprintf(nested, `"b": {"type": "string", "optional": true}`)),
			free + "resource r, a.b: added",
		},
		"a nested required one": {
			resource(fmt.Sprintf(nested, ``)),
			resource(fmt.Sprintf(nested, `"b": {"type": "string", "required": true}`)),
			configuration + "resource r, a.b: added, and required",
		},
		"required in what is new": {
			resource(none),
			resource(fmt.Sprintf(nested, `"b": {"type": "string", "required": true}`)),
			free + "resource r, a: added",
		},
		"a nested default": {
			resource(
				fmt.Sprintf(nested, `"b": {"type": "string", "optional": true}`),
			).planning(`"a.b": {"default": "1"}`),
			resource(fmt.Sprintf(nested, `"b": {"type": "string", "optional": true}`)),
			state + "resource r, a.b: default none, was 1",
		},
		"a field is shown": {
			resource(fmt.Sprintf(objects, ``, `"computed": true`)),
			resource(fmt.Sprintf(objects, `"b": "string"`, `"computed": true`)),
			free + "resource r, a.b: added",
		},
		"a field is to be set": {
			resource(fmt.Sprintf(objects, ``, `"optional": true`)),
			resource(fmt.Sprintf(objects, `"b": "string"`, `"optional": true`)),
			configuration + "resource r, a.b: added, and required",
		},
		"a field goes": {
			resource(fmt.Sprintf(objects, `"b": "string"`, `"computed": true`)),
			resource(fmt.Sprintf(objects, ``, `"computed": true`)),
			configuration + "resource r, a.b: removed",
		},
		"a field of another type": {
			resource(fmt.Sprintf(objects, `"b": "string"`, `"computed": true`)),
			resource(fmt.Sprintf(objects, `"b": "bool"`, `"computed": true`)),
			configuration + "resource r, a.b: bool, was string",
		},
		"objects, nested": {
			resource(`"a": {"type": ["map", ["object", {"b": "string"}]], "optional": true}`),
			resource(fmt.Sprintf(nested, `"b": {"type": "string", "required": true}`)),
			"",
		},
		"a block goes": {
			build{
				schemas: `"resource_schemas": {"r": {"version": 0, "block": {"block_types": {"b": {"nesting_mode": ` +
					`"list", "block": {}}}}}}`,
			},
			resource(none),
			configuration + "resource r, b: removed",
		},
		"a data source's default": {
			oneOf("data_source_schemas", required),
			oneOf("data_source_schemas", optional),
			free + "data source x, a: optional now",
		},
		"an action requires": {
			oneOf("action_schemas", optional),
			oneOf("action_schemas", required),
			configuration + "action x, a: required now",
		},
		"a list requires": {
			oneOf("list_resource_schemas", none),
			oneOf("list_resource_schemas", required),
			configuration + "list resource x, a: added, and required",
		},
		"an ephemeral one goes": {
			oneOf("ephemeral_resource_schemas", none),
			build{},
			configuration + "ephemeral resource x: removed",
		},
		"a resource comes": {build{}, resource(required), free + "resource r: added"},
		"the provider requires": {
			build{schemas: `"provider": {"version": 0, "block": {}}`},
			build{schemas: `"provider": {"version": 0, "block": {"attributes": {` + required + `}}}`},
			configuration + "provider, a: added, and required",
		},
		"the provider has one more": {
			build{schemas: `"provider": {"version": 0, "block": {}}`},
			build{schemas: `"provider": {"version": 0, "block": {"attributes": {` + optional + `}}}`},
			free + "provider, a: added",
		},

		"an identity begins": {
			build{},
			identity(0, `"id": {"type": "string", "required_for_import": true}`),
			free + "identity r: added",
		},
		"an identity ends": {
			identity(0, `"id": {"type": "string", "required_for_import": true}`),
			build{},
			configuration + "identity r: removed",
		},
		"an identity requires": {
			identity(0, `"id": {"type": "string", "optional_for_import": true}`),
			identity(0, `"id": {"type": "string", "required_for_import": true}`),
			configuration + "identity r, id: required now",
		},
		"an identity grows": {
			identity(0, ``),
			identity(0, `"id": {"type": "string", "optional_for_import": true}`),
			state + "identity r, id: added: identities in states lack it",
		},
		"an identity loses": {
			identity(0, `"id": {"type": "string", "optional_for_import": true}`),
			identity(0, ``),
			configuration + "identity r, id: removed",
		},
		"an identity's type changes": {
			identity(0, `"id": {"type": "string", "optional_for_import": true}`),
			identity(0, `"id": {"type": "number", "optional_for_import": true}`),
			configuration + "identity r, id: number, was string",
		},

		"a function goes": {function(`"return_type": "string"`), build{}, configuration + "function f: removed"},
		"another result": {
			function(`"return_type": "string"`),
			function(`"return_type": "number"`),
			configuration + "function f, result: number, was string",
		},
		"one parameter more": {
			function(`"return_type": "string"`),
			function(`"return_type": "string", "parameters": [{"name": "p", "type": "string"}]`),
			configuration + "function f: 1 parameters, was 0",
		},
		"any number of them": {
			function(`"return_type": "string"`),
			function(`"return_type": "string", "variadic_parameter": {"name": "p", "type": "string"}`),
			free + "function f: further parameters",
		},
		"no longer": {
			function(`"return_type": "string", "variadic_parameter": {"name": "p", "type": "string"}`),
			function(`"return_type": "string"`),
			configuration + "function f: no further parameters",
		},
		"a parameter's type": {
			function(`"return_type": "string", "parameters": [{"name": "p", "type": "string"}]`),
			function(`"return_type": "string", "parameters": [{"name": "q", "type": "number"}]`),
			configuration + "function f, p: number, was string",
		},
		"a parameter's name": {
			function(`"return_type": "string", "parameters": [{"name": "p", "type": "string"}]`),
			function(`"return_type": "string", "parameters": [{"name": "q", "type": "string"}]`),
			"",
		},
		"a parameter refuses": {
			function(`"return_type": "string", "parameters": [{"name": "p", "type": "string", "is_nullable": true}]`),
			function(`"return_type": "string", "parameters": [{"name": "p", "type": "string"}]`),
			configuration + "function f, p: null is refused now",
		},
		"so do all further ones": {
			function(
				`"return_type": "string", "variadic_parameter": {"name": "p", "type": "string", "is_nullable": true}`,
			),
			function(`"return_type": "string", "variadic_parameter": {"name": "p", "type": "string"}`),
			configuration + "function f, p: null is refused now",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			printed, err := compare(t, "1.2.3", minor, test.was, test.is)
			changes, _, _ := strings.Cut(printed, " changes of the schema since 1.2.3")
			lines := strings.Split(changes, "\n")
			check.Equal(t, "printed", strings.Join(lines[:len(lines)-1], "\n"), test.want)
			check.True(t, "an error of what breaks", (err != nil) == strings.HasPrefix(test.want, "breaks"), err)
		})
	}
}

// A higher version of the schema upgrades states, and no configurations.
func TestUpgradedStates(t *testing.T) {
	t.Parallel()
	const both = `"a": {"type": "string", "optional": true, "computed": true}`
	for name, test := range map[string]struct {
		was, is build
		breaks  bool
	}{
		"a default": {upgraded(1, both), upgraded(2, both).planning(`"a": {"default": "1"}`), false},
		"an identity": {
			identity(0, ``),
			identity(1, `"id": {"type": "string", "optional_for_import": true}`),
			false,
		},
		"what is required": {upgraded(1, both), upgraded(2, `"a": {"type": "string", "required": true}`), true},
		"what imports must set": {
			identity(0, ``),
			identity(1, `"id": {"type": "string", "required_for_import": true}`),
			true,
		},
	} {
		printed, err := compare(t, "1.2.3", minor, test.was, test.is)
		check.Equal(t, name+" breaks: "+printed, err != nil, test.breaks)
	}
}

// Only a major version may break what worked, or a minor one before 1.0.0; the
// CHANGELOG says so.
func TestVersions(t *testing.T) {
	t.Parallel()
	was := resource(`"a": {"type": "string", "optional": true}`)
	is := resource(``)
	for name, test := range map[string]struct{ last, changelog, says string }{
		"a major version": {"1.2.3", "## 2.0.0 (Unreleased)\n\nBREAKING CHANGES:\n\n* resource/r: Has no a", ""},
		"unannounced": {
			"1.2.3",
			"## 2.0.0 (Unreleased)\n\nFEATURES:\n",
			"2.0.0 may not break what worked with 1.2.3",
		},
		"announced long ago": {"1.2.3", "## 2.0.0 (Unreleased)\n\n## 1.2.3 (May 1, 2027)\n\nBREAKING " +
			"CHANGES:\n", "2.0.0 may not"},
		"a minor version":           {"1.2.3", "## 1.3.0 (Unreleased)\n\nBREAKING CHANGES:\n", "1.3.0 may not"},
		"the same":                  {"1.2.3", "## 1.2.3 (Unreleased)\n\nBREAKING CHANGES:\n", "1.2.3 may not"},
		"an older one":              {"1.2.3", "## 0.9.0 (Unreleased)\n\nBREAKING CHANGES:\n", "0.9.0 may not"},
		"a minor one before 1.0.0":  {"0.1.0", "## 0.2.0 (Unreleased)\n\nBREAKING CHANGES:\n", ""},
		"a patch":                   {"0.1.0", "## 0.1.1 (Unreleased)\n\nBREAKING CHANGES:\n", "0.1.1 may not"},
		"a CHANGELOG without one":   {"1.2.3", "FEATURES:\n", "the CHANGELOG has no version"},
		"one that does not know it": {"1.2.3", "## Unreleased\n\nFEATURES:", "alformed version"},
	} {
		printed, err := compare(t, test.last, test.changelog, was, is)
		check.True(
			t,
			name,
			(test.says != "" || err == nil) && strings.Contains(fmt.Sprint(err), test.says),
			err,
			test.says,
			printed,
		)
	}
}
