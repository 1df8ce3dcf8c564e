package download_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/download"
)

const groupAddress = "mediagen_generation_group.g"

// savesBefore has the group saved by the action before it is destroyed.
func (d downloads) savesBefore(more core.Object) {
	d.T.Helper()
	config := core.Object{"generation_ids": d.ids, "directory": d.directory}
	maps.Copy(config, more)
	d.Resource(groupAddress, core.Object{"prompts": d.prompts("in the rain")},
		core.BeforeDestroy(downloadAction, func(core.Object) core.Object { return config }))
}

func (d downloads) wantDeletions(groups, generations int) {
	d.T.Helper()
	d.WantCount(d.T, mockserver.RouteDeleteGroup, groups)
	d.WantCount(d.T, mockserver.RouteDelete, generations)
}

// shows makes the status of a generation say this.
func (d downloads) shows(key string, changed map[string]any) {
	d.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1000, Rewrite: func(status map[string]any) {
		if status["generation_id"] == d.ids[key] {
			maps.Copy(status, changed)
		}
	}})
}

// However an action ends that has not saved all, what it was asked to save is
// not deleted: nothing is sent. With the obstacle gone, a second destroy saves
// and deletes.
func TestDownloadHoldsTheDeletionBack(t *testing.T) {
	t.Parallel()
	type row struct {
		obstacle func(d downloads)
		config   core.Object
		says     string
	}
	fault := func(fault mockserver.Fault) func(d downloads) { return func(d downloads) { d.Fault(fault) } }
	inTheWay := func(name ...string) func(d downloads) {
		return func(d downloads) {
			check.Must(d.T, os.MkdirAll(filepath.Join(append([]string{d.directory}, name...)...), 0o700))
		}
	}
	statuses := mockserver.Fault{Route: mockserver.RouteStatus, After: mockserver.RouteStatus}
	files := mockserver.Fault{Route: mockserver.RouteMedia, After: mockserver.RouteMedia}
	with := func(fault mockserver.Fault, change func(f *mockserver.Fault)) mockserver.Fault {
		change(&fault)
		return fault
	}
	check.Each(t, map[string]row{
		"a file where the directory should be": {obstacle: func(d downloads) {
			check.Must(d.T, os.MkdirAll(filepath.Dir(d.directory), 0o700))
			check.Must(d.T, os.WriteFile(d.directory, nil, 0o600))
		}, says: "Unable to Use Directory"},
		"a link that leads nowhere": {obstacle: func(d downloads) {
			check.Must(d.T, os.MkdirAll(filepath.Dir(d.directory), 0o700))
			check.Must(d.T, os.Symlink(d.directory, d.directory))
		}, says: "Unable to Use Directory"},
		"the record cannot be written": {obstacle: inTheWay(media.RecordName), says: "Unable to Record Downloads"},
		"the sheet cannot be written":  {obstacle: inTheWay(media.SheetName), says: "Unable to Write Contact Sheet"},
		"the host is down": {
			obstacle: fault(with(files, func(f *mockserver.Fault) { f.Status = 503 })),
			says:     "Unable to Download Generations",
		},
		"the host asks to log in": {
			obstacle: fault(with(files, func(f *mockserver.Fault) { f.Body = "<html>log in</html>" })),
			says:     "Unable to Download Generations",
		},
		"a file is cut off": {
			obstacle: fault(with(files, func(f *mockserver.Fault) { f.DropInBody = true })),
			says:     "Unable to Download Generations",
		},
		"the service is down": {
			obstacle: fault(with(statuses, func(f *mockserver.Fault) { f.Status = 503 })),
			says:     "Download",
		},
		"a 404 of a gateway": {obstacle: fault(with(statuses, func(f *mockserver.Fault) {
			f.Status = 404
			f.Body = "<html>"
		})), says: "Unable to Download Generations"},
		"a status cannot be read": {
			obstacle: fault(with(statuses, func(f *mockserver.Fault) { f.Body = "<html>" })),
			says:     "Unable to Download Generations",
		},
		"the token is refused": {obstacle: fault(with(statuses, func(f *mockserver.Fault) {
			f.Status = 401
			f.Body = `{"error":"unauthorized"}`
		})), says: "401"},
		"the time runs out": {
			obstacle: fault(
				with(files, func(f *mockserver.Fault) { f.Hold = make(chan struct{}) }),
			),
			config: core.Object{"timeout": "1s"}, // of real time
			says:   "Download of Generations Not Finished",
		},
		"it runs again, by a word": {
			obstacle: func(d downloads) { d.shows("b", map[string]any{"status": "processing", "progress": 40}) },
			says:     "it has not ended (processing)",
		},
		"no results are shown": {
			obstacle: func(d downloads) { d.shows("b", map[string]any{"result_urls": []any{}}) },
			says:     "shows no results",
		},
		"expired, by a word": {
			obstacle: func(d downloads) { d.shows("b", map[string]any{"status": "expired", "result_urls": []any{}}) },
			says:     "the download has not succeeded", // of what had results before: no error of the action
		},
		"purged, by a word": {obstacle: func(d downloads) {
			d.shows("b", map[string]any{"status": "purged", "result_urls": []any{}, "progress": nil})
		}, says: "has not ended (purged)"},
	}, func(t *testing.T, test row) {
		d := newDownloads(t)
		d.savesBefore(test.config)
		plan := d.Plan(core.Destroying()).Must()
		d.ResetJournal()
		test.obstacle(d)
		said := d.ApplyPlan(plan).Diagnostics
		check.Contains(t, "the error", said.Errors().String(), test.says)
		check.Equal(t, "the deletion's error", len(said.Errors().Find("Unable to Delete Generation Group")), 1)
		check.Contains(
			t,
			"the deletion's error",
			said.Errors().String(),
			"Nothing was sent",
			"remove the action_trigger",
		)
		d.wantDeletions(0, 0)
		d.Want(groupAddress, core.Object{"succeeded_count": 3})

		d.ClearFaults()
		check.Must(t, os.RemoveAll(d.directory))
		d.Destroy().Must()
		d.wantDeletions(1, 0)
		d.wantFiles("a.png", "b.png", "c.png", "index.html")
	})
}

