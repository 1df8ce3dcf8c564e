package repotest_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases/storetest"
)

func stories(subjects map[string]subject) map[string]provocation {
	const (
		g  = "mediagen_generation_group.x"
		tr = "mediagen_body_lora_training.x"
		d  = "mediagen_dataset.x"
		ap = "mediagen_dataset_approval.x"
	)
	group := subjects["mediagen_generation_group"].Config
	bought := core.Object{"character_id": "ada", "prompts": core.Object{"stage": core.Object{"prompt": "A" + hush}}}
	training := subjects["mediagen_body_lora_training"].Config
	waiting := func(config core.Object) core.Object {
		config = maps.Clone(config)
		config["wait_for_completion"] = true
		return config
	}
	one := func(address string, config core.Object, prepare func(*acctest.Scenario)) provocation {
		return func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t).Scenario(t)
			w.Resource(address, config)
			prepare(w)
			hear(w.Apply().Diagnostics)
			hear(w.Apply().Diagnostics)
			hear(w.Destroy().Diagnostics)
		}
	}
	applied := func(t *testing.T) *acctest.Scenario {
		w := newReplanService(t).Scenario(t)
		w.Resource(g, waiting(group))
		w.Apply().Must()
		return w
	}
	making := subjects["mediagen_dataset"].Config
	approving := maps.Clone(subjects["mediagen_dataset_approval"].Config)
	approving["approve"] = true
	return map[string]provocation{
		"Ctrl-C during generations": one(
			g,
			waiting(group),
			interrupted(mockserver.RouteBatch, mockserver.RouteStatus, 2),
		),
		"Ctrl-C during a training": one(
			tr,
			waiting(training),
			interrupted(mockserver.RouteStartTraining, mockserver.RouteTraining, 1),
		),
		"Ctrl-C during a dataset": one(
			d,
			making,
			interrupted(mockserver.RouteGenerateDataset, mockserver.RouteDatasetStatus, 1),
		),
		"unreadable dataset": one(
			d,
			making,
			failing(
				mockserver.Fault{
					Route:  mockserver.RouteDatasetStatus,
					After:  mockserver.RouteGenerateDataset,
					Nth:    1,
					Status: 403,
					Body:   `{"error":"forbidden","message":"This key may not do that."}`,
				},
			),
		),
		"failed dataset": one(d, making, func(w *acctest.Scenario) { w.FailNextDataset() }),
		"refused dataset": one(
			d,
			making,
			failing(
				mockserver.Fault{
					Route:  mockserver.RouteGenerateDataset,
					Status: 403,
					Body:   `{"error":"forbidden","message":"This key may not do that."}`,
				},
			),
		),
		"lost dataset": one(
			d,
			making,
			failing(mockserver.Fault{Route: mockserver.RouteGenerateDataset, DropBefore: true}),
		),
		"two datasets": one(
			d,
			making,
			func(w *acctest.Scenario) { w.Resource("mediagen_dataset.y", making) },
		),
		"a dataset of others": one(d, making, func(w *acctest.Scenario) { w.GenerateDatasetElsewhere("ada") }),
		"import for another character": func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t).Scenario(t)
			w.Resource(tr, core.Object{"character_id": "bob"})
			hear(w.Import(tr, "ada/"+w.StartTrainingElsewhere("ada")).Diagnostics)
			hear(w.Plan().Diagnostics)
		},
		"import of no dataset": func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t).Scenario(t)
			w.AddCharacter(mockserver.CharacterSeed{ID: "eve", DatasetStatus: "not_started"})
			hear(w.Import(d, "eve/job").Diagnostics)
		},
		"little has changed": func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t).Scenario(t)
			const image, medium = "mediagen_image.x", "mediagen_media_categorization.x"
			w.Resource(image, core.Object{"prompt": "a castle"})
			w.Resource(
				medium,
				core.Object{"media_url": "https://media.example.com/a.png?w=1", "metadata": []any{"tags"}},
			)
			w.Apply().Must()
			w.Resource(image, core.Object{"prompt": "A  castle"})
			w.Resource(
				medium,
				core.Object{"media_url": "https://media.example.com/a.png?w=2", "metadata": []any{"tags"}},
			)
			hear(w.Plan().Diagnostics)
		},
		"a reply without an image": func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t).Scenario(t)
			w.Fault(mockserver.Fault{Route: mockserver.RouteImage, Body: `{"output":[null]}`})
			w.Resource("mediagen_image.x", core.Object{"prompt": "a castle" + hush})
			hear(w.Apply().Diagnostics)
		},
		"a photo edit in a query": func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t).Scenario(t)
			w.Set(core.Object{"extended_reads": true})
			w.Resource(
				g,
				core.Object{
					"prompts": core.Object{"a": core.Object{"source_image_url": "https://images.example.com/a.jpg"}},
				},
			)
			w.Apply().Must()
			_, messages := w.Query("mediagen_generation_group", core.Query{IncludeResource: true})
			hear(messages)
		},
		"a text that comes back cut off": func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t, func(o *mockserver.Options) { o.Variant.Texts = mockserver.TextsCut }).Scenario(t)
			w.Resource("mediagen_character.x", core.Object{"id": "ada", "description": strings.Repeat("counts ", 30)})
			hear(w.Apply().Diagnostics)
		},
		"kept and replaced": func(t *testing.T, hear func(core.Diagnostics)) {
			w := applied(t)
			hear(w.Apply(core.Replacing(g)).Diagnostics)
			kept := maps.Clone(waiting(group))
			kept["deletion_policy"] = "keep"
			w.Resource(g, kept)
			w.Apply()
			kept["prompts"] = core.UnknownUntilApply(group["prompts"])
			w.Resource(g, kept)
			hear(w.Plan().Diagnostics)
		},
		"unready dataset": one(ap, approving, func(*acctest.Scenario) {}),
		"approved dataset": one(ap, approving, func(w *acctest.Scenario) {
			w.SetDatasetImage("ada", "image_000002", func(image *mockserver.DatasetImage) { image.Approved = true })
			w.ApproveDatasetElsewhere("ada")
		}),
		"no deletion": one(g, group, func(w *acctest.Scenario) {
			w.Fault(mockserver.Fault{
				Route:  mockserver.RouteDeleteGroup,
				Status: 403,
				Body:   `{"error":"forbidden","message":"This key may not do that."}`,
			})
		}),
		"failed training":  one(tr, waiting(training), func(w *acctest.Scenario) { w.FailNextTraining() }),
		"running training": one(tr, training, func(w *acctest.Scenario) { w.StartTrainingElsewhere("ada") }),
		"no start": one(tr, training, func(w *acctest.Scenario) {
			w.SetCharacter("ada", func(c *mockserver.CharacterSeed) { c.CanTrain = new(bool) })
		}),
		"rejected prompt": one(g, waiting(group), func(w *acctest.Scenario) { w.RejectPrompt("E", "Too short.") }),
		"no generation": one(g, group, func(w *acctest.Scenario) {
			w.SetCharacter("ada", func(c *mockserver.CharacterSeed) { c.CanGenerate = new(bool) })
		}),
		"slow": one(g, group, func(w *acctest.Scenario) {
			config := waiting(group)
			config["timeouts"] = core.Object{"create": "1s", "update": "1s"}
			w.Resource(g, config)
		}),
		"no log": one(g, group, set(core.Object{"purchase_log": filepath.Join("no", "such", "directory.jsonl")})),
		"a store that nobody may read": one(g, group, func(w *acctest.Scenario) {
			book := w.NewStoreBook()
			book.Store.FailsAlways(storetest.Denied)
			set(core.Object{"purchase_log": book.Name})(w)
		}),
		"a store that overwrites": one(g, group, func(w *acctest.Scenario) {
			book := w.NewStoreBook()
			book.Store.Lies()
			set(core.Object{"purchase_log": book.Name})(w)
		}),
		"a spent month": func(t *testing.T, hear func(core.Diagnostics)) {
			service := newReplanService(t)
			book := service.NewStoreBook()
			month := set(core.Object{
				"purchase_log":          book.Name,
				"max_credits_per_month": 5.0,
				"prices":                core.Object{"generation": 5.0},
			})
			first := service.Scenario(t)
			second := service.Scenario(t)
			month(first)
			month(second)
			first.Resource(g, bought)
			second.Resource(
				g,
				core.Object{"character_id": "ada", "prompts": core.Object{"day": core.Object{"prompt": "D"}}},
			)
			saved := second.Plan().Must()
			hear(first.Apply().Must().Diagnostics)
			hear(second.ApplyPlan(saved).Diagnostics)
			hear(second.Plan().Diagnostics)
		},
		"limits": one(g, group, func(w *acctest.Scenario) {
			w.Resource(tr, training)
			set(core.Object{"max_purchases": int64(1)})(w)
		}),
		"credits":       one(tr, training, set(core.Object{"max_credits": 0, "prices": core.Object{"training": 1.0}})),
		"no price":      one(tr, training, set(core.Object{"max_credits": 1})),
		"a wrong price": one(tr, training, set(core.Object{"prices": core.Object{"training": 1.0}})),
		"no credential": func(t *testing.T, hear func(core.Diagnostics)) {
			l := newLife(t, subjects, hear)
			hear(l.Apply().Diagnostics)
			l.Workspace.Provider(core.Object{"base_url": l.URL})
			hear(l.Plan().Diagnostics)
			l.ask()
		},
		"offline": one(g, group, set(core.Object{"api_key": nil, "access_token": "offline"})),
		"no token provider": onSocket(func(w *acctest.Scenario) {
			w.Workspace.Provider(
				core.Object{"base_url": w.URL, "token_provider": core.Object{"url": "http://127.0.0.1:1/token"}},
			)
		}),
		"a token provider that refuses": one(g, group, func(w *acctest.Scenario) {
			w.Workspace.Provider(
				core.Object{
					"base_url": w.URL,
					"token_provider": core.Object{
						"url":     w.Host + "/token-provider",
						"headers": core.Object{"X-Mock-User": "wrong-secret"},
					},
				},
			)
		}),
		"two of one character": one(
			"mediagen_character.x",
			core.Object{"id": "ada", "name": "Ada" + hush},
			func(w *acctest.Scenario) {
				w.Resource("mediagen_character.y", core.Object{"id": "ada", "name": "Eve" + hush})
			},
		),
		"two alike of one character": one(
			"mediagen_character.x",
			core.Object{"id": "ada"},
			func(w *acctest.Scenario) { w.Resource("mediagen_character.y", core.Object{"id": "ada"}) },
		),
		"image of an unknown character": one(
			"mediagen_face_image.x",
			core.Object{
				"character_id": "adda",
				"source":       subjects["mediagen_face_image"].Config["source"],
			},
			func(*acctest.Scenario) {},
		),
		"created character": createdStory,
		"existing image": one(
			"mediagen_face_image.x",
			subjects["mediagen_face_image"].Config,
			failing(mockserver.Fault{
				Route:  mockserver.RouteUpload,
				Status: 409,
				Body:   `{"error":"exists","asset_id":"asset_000001"}`,
			}),
		),
		"another character without a refresh": anotherStory,
		"unknown character": one(
			"mediagen_character.x",
			core.Object{"id": "adda"},
			func(*acctest.Scenario) {},
		),
		"lost start": one(
			tr,
			waiting(training),
			failing(mockserver.Fault{Route: mockserver.RouteStartTraining, DropBefore: true}),
		),
		"nothing is found": func(t *testing.T, hear func(core.Diagnostics)) {
			w := applied(t)
			w.Fault(mockserver.Fault{Route: mockserver.RouteToken})
			w.Fault(faults["404"])
			hear(w.Plan().Diagnostics)
			hear(w.Apply(core.Destroying(), core.Refresh(false)).Diagnostics)
		},
		"never shown": one(g, group, func(w *acctest.Scenario) {
			w.Fault(
				mockserver.Fault{
					Route:  mockserver.RouteStatus,
					Status: 404,
					Body:   `{"error":"not_found","message":"The service is busy."}`,
				},
			)
		}),
		"deleted elsewhere": func(t *testing.T, hear func(core.Diagnostics)) {
			w := applied(t)
			w.DeleteGenerationBehindTheBack(w.Value(g, `generations["kept"].id`).(string))
			hear(w.Plan().Diagnostics)
		},
		"results taken down": func(t *testing.T, hear func(core.Diagnostics)) {
			w := applied(t)
			w.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1000, Rewrite: func(status map[string]any) {
				status["status"] = "expired"
				status["result_urls"] = []any{}
			}})
			hear(w.Plan().Diagnostics)
		},
		"nobody listens": onSocket(func(w *acctest.Scenario) {
			w.Workspace.Provider(core.Object{"base_url": "http://127.0.0.1:1/v2", "api_key": acctest.APIKey})
		}),
		"a group with more": one(g, group, func(w *acctest.Scenario) {
			w.Fault(mockserver.Fault{Route: mockserver.RouteDeleteGroup, Rewrite: func(reply map[string]any) {
				reply["details"].(map[string]any)["deleted_generation_ids"] = []any{"gen_other"}
			}})
		}),
		"a group that stays": one(g, group, func(w *acctest.Scenario) {
			w.Fault(mockserver.Fault{Route: mockserver.RouteDeleteGroup, Rewrite: func(reply map[string]any) {
				reply["details"].(map[string]any)["failed_generation_ids"] = []any{"gen_other"}
			}})
		}),
		"a group of two": func(t *testing.T, hear func(core.Diagnostics)) {
			w := applied(t)
			w.Resource(
				"mediagen_generation_group.y",
				core.Object{"prompts": core.Object{"a": core.Object{"prompt": "E" + hush}}},
			)
			w.Import("mediagen_generation_group.y", fmt.Sprintf(`{"a":%q}`, w.Value(g, `generations["kept"].id`))).
				Must()
			config := waiting(group)
			config["character_id"] = "bob"
			w.Resource(g, config)
			hear(w.Plan().Diagnostics)
		},
		"a training of two": func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t).Scenario(t)
			w.Resource(tr, training)
			w.Apply().Must()
			w.Resource("mediagen_body_lora_training.y", training)
			w.Import("mediagen_body_lora_training.y", fmt.Sprintf("ada/%v", w.Value(tr, "id"))).Must()
			hear(w.Plan(core.Replacing(tr)).Diagnostics)
		},
		"a group of nobody": one(
			g,
			core.Object{"character_id": "adda", "prompts": core.Object{"a": core.Object{"prompt": "E" + hush}}},
			func(*acctest.Scenario) {},
		),
		"kept": func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t).Scenario(t)
			kept := func(text string) {
				w.Resource(
					g,
					core.Object{
						"deletion_policy": "keep",
						"prompts":         core.Object{"a": core.Object{"prompt": text + hush}},
					},
				)
			}
			kept("E")
			w.Apply().Must()
			kept(" E")
			hear(w.Apply().Diagnostics)
			hear(w.Destroy().Diagnostics)
		},
		"no extended reads":     lacking(405),
		"failed extended read":  lacking(403),
		"extended read of none": lacking(404),
		"a lost batch": func(t *testing.T, hear func(core.Diagnostics)) {
			w := acctest.NewScenario(t, func(o *mockserver.Options) { o.Extended = true })
			set(core.Object{"extended_reads": true})(w)
			w.Resource(
				g,
				core.Object{"title": "E" + hush, "prompts": core.Object{"a": core.Object{"prompt": "E" + hush}}},
			)
			w.Fault(mockserver.Fault{Route: mockserver.RouteBatch, DropAfterWork: true})
			hear(w.Apply().Diagnostics)
		},
		"groups as a whole": func(t *testing.T, hear func(core.Diagnostics)) {
			w := acctest.NewScenario(t, func(o *mockserver.Options) { o.Extended = true })
			id := w.GenerateElsewhere("", "Portraits"+hush, "E"+hush, "F"+hush).ID
			for i, more := range []bool{false, true} {
				set(core.Object{"extended_reads": more})(w)
				for _, route := range []string{mockserver.RouteGroups, mockserver.RouteGroup} {
					w.Fault(
						mockserver.Fault{
							Route:        mockserver.RouteGroup,
							Times:        1,
							Status:       404,
							Body:         `{"error":"not_found","message":"The service is busy."}`,
							MayStayUnmet: true, // a fault of an earlier round may come first
						},
					)
					for range 2 {
						_, said := w.Query("mediagen_generation_group", core.Query{})
						hear(said)
					}
					hear(w.Import(fmt.Sprint(g, i), id).Diagnostics)
					w.Fault(
						mockserver.Fault{
							Route: route,
							Times: 100,
							Rewrite: func(page map[string]any) {
								page["pagination"] = core.Object{"returned": 99}
							},
							MayStayUnmet: true,
						},
					)
				}
			}
		},
		"connections break": onSocket(failing(mockserver.Fault{DropBefore: true})),
		"replies break off": onSocket(func(w *acctest.Scenario) {
			w.Fault(mockserver.Fault{Route: mockserver.RouteToken})
			w.Fault(mockserver.Fault{DropInBody: true})
		}),
		"a renamed group": func(t *testing.T, hear func(core.Diagnostics)) {
			for _, order := range [][]core.PlanOption{nil, {core.Reversed()}} {
				w := newReplanService(t).Scenario(t)
				set(core.Object{"purchase_log": filepath.Join(t.TempDir(), "purchases.jsonl")})(w)
				w.Resource(g, bought)
				w.Apply().Must()
				w.Remove(g)
				w.Resource("mediagen_generation_group.y", bought)
				hear(w.Plan(order...).Must().Diagnostics)
			}
		},
		"a renamed group, planned elsewhere": func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t).Scenario(t)
			log := filepath.Join(t.TempDir(), "purchases.jsonl")
			set(core.Object{"purchase_log": log})(w)
			w.Resource(g, bought)
			w.Apply().Must()
			before := readFile(t, log)
			w.Remove(g)
			w.Resource("mediagen_generation_group.y", bought)
			plan := w.Plan().Must()
			check.Must(t, os.WriteFile(log, []byte(before), 0o600)) // the plan has written another file
			w.CreatesFirst()
			hear(w.ApplyPlan(plan).Diagnostics)
		},
		"a state that is older": func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t, func(o *mockserver.Options) { o.Extended = true }).Scenario(t)
			set(core.Object{"extended_reads": true})(w)
			prompts := core.Object{}
			var before core.Snapshot
			for _, key := range []string{"a", "b", "c", "d"} {
				before = w.Snapshot()
				prompts = maps.Clone(prompts)
				prompts[key] = core.Object{"prompt": key + hush}
				w.Resource(g, core.Object{"character_id": "ada", "prompts": prompts})
				w.Apply().Must()
			}
			w.Restore(before)
			hear(w.Plan().Must().Diagnostics)
		},
		"a lost state":         lostStateStory(g, bought),
		"a killed replacement": killedReplacementStory(g, bought),
		"actions":              actionStory,
		"image":                imageStory,
		"files":                fileStory,
		"imports":              importStory(subjects),
		"after":                laterStory(subjects),
		"unknown":              unknownStory(subjects),
	}
}

