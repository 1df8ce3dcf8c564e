package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

// planned is what a schema says of the plans of an attribute, and the CLI does
// not tell.
type planned struct {
	Default  string `json:"default,omitempty"`
	Replaces string `json:"replaces,omitempty"`
}

// describer is a default or a plan modifier.
type describer interface {
	Description(ctx context.Context) string
}

// documented is what the documentation says of changes that replace or buy: what
// ModifyPlan decides is in no schema.
var documented = regexp.MustCompile(`(?:A change|Changed bytes) (?:replaces?|asks the service again|costs credits)[^.]*\.`)

// plansOf are the paths of some attributes that have a default or may replace.
func plansOf(ctx context.Context, prefix string, attributes map[string]schema.Attribute, into map[string]planned) {
	for name, attribute := range attributes {
		path, is := prefix+name, reflect.ValueOf(attribute)
		// Each type of attribute has fields of its own types.
		member := func(name string) any {
			if field := is.FieldByName(name); field.IsValid() {
				return field.Interface()
			}
			return nil
		}
		var found planned
		if value, ok := member("Default").(describer); ok {
			found.Default = strings.TrimPrefix(value.Description(ctx), "value defaults to ")
		}
		if modifiers := is.FieldByName("PlanModifiers"); modifiers.IsValid() {
			for _, modifier := range modifiers.Seq2() {
				if modifier := modifier.Interface().(describer); strings.Contains(fmt.Sprintf("%T", modifier), "requiresReplace") {
					found.Replaces += modifier.Description(ctx)
				}
			}
		}
		if found.Replaces == "" {
			found.Replaces = documented.FindString(attribute.GetMarkdownDescription())
		}
		if found != (planned{}) {
			into[path] = found
		}
		if nested, ok := member("Attributes").(map[string]schema.Attribute); ok {
			plansOf(ctx, path+".", nested, into)
		}
		if nested, ok := member("NestedObject").(schema.NestedAttributeObject); ok {
			plansOf(ctx, path+".", nested.Attributes, into)
		}
	}
}

// TestSchema_plans is what `make schema-check` knows of defaults and
// replacements: it writes them if SCHEMA_PLANS names a file.
func TestSchema_plans(t *testing.T) {
	t.Parallel()
	ctx, all := t.Context(), map[string]map[string]planned{}
	for _, create := range provider.New("test", nil).Resources(ctx) {
		var named resource.MetadataResponse
		var described resource.SchemaResponse
		one := create()
		one.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "mediagen"}, &named)
		one.Schema(ctx, resource.SchemaRequest{}, &described)
		all[named.TypeName] = map[string]planned{}
		plansOf(ctx, "", described.Schema.Attributes, all[named.TypeName])
	}
	group, training := all["mediagen_generation_group"], all["mediagen_body_lora_training"]
	if group["deletion_policy"].Default != "delete" || training["wait_for_completion"].Default != "true" {
		t.Errorf("defaults are missing in %v and %v", group, training)
	}
	if group["title"].Replaces != "" {
		t.Errorf("a title replaces: %v", group)
	}
	for path, found := range map[string]planned{
		"group.character_id": group["character_id"], "group.prompts.take": group["prompts.take"], "training.triggers": training["triggers"],
		"image.source": all["mediagen_face_image"]["source"], "snapshot.prompt": all["mediagen_image"]["prompt"],
	} {
		if found.Replaces == "" {
			t.Errorf("a change of %s neither replaces nor buys", path)
		}
	}
	if file := os.Getenv("SCHEMA_PLANS"); file != "" {
		content, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
