package provider_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

const (
	// protocol founds what Terraform or HTTP needs: ids and addresses in a
	// path, names and values of headers, JSON, elements that are there, texts
	// that a file, a command line or an environment can hold.
	protocol = "protocol"
	// own founds what an attribute means that is not sent.
	own = "own"
)

// founded are all rules by what founds them: a sentence of interface.md,
// protocol or own. Each line is a rule, as its validator describes it, and the
// places that have it; a * stands for anything.
var founded = map[string][]string{
	protocol: {
		"must be an id of the service: *",
		"must not have null elements: *",
		"must not contain NUL: *",
		"must be a JSON object: mediagen_chat_completion.tools.parameters",
		"must be the name of an HTTP header: provider.token_provider.headers",
		"must not contain control characters: provider.token_provider.headers",
		"must not contain line breaks or other control characters: provider.api_key provider.access_token " +
			"provider.token_provider.oidc_token",
		"must be the path of a file, or the address of a bucket: provider.purchase_log",
		"must be a local path: *_image.source action.*.directory action.*.gallery " +
			"provider.token_provider.oidc_token_file_path",
		"must be an https address: provider.base_url provider.auth_url provider.token_provider.url",
		"must be an http or https address, or a data URI of at most 64 KiB: *.source_image_url *.media_url *.image_url",
		"must not be blank: *_image.source *_image.filename action.*.directory action.*.gallery " +
			"provider.purchase_log " +
			"provider.token_provider.oidc_token_file_path",
		"required: */*",
	},
	own: {
		"must be at most 50 labels, with keys of 1 to 64 characters and values of at most 256: *.labels " +
			"provider.default_labels",
		"must be a duration above zero: *.timeout *.timeouts.* provider.*_timeout",
		"must not be empty: *.timeouts provider.prices provider.token_provider",
		"value must be at least 0: provider.max_purchases",
		"value must be at least 0.000000: provider.max_credits provider.max_credits_per_month provider.prices.*",
		"value must be at least 1: *.max_attempts *.max_prompts_per_batch *.take provider.max_requests_per_minute",
		"value must be between 0 and 100: provider.max_retries",
		`value must be one of: ["delete" "keep"]: *.deletion_policy`,
		`Ensure that if an attribute is set, these are not set: "[api_key,access_token,token_provider]": provider.*`,
		`Ensure that one and only one attribute from this collection is set: "[id,name]": data.mediagen_character.id`,
		"must not be blank: mediagen_generation_group.prompts data.mediagen_character.name " +
			"data.mediagen_assets.asset_type data.mediagen_purchases.* action.*.title " +
			"provider.token_provider.oidc_audience",
		"required: action.*.generation_ids action.*.directory function.prompt_matrix.* function.prompts.prompts",
	},
	"what names one character takes its id": {
		"required: *_image.character_id *_training.character_id *_dataset.character_id " +
			"mediagen_dataset_*.character_id data.*.character_id list.*.character_id action.*.character_id",
	},
	"a training job is cancelled by its id, and an image of a dataset regenerated or approved by its own": {
		"required: action.*.job_id *_regeneration.image_id *_approval.image_ids",
	},
	"1 to 100 characters, from an offset of at least 0": {
		"value must be between 1 and 100: data.mediagen_characters.limit",
		"value must be at least 0: data.mediagen_characters.offset",
	},
	"A chat is an ordered list of messages, each with a role and a content": {
		"required: mediagen_chat_completion.messages mediagen_chat_completion.messages.role " +
			"mediagen_chat_completion.messages.content",
		"required: createChatCompletion createChatCompletion.messages createChatCompletion.messages.role " +
			"createChatCompletion.messages.content",
	},
	"a tool has the type `function`, the only one, and a function with a name": {
		"required: mediagen_chat_completion.tools.name createChatCompletion.tools.type " +
			"createChatCompletion.tools.function createChatCompletion.tools.function.name",
		"enum [function]: createChatCompletion.tools.type *.tool_calls.type",
	},
	"`tool_choice` is `none` or `auto`": {
		`value must be one of: ["none" "auto"]: mediagen_chat_completion.tool_choice`,
		"enum [none auto]: createChatCompletion.tool_choice",
	},
	"the format of a streamed reply is not documented": {"enum [false]: createChatCompletion.stream"},
	"A vision completion is asked about images and texts, each of which is a part of a message's content": {
		"required: mediagen_vision_completion.messages mediagen_vision_completion.messages.content",
		"required: createVisionCompletion createVisionCompletion.messages createVisionCompletion.messages.content",
		"must not be empty: mediagen_vision_completion.messages.content",
		`Ensure that one and only one attribute from this collection is set: "[<.image_url]": ` +
			`mediagen_vision_completion.messages.content.text`,
	},
	"a part has the type `image_url` and a `url` in `image_url`, or the type `text` and a text": {
		"required: createVisionCompletion.messages.content.*",
		"enum [text]: createVisionCompletion.messages.content.type",
		"enum [image_url]: createVisionCompletion.messages.content.type",
	},
	"Media are categorized by `media_url` and `metadata`, both required": {
		"required: mediagen_media_categorization.media_url mediagen_media_categorization.metadata categorizeMedia " +
			"categorizeMedia.media_url categorizeMedia.metadata",
		"must not be empty: mediagen_media_categorization.metadata",
	},
	"some of `categories`, `participants`, `actions`, `scene` and `tags`": {
		`value must be one of: ["participants" "categories" "actions" "scene" "tags"]: ` +
			`mediagen_media_categorization.metadata`,
		"enum [categories participants actions scene tags]: categorizeMedia.metadata",
	},
	"An image is made from a text": {
		"required: mediagen_image.prompt generateImage generateImage.prompt",
		"must not be blank: mediagen_image.prompt",
	},
	"an image of a dataset is made again from another": {
		"required: mediagen_dataset_image_regeneration.prompt",
		"must not be blank: mediagen_dataset_image_regeneration.prompt",
	},
	"A batch submits prompts": {
		"required: mediagen_generation_group.prompts submitBatch submitBatch.prompts",
		"must not be empty: mediagen_generation_group.prompts",
	},
	"each is a text to render, or a photo to edit by its `source_image_url`": {
		"required: submitBatch.prompts.prompt submitBatch.prompts.source_image_url",
		"must not be blank: mediagen_generation_group.prompts.prompt",
		"ValidateConfig: mediagen_generation_group",
	},
	"A character is updated by a JSON body": {"required: updateCharacter"},
	"An image is uploaded as a form with one part named `file`": {
		"required: uploadFaceImage uploadFaceImage.file uploadBodyImage uploadBodyImage.file",
	},
	"is answered with it in `accessToken`": {
		"required: generateToken.200.accessToken provideToken.200.accessToken",
	},
	"Of the further endpoints, a character is created from a name": {
		"required: createCharacter createCharacter.name",
		"must not be blank: mediagen_character.name",
	},
	"the image of a body says whether it is `body_image_front` or `body_image_back`": {
		"required: mediagen_body_image.image_type uploadBodyImage.image_type",
		`value must be one of: ["body_image_front" "body_image_back"]: mediagen_body_image.image_type`,
		"enum [body_image_front body_image_back]: uploadBodyImage.image_type",
	},
	"an approval is given or withdrawn by `approved`": {"required: approveDatasetImage approveDatasetImage.approved"},
	"a dataset is generated from a JSON body, with prompts of its own or without": {
		"required: generateDataset",
		"must not be empty: mediagen_dataset.prompts",
		"must not be blank: mediagen_dataset.prompts",
	},
	"the job of a video has a `job_id` and a status, `CREATED`, `PROCESSING`, `COMPLETED` or `FAILED`": {
		"required: categorizeMedia.200.job_id categorizeMedia.200.status",
		"enum [CREATED PROCESSING COMPLETED FAILED]: categorizeMedia.200.status getCategoryJob.200.status",
	},
}

