package repotest_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type use struct {
	play func(*recording) // sends every field of the request
	// renamed are attributes by a field or what it begins with. What
	// purchase_log has is in the log.
	renamed map[string]string
	hidden  map[string]string // fields that no attribute has, with the reason
}

// attribute: the longest beginning that is renamed, and the rest; of a list the
// first element.
func (u use) attribute(field string) string {
	path := field
	longest := -1
	for from, to := range u.renamed {
		rest, ok := strings.CutPrefix(field, from)
		if ok && len(from) > longest && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			path = to + rest
			longest = len(from)
		}
	}
	return strings.TrimPrefix(strings.ReplaceAll(path, "[]", "[0]"), ".")
}

const (
	final          = "what is approved for good has no further attributes"
	falseIsAnError = "false is an error, and true says nothing"
	ofGroup        = "what is known of a group follows from its generations"
	paged          = "all pages are read"
	awaited        = "the end of the job is awaited"
	partial        = "an error beside a list makes it incomplete"
	gone           = "what was deleted has no attributes; leftovers are an error or a warning that names them"
)

var completion = map[string]string{
	"model":             "response_model",
	"choices[].message": "choices[0]",
	"choices[].message.tool_calls[].function": "choices[0].tool_calls[0]",
}

var uses = map[string]use{
	"createChatCompletion": {play: playChat, renamed: completion},
	"createVisionCompletion": {
		play: func(s *recording) {
			s.fill()
			s.apply("mediagen_vision_completion.least", core.Object{
				"messages": []any{
					core.Object{"content": []any{core.Object{"image_url": "https://media.example.com/a.png"}}},
				},
			})
			s.apply("mediagen_vision_completion.v", core.Object{
				"model": "see-1", "temperature": 0.5,
				"messages": []any{core.Object{"role": "user", "content": []any{
					core.Object{"text": "call zoom"}, core.Object{"image_url": "https://media.example.com/a.png"},
				}}},
			})
		},
		renamed: completion,
	},
	"categorizeMedia": {
		play: func(s *recording) {
			s.apply("mediagen_media_categorization.m", core.Object{
				"media_url": "https://media.example.com/a.mp4", "use_scenes": true,
				"metadata": []any{"categories", "participants", "actions", "scene", "tags"},
			})
		},
		renamed: map[string]string{"metadata": ""},
	},
	"getCategoryJob": {
		play: func(s *recording) {
			s.readMore()
			s.apply("mediagen_media_categorization.m", core.Object{
				"media_url": "https://media.example.com/a.mp4",
				"metadata":  []any{"categories", "participants", "actions", "scene", "tags"},
			})
		},
		renamed: map[string]string{"results[]": ""},
		hidden: map[string]string{
			"job_id":              awaited,
			"status":              awaited,
			"percent_complete":    awaited,
			"results[].timestamp": "all moments are one",
		},
	},
	"generateImage": {play: func(s *recording) { s.apply("mediagen_image.i", core.Object{"prompt": "a castle"}) }},

	"submitBatch": {
		play: playBatch,
		renamed: map[string]string{
			"group_id":                "id",
			"batch_id":                "purchase_log.batch_id",
			"status":                  "purchase_log.batch_status",
			"message":                 "purchase_log.message",
			"total_requested":         "purchase_log.total_requested",
			"successful_submissions":  "purchase_log.successful_submissions",
			"failed_submissions":      "purchase_log.failed_submissions",
			"estimated_time":          "purchase_log.estimated_time",
			"credits_deducted":        "purchase_log.credits_deducted",
			"results[].generation_id": `generations["full"].id`,
			"results[].status":        `generations["rejected"].status`,
			"results[].error":         `generations["rejected"].error`,
		},
		hidden: map[string]string{"results[].prompt_index": "decides under which key a result stands"},
	},
	"getGenerationStatus": {
		play: func(s *recording) {
			s.apply(group, core.Object{"prompts": core.Object{"one": core.Object{"prompt": "a castle"}}})
			s.fill()
			s.read("mediagen_generation", core.Object{"id": s.Value(group, `generations["one"].id`)})
		},
		renamed: map[string]string{"generation_id": "id"},
	},
	"listGenerationGroups": {
		play:    playGroups,
		renamed: map[string]string{"groups[]": "", "groups[].group_id": "id", "groups[].group_type": "generation_type"},
		hidden: map[string]string{
			"groups[].description":       ofGroup,
			"groups[].preview_image_url": ofGroup,
			"groups[].created_at":        ofGroup,
			"groups[].updated_at":        ofGroup,
			"groups[].status":            ofGroup,
			"groups[].generation_count":  "a group has as many prompts",
			"organization_id":            "the characters have it",
			"pagination.limit":           paged,
			"pagination.offset":          paged,
			"pagination.returned":        paged,
			"pagination.has_more":        paged,
			"error.error":                partial,
			"error.message":              partial,
			"error.character_id":         partial,
			"error.group_id":             partial,
		},
	},
	"getGenerationGroup": {
		play: playGroups,
		renamed: map[string]string{
			"group_id":                    "id",
			"group_type":                  "generation_type",
			"generations[]":               `generations["one"]`,
			"generations[].generation_id": `generations["one"].id`,
			"generations[].prompt":        `prompts["one"].prompt`,
			"generations[].result_urls":   `result_urls["one"]`,
		},
		hidden: map[string]string{
			"description":                        ofGroup,
			"preview_image_url":                  ofGroup,
			"created_at":                         ofGroup,
			"updated_at":                         ofGroup,
			"status":                             ofGroup,
			"generation_count":                   "a group has as many prompts",
			"generations[].created_at":           "data.mediagen_generation has it",
			"generations[].performance_metadata": "data.mediagen_generation has it",
			"pagination.limit":                   paged,
			"pagination.offset":                  paged,
			"pagination.returned":                paged,
			"pagination.has_more":                paged,
		},
	},
	"deleteGenerationGroup": {
		play: func(s *recording) {
			s.apply(
				group,
				core.Object{"title": "Castles", "prompts": core.Object{"one": core.Object{"prompt": "a castle"}}},
			)
			s.Destroy().Must()
		},
		hidden: map[string]string{
			"success":                        falseIsAnError,
			"message":                        gone,
			"group_id":                       gone,
			"group_title":                    gone,
			"deleted_generations":            gone,
			"failed_generation_deletions":    gone,
			"total_deleted_images":           gone,
			"total_failed_image_deletions":   gone,
			"details.deleted_generation_ids": gone,
			"details.failed_generation_ids":  gone,
			"details.deleted_image_urls":     gone,
			"details.failed_image_urls":      gone,
		},
	},
	"deleteGeneration": {
		play: func(s *recording) {
			one := core.Object{"prompt": "a castle"}
			two := core.Object{"prompt": "a bridge"}
			s.apply(group, core.Object{"prompts": core.Object{"one": one, "two": two}})
			s.apply(group, core.Object{"prompts": core.Object{"one": one}})
		},
		hidden: map[string]string{
			"success": falseIsAnError, "message": gone, "generation_id": gone, "group_id": gone,
			"deleted_images": gone, "failed_deletions": gone,
			"details.deleted_image_urls": gone, "details.failed_deletion_urls": gone,
		},
	},

	"listCharacters": {
		play: func(s *recording) {
			s.fill()
			for _, name := range []string{"Ada", "Lin", "Max"} {
				s.AddCharacter(mockserver.CharacterSeed{Name: name, FaceImages: 1})
			}
			s.read("mediagen_characters", core.Object{"limit": 1, "offset": 1})
		},
		renamed: map[string]string{"characters[].character_id": "characters[0].id"},
	},
	"updateCharacter": {
		play: func(s *recording) {
			s.fill()
			id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada", SubscriptionID: "sub_000001"})
			s.apply("mediagen_character.c", core.Object{"id": id, "name": "Ada L.", "description": "Counts."})
		},
		renamed: map[string]string{"character_id": "id"},
	},
	"createCharacter": {
		play: func(s *recording) {
			s.fill()
			s.apply("mediagen_character.c", core.Object{"name": "Ada", "description": "Counts."})
		},
		renamed: map[string]string{"character_id": "id"},
	},
	"getCharacter": {
		play: func(s *recording) {
			s.fill()
			s.readMore()
			s.read("mediagen_character", core.Object{"id": s.AddCharacter(mockserver.CharacterSeed{})})
		},
		renamed: map[string]string{"character_id": "id"},
	},
	"deleteCharacter": {
		play: func(s *recording) {
			s.apply("mediagen_character.c", core.Object{"name": "Ada"})
			s.Destroy().Must()
		},
		hidden: map[string]string{"success": falseIsAnError, "message": gone},
	},
	"listAssets": {
		play: func(s *recording) {
			id := s.AddCharacter(mockserver.CharacterSeed{FaceImages: 1, BodyImages: 1})
			s.read("mediagen_assets", core.Object{"character_id": id, "asset_type": "face_image"})
		},
		renamed: map[string]string{"assets[]": "assets[0].json"},
	},
	"uploadFaceImage": useOfUpload("mediagen_face_image.f", core.Object{}),
	"uploadBodyImage": useOfUpload("mediagen_body_image.b", core.Object{"image_type": "body_image_front"}),
	"listDatasetImages": {
		play: func(s *recording) {
			s.fill()
			id := s.AddCharacter(mockserver.CharacterSeed{})
			s.AddDatasetImages(id, 2)
			s.read("mediagen_dataset_images", core.Object{"character_id": id, "approved_only": false})
		},
	},
	"regenerateDatasetImage": {
		play: func(s *recording) {
			id := s.AddCharacter(mockserver.CharacterSeed{})
			image := s.AddDatasetImages(id, 1)[0]
			s.apply(
				"mediagen_dataset_image_regeneration.r",
				core.Object{"character_id": id, "image_id": image, "prompt": "in the rain"},
			)
		},
		renamed: map[string]string{"image_id": "id"},
		hidden:  map[string]string{"success": falseIsAnError},
	},
	"generateDataset": {
		play: func(s *recording) {
			s.apply(dataset, core.Object{
				"character_id": s.AddCharacter(mockserver.CharacterSeed{BodyImages: 2}), "wait_for_completion": false,
				"prompts": []any{"in the rain"}, "use_default_prompts": true,
			})
		},
		renamed: map[string]string{"job_id": "id"},
		hidden:  map[string]string{"success": falseIsAnError, "message": "says nothing that the status does not"},
	},
	"getDatasetStatus": {
		play: func(s *recording) {
			s.fill()
			s.apply(dataset, core.Object{"character_id": s.AddCharacter(mockserver.CharacterSeed{BodyImages: 2})})
		},
		renamed: map[string]string{"dataset_status": "status"},
		hidden: map[string]string{
			"current_step": "the character has it", "approved_images": "data.mediagen_dataset_images counts them",
			"can_approve": "decides whether a dataset is approved", "generation_complete": "ends the wait",
		},
	},
	"approveDatasetImage": {
		play:    approveDataset,
		renamed: map[string]string{"image_id": "image_ids[0]", "approved": "approve"},
		hidden:  map[string]string{"success": falseIsAnError, "message": "an approval is all there is to say"},
	},
	"approveDataset": {
		play: approveDataset,
		hidden: map[string]string{
			"success":         falseIsAnError,
			"message":         final,
			"approved_images": final,
			"next_step":       final,
		},
	},

	"getTrainingStatus": {
		play: func(s *recording) {
			s.fill()
			id := s.AddCharacter(mockserver.CharacterSeed{FaceImages: 10})
			s.StartTrainingElsewhere(id)
			s.read("mediagen_training_status", core.Object{"character_id": id})
		},
	},
	"startBodyTraining": useOfStart(training),
	"startFaceTraining": useOfStart("mediagen_face_lora_training.t"),
	"cancelTraining": {
		play: func(s *recording) {
			id := s.AddCharacter(mockserver.CharacterSeed{FaceImages: 10})
			s.apply(training, core.Object{"character_id": id, "wait_for_completion": false})
			s.Destroy().Must()
		},
		hidden: map[string]string{
			"success": falseIsAnError,
			"message": "what was cancelled is read again, and has no attributes",
		},
	},
	"getGenerationCapabilities": {
		play: func(s *recording) {
			s.fill()
			s.read(
				"mediagen_generation_capabilities",
				core.Object{"character_id": s.AddCharacter(mockserver.CharacterSeed{BodyLoRA: true})},
			)
		},
	},

	"generateToken": {
		play:    func(s *recording) { s.openToken(core.Object{"api_key": acctest.APIKey}) },
		renamed: map[string]string{"accessToken": "access_token"},
	},
	"provideToken": {
		play: func(s *recording) {
			s.openToken(
				core.Object{
					"token_provider": core.Object{
						"url":     s.Host + "/token-provider",
						"headers": core.Object{"X-Mock-User": mockserver.User},
					},
				},
			)
		},
		renamed: map[string]string{"accessToken": "access_token"},
	},
}