// lostStateStory buys what a state has had that is lost.
func lostStateStory(address string, config core.Object) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		w := newReplanService(t).Scenario(t)
		set(core.Object{"purchase_log": filepath.Join(t.TempDir(), "purchases.jsonl")})(w)
		w.Resource(address, config)
		w.Apply().Must()
		w.Plan().Must()
		w.Forget(address)
		hear(w.Plan().Must().Diagnostics)
		hear(w.Apply().Diagnostics)
	}
}

// killedReplacementStory kills a run that has bought the successor of what it
// replaces, and has not stored it.
func killedReplacementStory(address string, config core.Object) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		w := newReplanService(t).Scenario(t)
		log := filepath.Join(t.TempDir(), "purchases.jsonl")
		set(core.Object{"purchase_log": log})(w)
		w.Resource(address, config, core.CreateBeforeDestroy())
		w.Apply().Must()
		var left []byte // what the log has at the kill
		reached := func() {
			left, _ = os.ReadFile(log)
			w.Kill()
		}
		w.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Nth: 1, Reached: reached})
		w.Apply(core.Replacing(address), core.Refresh(false))
		w.ClearFaults()
		check.Must(t, os.WriteFile(log, left, 0o600))
		hear(w.Plan().Must().Diagnostics)
		hear(w.Apply(core.Replacing(address)).Diagnostics)
	}
}