// Each required attribute and each validator of the provider, and each required
// and enum of the mock's documents, is founded by what is documented of the
// service; what is not, the service judges.
func TestFounded(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join("..", "interface.md"))
	check.Must(t, err)
	text := strings.Join(strings.Fields(string(content)), " ")
	rules := walk(t).rules
	foundedBy := map[string]string{}
	for why, lines := range founded {
		check.True(t, "interface.md says so", why == protocol || why == own || strings.Contains(text, why), why)
		for _, line := range lines {
			cut := strings.LastIndex(line, ": ")
			for place := range strings.FieldsSeq(line[cut+2:]) {
				pattern := regexp.MustCompile(
					"^" + strings.ReplaceAll(regexp.QuoteMeta(line[:cut+2]+place), `\*`, `.*`) + "$",
				)
				found := false
				for _, rule := range rules {
					if pattern.MatchString(rule) {
						check.True(
							t,
							rule+" is founded once",
							foundedBy[rule] == "" || foundedBy[rule] == why,
							foundedBy[rule],
							why,
						)
						foundedBy[rule] = why
						found = true
					}
				}
				check.True(t, "there is a rule", found, line[:cut+2]+place)
			}
		}
	}
	described := describedFields(t)
	for _, rule := range rules {
		of, field, _ := strings.Cut(strings.TrimPrefix(rule, "required: "), ".")
		if of == "action" {
			_, field, _ = strings.Cut(field, ".")
		}
		check.True(
			t,
			"something founds the rule",
			foundedBy[rule] != "" ||
				strings.HasPrefix(rule, "required: ") && (described[field] || field == "" && described[of]),
			rule,
		)
	}
}

