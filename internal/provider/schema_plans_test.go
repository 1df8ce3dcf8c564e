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

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

// planned is what a schema says of the plans of an attribute, and the CLI does
// not tell.
type planned struct {
	Default  string `json:"default,omitempty"`
	Replaces string `json:"replaces,omitempty"`
	// KeepsNull: a state of a release without the default keeps its null.
	KeepsNull bool `json:"keeps_null,omitempty"`
}

// keptByPlan has an input whose stored null the group's own plan keeps: a modifier of the
// attribute cannot tell a new prompt from an older one.
var keptByPlan = map[string]string{"mediagen_generation_group": "prompts.take"}

type describer interface {
	Description(ctx context.Context) string
}

// What the documentation says of changes, and which of that replaces or buys:
// what ModifyPlan decides is in no schema. "A change of any argument …" in the
// description of a resource, or of any option in that of an attribute, speaks
// for the inputs within; one that says itself what a change does is an
// exception.
var (
	ofChanges = regexp.MustCompile(`(?:A change|Changed bytes) [^.]*\.`)
	buying    = regexp.MustCompile(
		`^(?:A change|Changed bytes)(?: of any (?:argument(?: but .labels.)?|option|of them))? (?:replaces?|asks ` +
			`the service again|costs credits|may cost credits|buys|generates|regenerates|trains|uploads)\b`,
	)
)

// documented returns what says that a change replaces or buys, and whether
// changes are told at all.
func documented(description string) (sentence string, decides bool) {
	said := ofChanges.FindAllString(strings.ReplaceAll(description, "**", ""), -1)
	for _, sentence := range said {
		if buying.MatchString(sentence) {
			return sentence, true
		}
	}
	return "", len(said) > 0
}

// plansOf are the paths of some attributes that have a default or may replace.
// What is said around them goes for inputs of which nothing else is said.
func plansOf(
	ctx context.Context,
	prefix, around string,
	attributes map[string]schema.Attribute,
	into map[string]planned,
) {
	for name, attribute := range attributes {
		path := prefix + name
		is := reflect.ValueOf(attribute)
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
				found.KeepsNull = found.KeepsNull ||
					found.Default != "" && strings.HasSuffix(fmt.Sprintf("%T", modifier.Interface()), ".keepSame")
				if modifier := modifier.Interface().(describer); strings.Contains(
					fmt.Sprintf("%T", modifier),
					"requiresReplace",
				) {
					found.Replaces += modifier.Description(ctx)
				}
			}
		}
		nested, _ := member("Attributes").(map[string]schema.Attribute)
		if object, ok := member("NestedObject").(schema.NestedAttributeObject); ok {
			nested = object.Attributes
		}
		said, decides := documented(attribute.GetMarkdownDescription())
		// How long to wait is never sent.
		if input := attribute.IsRequired() || attribute.IsOptional(); input && !decides && name != "timeouts" {
			said = around
		}
		if ofNested := nested != nil && decides &&
			strings.Contains(said, " of any "); found.Replaces == "" &&
			!ofNested {
			found.Replaces = said
		}
		if found != (planned{}) {
			into[path] = found
		}
		plansOf(ctx, path+".", said, nested, into)
	}
}

// It writes what `make schema-check` compares, if SCHEMA_PLANS names a file.
func TestSchema_plans(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	all := map[string]map[string]planned{}
	for _, create := range provider.New("test", provider.Options{}).Resources(ctx) {
		var named resource.MetadataResponse
		var described resource.SchemaResponse
		one := create()
		one.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "mediagen"}, &named)
		one.Schema(ctx, resource.SchemaRequest{}, &described)
		all[named.TypeName] = map[string]planned{}
		said, _ := documented(described.Schema.MarkdownDescription)
		plansOf(ctx, "", said, described.Schema.Attributes, all[named.TypeName])
		if path, has := keptByPlan[named.TypeName]; has {
			kept := all[named.TypeName][path]
			kept.KeepsNull = true
			all[named.TypeName][path] = kept
		}
	}
	group := all["mediagen_generation_group"]
	training := all["mediagen_body_lora_training"]
	check.True(
		t,
		"defaults",
		group["deletion_policy"].Default == "delete" && training["wait_for_completion"].Default == "true",
		group,
		training,
	)
	chat := all["mediagen_chat_completion"]
	for path, found := range map[string]planned{
		"group.labels": group["labels"], "snapshot.labels": all["mediagen_image"]["labels"],
		"group.title": group["title"], "group.prompts": group["prompts"], "group.timeouts": group["timeouts"],
		// read-only
		"chat.content": chat["content"], "chat.choices": chat["choices"],
		"chat.choices.content": chat["choices.content"],
	} {
		check.True(t, "a change neither replaces nor buys", found.Replaces == "", path, found.Replaces)
	}
	for path, found := range map[string]planned{
		"group.character_id": group["character_id"], "group.prompts.take": group["prompts.take"],
		"training.triggers": training["triggers"],
		"image.source":      all["mediagen_face_image"]["source"], "snapshot.prompt": all["mediagen_image"]["prompt"],
		"chat.messages": chat["messages"], "chat.messages.content": chat["messages.content"],
		"chat.triggers": chat["triggers"],
	} {
		check.True(t, "a change replaces or buys", found.Replaces != "", path)
	}
	if file := os.Getenv("SCHEMA_PLANS"); file != "" {
		content, err := json.Marshal(all)
		check.Must(t, err)
		check.Must(t, os.WriteFile(file, content, 0o600))
	}
}

// What a description may say of changes, and what `make schema-check` takes it
// for.
func TestSchema_documentedPlans(t *testing.T) {
	t.Parallel()
	for description, want := range map[string]struct {
		sentence string
		decides  bool
	}{
		"A file.": {},
		"A file. A change of any argument replaces the image.": {"A change of any argument replaces the image.", true},
		"Texts. A change of any of them costs credits, a renamed key does not.": {"A change of any of them costs " +
			"credits, a renamed key does not.", true},
		"Texts. A change generates a dataset anew, **which may cost credits**. See here.": {"A change generates a " +
			"dataset anew, which may cost credits.", true},
		"A path. Changed bytes replace the image; another path does not.": {"Changed bytes replace the image; " +
			"another path does not.", true},
		"A title. A change costs nothing.": {"", true},
		"Waits. A change sends nothing. **A change of any option asks the service again.**": {"A change of any " +
			"option asks the service again.", true},
	} {
		sentence, decides := documented(description)
		check.True(t, description, sentence == want.sentence && decides == want.decides, sentence, decides)
	}
}