func failing(fault mockserver.Fault) func(*acctest.Scenario) {
	return func(w *acctest.Scenario) { w.Fault(fault) }
}

// interrupted is a Ctrl-C at the nth read after a start.
func interrupted(start, read string, nth int) func(*acctest.Scenario) {
	return func(w *acctest.Scenario) {
		w.Fault(mockserver.Fault{
			Route:   read,
			After:   start,
			Nth:     nth,
			Reached: w.Interrupt,
		})
	}
}

func set(settings core.Object) func(*acctest.Scenario) {
	return func(w *acctest.Scenario) {
		all := core.Object{"base_url": w.URL, "api_key": acctest.APIKey}
		maps.Copy(all, settings)
		w.Workspace.Provider(all)
	}
}

func lacking(status int) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		w := acctest.NewScenario(t, func(o *mockserver.Options) { o.Extended = true })
		for _, address := range []string{"mediagen_generation_group.x", "mediagen_generation_group.y"} {
			w.Resource(
				address,
				core.Object{
					"prompts": core.Object{
						"a": core.Object{"prompt": "E" + hush},
						"b": core.Object{"prompt": "F" + hush},
					},
				},
			)
		}
		w.Apply().Must()
		w.Workspace.Provider(core.Object{"base_url": w.URL, "api_key": acctest.APIKey, "extended_reads": true})
		w.Fault(
			mockserver.Fault{
				Route:  mockserver.RouteGroup,
				Status: status,
				Body:   `{"error":"no","message":"The service is busy."}`,
			},
		)
		hear(w.Plan().Diagnostics)
	}
}

