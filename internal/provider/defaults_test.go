package provider_test

import (
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

// writing is an optional attribute by its path in a configuration, with a value
// that means the same as none.
type writing struct {
	path  []string
	value any
}

func (w writing) String() string { return fmt.Sprintf("%s = %#v", strings.Join(w.path, "."), w.value) }

// in is the configuration with the value: in each object of a collection, where
// the path leads through one.
func (w writing) in(config core.Object) core.Object {
	return writeAt(config, w.path, w.value).(core.Object)
}

func writeAt(at any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch at := at.(type) {
	case []any:
		var all []any
		for _, element := range at {
			all = append(all, writeAt(element, path, value))
		}
		return all
	case core.Object:
		changed := maps.Clone(at)
		if path[0] != "*" {
			changed[path[0]] = writeAt(at[path[0]], path[1:], value)
			return changed
		}
		for key, element := range at {
			changed[key] = writeAt(element, path[1:], value)
		}
		return changed
	}
	return writeAt(core.Object{}, path, value)
}

// documentedDefault finds a default in the description of an attribute. A
// default that depends on something else is no value to write.
var documentedDefault = regexp.MustCompile(
	"Defaults to `([^`]*)`(?:\\.|, and|$)|`([^`]*)` \\(default\\)|the service uses `([^`]*)`")

// writingsOf are all values that mean the same as none, of the attributes that a
// person may leave out.
func writingsOf(t *testing.T, path []string, all map[string]schema.Attribute) (found []writing) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		attribute := all[name]
		at := append(slices.Clone(path), name)
		if attribute.IsOptional() {
			if said := documentedDefault.FindStringSubmatch(attribute.GetMarkdownDescription()); said != nil {
				found = append(found, writing{at, valueOf(t, attribute, said[1]+said[2]+said[3])})
			}
			found = append(found, emptyOf(at, attribute)...)
		}
		switch attribute := attribute.(type) {
		case schema.SingleNestedAttribute:
			found = append(found, writingsOf(t, at, attribute.Attributes)...)
		case schema.ListNestedAttribute:
			found = append(found, writingsOf(t, at, attribute.NestedObject.Attributes)...)
		case schema.MapNestedAttribute:
			found = append(found, writingsOf(t, append(at, "*"), attribute.NestedObject.Attributes)...)
		}
	}
	return found
}

func emptyOf(at []string, attribute schema.Attribute) []writing {
	switch attribute.(type) {
	case schema.ListAttribute, schema.ListNestedAttribute, schema.SetAttribute:
		return []writing{{at, []any{}}}
	case schema.MapAttribute, schema.MapNestedAttribute, schema.SingleNestedAttribute:
		return []writing{{at, core.Object{}}}
	}
	if at[len(at)-1] == "title" {
		return []writing{{at, ""}, {at, " \n"}}
	}
	return nil
}

func valueOf(t *testing.T, attribute schema.Attribute, text string) any {
	t.Helper()
	switch attribute.GetType().(type) {
	case basetypes.StringType:
		return text
	case basetypes.BoolType:
		value, err := strconv.ParseBool(text)
		check.Must(t, err)
		return value
	case basetypes.Int64Type:
		value, err := strconv.ParseInt(text, 10, 64)
		check.Must(t, err)
		return value
	}
	t.Fatalf("there is no default of type %s", reflect.TypeOf(attribute))
	return nil
}

// managedSchemas are the attributes of all managed types.
func managedSchemas(t *testing.T) map[string]map[string]schema.Attribute {
	t.Helper()
	all := map[string]map[string]schema.Attribute{}
	for _, create := range provider.New("test", provider.Options{}).Resources(t.Context()) {
		var named resource.MetadataResponse
		var described resource.SchemaResponse
		one := create()
		one.Metadata(t.Context(), resource.MetadataRequest{ProviderTypeName: "mediagen"}, &named)
		one.Schema(t.Context(), resource.SchemaRequest{}, &described)
		all[named.TypeName] = described.Schema.Attributes
	}
	return all
}

// depending are the values of attributes whose default depends on others.
func depending(address string, config core.Object) (found []writing) {
	switch source, is := config["source"].(string); {
	case is:
		found = append(found, writing{[]string{"filename"}, filepath.Base(source)})
	case address == "mediagen_character.made":
		found = append(found, writing{[]string{"deletion_policy"}, "delete"})
	case address == "mediagen_character.x":
		found = append(found, writing{[]string{"deletion_policy"}, "keep"})
	}
	return found
}

// Whatever means the same as none plans nothing where none was configured, and
// none plans nothing where it was configured: or the value is refused by its
// name. Nothing is sent but reads. Fault F35.
func TestDefaults_planNothing(t *testing.T) {
	t.Parallel()
	schemas := managedSchemas(t)
	for address, of := range acctest.EverySubject(t) {
		typ, _, _ := strings.Cut(address, ".")
		all := append(writingsOf(t, nil, schemas[typ]), depending(address, of.Config)...)
		check.True(t, "there is a value to write", len(all) > 0 || typ == "mediagen_dataset_approval", address)
		bare := maps.Clone(of.Config)
		for _, one := range all {
			if len(one.path) == 1 {
				delete(bare, one.path[0])
			}
		}
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewForSubjects(t).Scenario(t)
			w.Applies(address, bare).Must()
			w.Plan().Must().WantEmpty()
			for _, one := range all {
				wantNothing(t, w, address, one, one.in(bare))
			}
		})
		for _, one := range all {
			t.Run(address+"/"+one.String(), func(t *testing.T) {
				t.Parallel()
				w := acctest.NewForSubjects(t).Scenario(t)
				config := one.in(bare)
				w.Resource(address, config)
				if isRefusedByName(w.Validate(), one) {
					return
				}
				w.Apply().Must()
				wantNothing(t, w, address, one, config)
				wantNothing(t, w, address, one, bare)
			})
		}
	}
}

// wantNothing expects that a configuration is refused for what was written, or
// plans nothing.
func wantNothing(t *testing.T, w *acctest.Scenario, address string, one writing, config core.Object) {
	t.Helper()
	w.ResetJournal()
	w.Resource(address, config)
	if isRefusedByName(w.Validate(), one) {
		return
	}
	plan := w.Plan().Must()
	check.True(t, "the plan is empty", plan.Action(address) == core.NoOp, one, plan)
	w.Apply().Must()
	for _, sent := range w.Journal() {
		isRead := sent.Method == http.MethodGet || sent.Route == mockserver.RouteToken
		check.True(t, "only reads are sent", isRead, one, sent.Route)
	}
}

func isRefusedByName(said core.Diagnostics, one writing) bool {
	return said.HasErrors() && len(said.At(one.path[0]).Errors()) == len(said.Errors())
}