const (
	group    = "mediagen_generation_group.g"
	training = "mediagen_body_lora_training.t"
	dataset  = "mediagen_dataset.d"
)

func useOfUpload(address string, config core.Object) use {
	return use{
		play: func(s *recording) {
			s.fill()
			config := maps.Clone(config)
			config["source"] = filepath.Join(s.T.TempDir(), "front.png")
			config["character_id"] = s.AddCharacter(mockserver.CharacterSeed{})
			check.Must(s.T, os.WriteFile(config["source"].(string), []byte(png), 0o600))
			s.apply(address, config)
		},
		renamed: map[string]string{"asset_id": "id"},
		hidden:  map[string]string{"success": falseIsAnError},
	}
}

func useOfStart(address string) use {
	return use{
		play: func(s *recording) {
			s.apply(address, core.Object{"character_id": s.AddCharacter(mockserver.CharacterSeed{FaceImages: 10})})
		},
		renamed: map[string]string{"job_id": "id"},
		hidden:  map[string]string{"success": falseIsAnError},
	}
}

func approveDataset(s *recording) {
	id := s.AddCharacter(mockserver.CharacterSeed{BodyImages: 2})
	s.SetCharacter(id, func(c *mockserver.CharacterSeed) { c.DatasetStatus = "generated" })
	ids := []any{}
	for _, image := range s.AddDatasetImages(id, 5) {
		ids = append(ids, image)
	}
	s.apply("mediagen_dataset_approval.a", core.Object{"character_id": id, "image_ids": ids[1:4], "approve": true})
}