func createdStory(t *testing.T, hear func(core.Diagnostics)) {
	const address = "mediagen_character.x"
	for _, fault := range []mockserver.Fault{
		{Route: mockserver.RouteCreate, DropAfterWork: true},
		{Route: mockserver.RouteCreate, DropBefore: true},
		{
			Route:  mockserver.RouteCreate,
			Status: 403,
			Body:   `{"error":"forbidden","message":"This key may not do that."}`,
		},
		{Route: mockserver.RouteCreate, Status: 405, Body: `{"error":"not_found","message":"The service is busy."}`},
		{Route: mockserver.RouteCreate, Status: 409, Body: `{"error":"exists","character_id":"ada"}`},
		{Route: mockserver.RouteCreate, Status: 409, Body: `{"error":"exists"}`},
		{
			Route:  mockserver.RouteDeleteCharacter,
			Status: 404,
			Body:   `{"error":"not_found","message":"The service is busy."}`,
		},
		{
			Route:  mockserver.RouteDeleteCharacter,
			Status: 405,
			Body:   `{"error":"not_found","message":"The service is busy."}`,
		},
	} {
		w := newReplanService(t).Scenario(t)
		w.Resource("mediagen_character.y", core.Object{"id": "ada"})
		w.Apply().Must()
		w.Fault(fault)
		w.Resource(address, core.Object{"name": "ada" + hush})
		hear(w.Apply().Diagnostics)
		hear(w.Destroy().Diagnostics)
	}
}