// describedFields are operations, and fields of their requests, whose
// description in the mock's documents says that they are required: that founds
// attributes of their names, too.
func describedFields(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, spec := range documents(t) {
		for _, item := range spec.Paths.Map() {
			for _, operation := range item.Operations() {
				for _, sentence := range strings.SplitAfter(operation.Description, ".") {
					if _, names, is := strings.Cut(sentence, "Requires "); is {
						for _, name := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(names, -1) {
							found[operation.OperationID] = true
							found[name[1]] = true
						}
					}
				}
			}
		}
	}
	return found
}

func documents(t *testing.T) []*openapi3.T {
	t.Helper()
	plain, err := openapi3.NewLoader().LoadFromData(mockserver.OpenAPI())
	check.Must(t, err)
	further, err := mockserver.ExtendedSpec()
	check.Must(t, err)
	return []*openapi3.T{plain, further}
}

// schemaWalk collects rules, as in "required: mediagen_image.prompt", and
// descriptions by place.
type schemaWalk struct {
	rules     []string
	described map[string]string
	objects   []string // those that a person may set
}

func (w *schemaWalk) add(rule, at string) {
	if text := rule + ": " + at; !slices.Contains(w.rules, text) {
		w.rules = append(w.rules, text)
	}
}

func walk(t *testing.T) *schemaWalk {
	t.Helper()
	ctx := t.Context()
	w := &schemaWalk{described: map[string]string{}}
	p := provider.New("test", provider.Options{})
	w.attributes(ctx, "provider", answer(ctx, reflect.ValueOf(p), "Schema").FieldByName("Schema"))
	for prefix, all := range map[string]any{
		"": p.Resources(ctx), "data.": p.DataSources(ctx), "action.": p.Actions(ctx),
		"ephemeral.": p.EphemeralResources(ctx), "list.": p.ListResources(ctx),
	} {
		for _, of := range reflect.ValueOf(all).Seq2() {
			one := of.Call(nil)[0].Elem()
			schema := "Schema"
			if prefix == "list." {
				schema = "ListResourceConfigSchema"
			}
			name := prefix + answer(ctx, one, "Metadata").FieldByName("TypeName").String()
			w.attributes(ctx, name, answer(ctx, one, schema).FieldByName("Schema"))
			if one.MethodByName("IdentitySchema").IsValid() {
				w.attributes(ctx, "identity."+name, answer(ctx, one, "IdentitySchema").FieldByName("IdentitySchema"))
			}
			for _, further := range []string{"ValidateConfig", "ConfigValidators"} {
				if one.MethodByName(further).IsValid() {
					w.add(further, name)
				}
			}
		}
	}
	for _, of := range p.Functions(ctx) {
		one := reflect.ValueOf(of())
		name := "function." + answer(ctx, one, "Metadata").FieldByName("Name").String() + "."
		definition, _ := reflect.TypeAssert[function.Definition](
			answer(ctx, one, "Definition").FieldByName("Definition"),
		)
		w.attributes(ctx, name, reflect.ValueOf(definition))
		for _, parameter := range definition.Parameters {
			w.add("required", name+parameter.GetName())
			w.attributes(ctx, name+parameter.GetName(), reflect.ValueOf(parameter))
		}
	}
	for _, spec := range documents(t) {
		w.document(spec)
	}
	check.True(
		t,
		"the rules and descriptions",
		len(w.rules) > 150 && len(w.described) > 400,
		len(w.rules),
		len(w.described),
	)
	return w
}