func (s *recording) readMore() {
	s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "extended_reads": true})
}

func playChat(s *recording) {
	s.fill()
	config := core.Object{
		"messages":               []any{core.Object{"role": "user", "content": "A picture, please."}},
		"model":                  "chat-1",
		"temperature":            0.5,
		"top_p":                  0.5,
		"n":                      1,
		"max_tokens":             40,
		"stop":                   []any{"STOP"},
		"presence_penalty":       0.5,
		"frequency_penalty":      0.5,
		"best_of":                1,
		"top_k":                  5,
		"repetition_penalty":     1.5,
		"min_p":                  0.5,
		"length_penalty":         0.5,
		"compliance":             true,
		"reasoning":              true,
		"check_image_generation": true,
		"tool_choice":            "auto",
		"auto_turn":              true,
		"tools": []any{
			core.Object{"name": "weather", "description": "Tells the weather.", "parameters": `{"type": "object"}`},
		},
	}
	s.apply("mediagen_chat_completion.plain", config)
}

// playBatch: the answer in the purchase log counts as an attribute.
func playBatch(s *recording) {
	log := filepath.Join(s.T.TempDir(), "purchases.jsonl")
	s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "purchase_log": log})
	s.RejectPrompt("forbidden", "is not allowed")
	prompts := core.Object{
		"full": core.Object{
			"prompt": "on the beach", "face_swap": true, "use_face_lora": true, "use_body_lora": true,
			"source_image_url": "https://media.example.com/a.png",
		},
		"rejected": core.Object{
			"prompt": "forbidden",
		},
		"edit": core.Object{"source_image_url": "https://media.example.com/a.png"},
	}
	config := core.Object{
		"character_id": s.AddCharacter(mockserver.CharacterSeed{FaceLoRA: true, BodyLoRA: true}),
		"title":        "Holidays",
		"prompts":      prompts,
	}
	s.apply(group, config)
	prompts["added"] = core.Object{"prompt": "in the mountains"}
	s.apply(group, config)
	content, err := os.ReadFile(log)
	check.Must(s.T, err)
	answers := regexp.MustCompile(`.*"outcome":"answered".*`).FindAll(content, -1)
	var line core.Object
	check.Must(s.T, json.Unmarshal(answers[len(answers)-1], &line))
	s.attributes["purchase_log"] = line
}

func playGroups(s *recording) {
	id := s.AddCharacter(mockserver.CharacterSeed{})
	s.GenerateElsewhere(id, "Castles", "One")
	s.Clock.Advance(time.Hour)
	s.readMore()
	const list = "mediagen_generation_group"
	results, said := s.Query(list, core.Query{Config: core.Object{"character_id": id}, IncludeResource: true})
	if len(results) != 1 {
		s.T.Fatal(said)
	}
	s.know("list."+list, results[0].Resource)
}

func (s *recording) openToken(credential core.Object) {
	s.T.Helper()
	const name = "mediagen_access_token"
	credential["base_url"] = s.URL
	s.Workspace.Provider(credential)
	opened, said := s.Open(name, core.Object{})
	if said.HasErrors() {
		s.T.Fatal(said)
	}
	s.know("ephemeral."+name, opened)
}