// Ctrl-C ends the action, and not each CLI starts nothing more.
func TestDownloadHoldsTheDeletionBack_interrupted(t *testing.T) {
	t.Parallel()
	for _, route := range []string{mockserver.RouteStatus, mockserver.RouteMedia} {
		d := newDownloads(t)
		d.savesBefore(nil)
		plan := d.Plan(core.Destroying()).Must()
		d.ResetJournal()
		d.Fault(mockserver.Fault{Route: route, Nth: 1, Hold: make(chan struct{}), Reached: d.Interrupt})
		said := d.ApplyPlan(plan).Diagnostics
		check.Contains(
			t,
			"the errors",
			said.Errors().String(),
			"Download of Generations Interrupted",
			"Nothing was sent",
		)
		d.wantDeletions(0, 0)
		d.ClearFaults()
		d.Destroy().Must()
		d.wantFiles("a.png", "b.png", "c.png", "index.html")
	}
}

// What leaves nothing to save holds nothing back: the host has proven the file
// gone, or the generation has never had results.
func TestDownloadOfNothingHoldsNothingBack(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(d downloads){
		"the file is gone": func(d downloads) {
			d.Fault(mockserver.Fault{Route: mockserver.RouteMedia, Times: 1000, Status: 410})
		},
		"a failed prompt": func(d downloads) {
			d.FailPrompt("of nobody", "no face found")
			d.Resource(groupAddress, core.Object{"prompts": core.Object{"a": core.Object{"prompt": "of nobody"}}})
			d.Apply().Must()
			clear(d.ids)
			d.ids["a"] = d.Value(groupAddress, `generations["a"].id`)
		},
		"a contact sheet of somebody else": func(d downloads) {
			check.Must(d.T, os.MkdirAll(d.directory, 0o700))
			check.Must(d.T, os.WriteFile(filepath.Join(d.directory, media.SheetName), []byte("my site"), 0o600))
		},
	}, func(t *testing.T, happens func(d downloads)) {
		d := newDownloads(t)
		happens(d)
		d.savesBefore(nil)
		d.Destroy()
		check.Equal(t, "groups left", len(d.Groups()), 0)
	})
}

// A download that does not say of what holds everything back: whatever else its
// configuration is.
func TestDownloadIsNotedBeforeAnythingCanFail(t *testing.T) {
	t.Parallel()
	text := func(value any) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }
	ids := tftypes.Map{ElementType: tftypes.String}
	for name, test := range map[string]struct {
		ids  tftypes.Value
		held []string
	}{
		"known": {
			tftypes.NewValue(ids, map[string]tftypes.Value{"a": text("g1"), "b": text(nil)}),
			[]string{"g1"},
		},
		"one not known": {
			tftypes.NewValue(ids, map[string]tftypes.Value{"a": text(tftypes.UnknownValue)}),
			[]string{"g1", "g2"},
		},
		"all not known":   {tftypes.NewValue(ids, tftypes.UnknownValue), []string{"g1", "g2"}},
		"of another type": {tftypes.NewValue(tftypes.Bool, true), []string{"g1", "g2"}},
	} {
		var schema action.SchemaResponse
		download.Actions[0]().Schema(t.Context(), action.SchemaRequest{}, &schema)
		written := map[string]tftypes.Value{"generation_ids": test.ids}
		types := map[string]tftypes.Type{"generation_ids": test.ids.Type()}
		data := &run.ProviderData{}
		config := tfsdk.Config{
			Schema: schema.Schema,
			Raw:    tftypes.NewValue(tftypes.Object{AttributeTypes: types}, written),
		}
		interrupted, interrupt := context.WithCancel(t.Context())
		interrupt()
		download.NoteAsked(interrupted, data, config)
		held := data.Generations.Unsaved([]string{"g1", "g2"}, func(string) bool { return false })
		check.Equal(t, name, held, test.held)
	}
}