// anotherStory is of plans that an apply may make and then stop.
func anotherStory(t *testing.T, hear func(core.Diagnostics)) {
	const address, group = "mediagen_character.x", "mediagen_generation_group.x"
	w := newReplanService(t).Scenario(t)
	other := w.AddCharacter(mockserver.CharacterSeed{Name: "Eve"})
	prompts := core.Object{"a": core.Object{"prompt": "A" + hush}}
	w.Resource(address, core.Object{"id": "ada", "deletion_policy": "delete"})
	w.Resource(group, core.Object{"character_id": "ada", "prompts": prompts})
	w.Apply().Must()
	w.Resource(address, core.Object{"id": other, "deletion_policy": "delete"})
	w.Resource(group, core.Object{"character_id": other, "prompts": prompts})
	hear(w.Plan(core.Refresh(false)).Diagnostics)
}

func onSocket(breakOff func(*acctest.Scenario)) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		w := acctest.NewScenario(t)
		breakOff(w)
		w.Resource("mediagen_character.x", core.Object{"id": "ada"})
		w.Resource("mediagen_image.x", core.Object{"prompt": "a castle" + hush})
		hear(w.Apply().Diagnostics)
	}
}

func actionStory(t *testing.T, hear func(core.Diagnostics)) {
	s := newReplanService(t)
	w := s.Scenario(t)
	w.Resource(
		"mediagen_generation_group.x",
		core.Object{"prompts": core.Object{"a": core.Object{"prompt": "fails" + hush}}},
	)
	w.Apply().Must()
	file := filepath.Join(t.TempDir(), "file")
	check.Must(t, os.WriteFile(file, nil, 0o600))
	failed := w.Value("mediagen_generation_group.x", `generations["a"].id`)
	job := s.StartTrainingElsewhere("ada")
	invoke := func(name string, config core.Object) {
		_, said := w.Invoke(name, config)
		hear(said)
	}
	interrupt := func(route string) { s.Fault(mockserver.Fault{Route: route, Nth: 1, Reached: w.Interrupt}) }
	invoke("mediagen_await_generations", core.Object{"generation_ids": []any{failed}})
	invoke("mediagen_download_generations", core.Object{"generation_ids": core.Object{"a": failed}, "directory": file})
	for _, name := range []string{"mediagen_await_training", "mediagen_cancel_training"} {
		invoke(name, core.Object{"character_id": "ada", "job_id": "unconfirmed-abc"})
		interrupt(mockserver.RouteTraining)
		invoke(name, core.Object{"character_id": "ada", "job_id": job})
		s.ClearFaults()
	}
	interrupt(mockserver.RouteStatus)
	invoke("mediagen_await_generations", core.Object{"generation_ids": []any{failed}})
	invoke("mediagen_download_generations", core.Object{
		"generation_ids": core.Object{"a": failed}, "directory": t.TempDir(), "gallery": t.TempDir(),
	})
	interrupt(mockserver.RouteStatus)
	invoke(
		"mediagen_download_generations",
		core.Object{"generation_ids": core.Object{"a": failed}, "directory": t.TempDir()},
	)
	s.ClearFaults()
	s.Fault(mockserver.Fault{Route: mockserver.RouteToken})
	s.Fault(faults["429"])
	invoke("mediagen_await_generations", core.Object{"generation_ids": []any{failed}, "timeout": "1m"})
	invoke(
		"mediagen_download_generations",
		core.Object{"generation_ids": core.Object{"a": failed}, "directory": t.TempDir(), "timeout": "1m"},
	)
	s.ClearFaults()
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1000, Rewrite: func(status map[string]any) {
		status["status"] = "processing"
		status["error"] = nil
	}})
	invoke("mediagen_await_generations", core.Object{"generation_ids": []any{failed}, "timeout": "1m"})
}