// answer is a method's last argument: each kind of type has requests and
// responses of its own.
func answer(ctx context.Context, of reflect.Value, method string) reflect.Value {
	ask := of.MethodByName(method)
	request := reflect.New(ask.Type().In(1)).Elem()
	response := reflect.New(ask.Type().In(2).Elem())
	if name := request.FieldByName("ProviderTypeName"); name.IsValid() {
		name.SetString("mediagen")
	}
	ask.Call([]reflect.Value{reflect.ValueOf(ctx), request, response})
	return response.Elem()
}

// attributes adds what a schema or an attribute says, of whatever type: each
// package has its own.
func (w *schemaWalk) attributes(ctx context.Context, at string, of reflect.Value) {
	if of.Kind() == reflect.Interface {
		of = of.Elem()
	}
	w.describe(at, of)
	if required := of.FieldByName("Required"); required.IsValid() && required.Bool() {
		w.add("required", at)
	}
	if validators := of.FieldByName("Validators"); validators.IsValid() {
		for _, one := range validators.Seq2() {
			text := one.Interface().(validator.Describer).Description(ctx)
			for _, before := range []string{"element value must satisfy all validations: ", "key must satisfy all " +
				"validations: "} {
				text = strings.TrimPrefix(text, before)
			}
			for rule := range strings.SplitSeq(text, " + ") {
				w.add(rule, at)
			}
		}
	}
	if nested := of.FieldByName("Attributes"); nested.IsValid() {
		if optional := of.FieldByName("Optional"); optional.IsValid() && optional.Bool() {
			w.objects = append(w.objects, at)
		}
		for name, attribute := range nested.Seq2() {
			w.attributes(ctx, at+"."+name.String(), attribute)
		}
	}
	if nested := of.FieldByName("NestedObject"); nested.IsValid() {
		w.attributes(ctx, at, nested)
	}
}

func (w *schemaWalk) document(spec *openapi3.T) {
	for path, item := range spec.Paths.Map() {
		for _, operation := range item.Operations() {
			for _, parameter := range operation.Parameters {
				if parameter.Value.Required {
					w.add("required", path)
				}
				w.schema(operation.OperationID+"."+parameter.Value.Name, parameter.Value.Schema.Value)
			}
			if body := operation.RequestBody; body != nil {
				if body.Value.Required {
					w.add("required", operation.OperationID)
				}
				for _, content := range body.Value.Content {
					w.schema(operation.OperationID, content.Schema.Value)
				}
			}
			for status, reply := range operation.Responses.Map() {
				w.schema(operation.OperationID+"."+status, reply.Value.Content.Get("application/json").Schema.Value)
			}
		}
	}
}

func (w *schemaWalk) schema(at string, schema *openapi3.Schema) {
	for _, name := range schema.Required {
		w.add("required", at+"."+name)
	}
	if len(schema.Enum) > 0 {
		w.add(fmt.Sprintf("enum %v", schema.Enum), at)
	}
	for name, property := range schema.Properties {
		w.schema(at+"."+name, property.Value)
	}
	for _, alternative := range slices.Concat(schema.OneOf, schema.AnyOf, openapi3.SchemaRefs{schema.Items}) {
		if alternative != nil {
			w.schema(at, alternative.Value)
		}
	}
}

// Of a misspelt key CLIs leave an object without anything in it: each that a
// person may set refuses to be one.
func TestHollowObjectsAreRefused(t *testing.T) {
	t.Parallel()
	w := walk(t)
	check.True(t, "objects", len(w.objects) > 4, w.objects)
	for _, at := range w.objects {
		check.True(t, at+" must not be empty", slices.Contains(w.rules, "must not be empty: "+at))
	}
}

func (w *schemaWalk) describe(at string, of reflect.Value) {
	for _, name := range []string{"MarkdownDescription", "Description"} { // identities have no Markdown
		if text := of.FieldByName(name); text.IsValid() {
			w.described[at] = text.String()
			return
		}
	}
}

// Each description is a sentence or more that stands alone. Notes to oneself,
// as "With results", were no help to anybody. What a reply does not say is null
// everywhere, which the index says once.
func TestDescribed(t *testing.T) {
	t.Parallel()
	for at, text := range walk(t).described {
		for line := range strings.SplitSeq(text, "\n") {
			words := len(strings.Fields(strings.TrimLeft(line, " -")))
			check.True(
				t,
				at+" has a sentence of four words",
				words >= 4 && strings.HasSuffix(line, ".") || line == "" && text != "",
				line,
			)
		}
		check.True(
			t,
			at+" repeats what the index says",
			!strings.Contains(strings.ToLower(text), "null if not reported"),
			text,
		)
	}
}