func fileStory(t *testing.T, hear func(core.Diagnostics)) {
	w := newReplanService(t).Scenario(t)
	w.FailPrompt("nobody", "No face was found.")
	w.Resource(
		"mediagen_generation_group.x",
		core.Object{
			"prompts": core.Object{
				"a": core.Object{"prompt": "A" + hush},
				"b": core.Object{"prompt": "B" + hush},
				"c": core.Object{"prompt": "nobody" + hush},
			},
		},
	)
	w.Apply().Must()
	directory := t.TempDir()
	for _, key := range []string{"a", "b", "c"} {
		id := w.Value("mediagen_generation_group.x", `generations["`+key+`"].id`)
		_, said := w.Invoke(
			"mediagen_download_generations",
			core.Object{"generation_ids": core.Object{"a": id}, "directory": directory},
		)
		hear(said)
		check.Must(t, os.WriteFile(filepath.Join(directory, "a.png"), []byte("mine"), 0o600))
	}
}

func imageStory(t *testing.T, hear func(core.Diagnostics)) {
	w := newReplanService(t).Scenario(t)
	path := filepath.Join(t.TempDir(), "a.png")
	for _, content := range []string{png, "", "<html></html>", "{}", "\x01\x02\x03"} {
		check.Must(t, os.WriteFile(path, []byte(content), 0o600))
		w.Resource("mediagen_face_image.x", core.Object{"character_id": "ada", "source": path})
		hear(w.Apply().Diagnostics)
	}
	check.Must(t, os.Remove(path))
	hear(w.Apply().Diagnostics)
}

func importStory(subjects map[string]subject) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		for name, subject := range subjects {
			for i, id := range []string{
				"x",
				"..",
				" ",
				"a/",
				"ada/..",
				"ada/nothing",
				"{}",
				`{"a":1}`,
				`{"a":"gen_1","a":"gen_2"}`,
				`{"":"gen_1"}`,
				`{"a":"gen_1"}`,
				"ada",
			} {
				w := newReplanService(t).Scenario(t)
				w.Resource(name+".x", subject.Config)
				hear(w.Import(name+".x", id).Diagnostics)
				if i == 0 && subject.ImportID != nil {
					w.Apply()
				}
			}
		}
	}
}

// unknownStory has for each input of each type a value that its plan does not
// know, and that turns out another.
func unknownStory(subjects map[string]subject) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		t.Helper()
		for name, subject := range subjects {
			for input := range subject.Config {
				changed := map[string]any{"character_id": "bob", "image_id": "image_000002", "id": "bob"}
				for _, change := range subject.Replaces {
					maps.Copy(changed, change)
				}
				value, isChanged := changed[input]
				if !isChanged {
					continue
				}
				w := newReplanService(t).Scenario(t)
				w.Resource(name+".x", subject.Config)
				w.Apply()
				config := maps.Clone(subject.Config)
				config[input] = core.UnknownUntilApply(value)
				w.Resource(name+".x", config)
				plan := w.Plan()
				hear(plan.Diagnostics)
				hear(w.ApplyPlan(plan).Diagnostics)
			}
		}
	}
}

func laterStory(subjects map[string]subject) provocation {
	return func(t *testing.T, hear func(core.Diagnostics)) {
		w := newReplanService(t).Scenario(t)
		group := subjects["mediagen_generation_group"]
		edits := []core.Object{
			{},
			{"title": "Portraits" + hush},
			{"character_id": "bob"},
			{"prompts": core.UnknownUntilApply(group.Config["prompts"])},
		}
		for i, edit := range edits {
			config := maps.Clone(group.Config)
			maps.Copy(config, edit)
			w.Resource("mediagen_generation_group.x", config)
			hear(w.Plan().Diagnostics)
			if i < 2 {
				hear(w.Apply().Diagnostics)
				w.Clock.Advance(time.Duration(i) * time.Hour)
			}
		}
		for i := range 2 {
			w.AddCharacter(mockserver.CharacterSeed{ID: fmt.Sprintf("twin%d", i), Name: "Twin" + hush})
			_, said := w.DataSource("mediagen_character", core.Object{"name": "Twin" + hush})
			hear(said)
			w.Resource(fmt.Sprintf("mediagen_character.c%d", i), core.Object{"id": "ada"})
		}
		hear(w.Plan().Diagnostics)
	}
}
