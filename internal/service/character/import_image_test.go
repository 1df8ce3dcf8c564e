package character_test

import (
	"maps"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// What an import could not read is taken over. A name that the list has is
// compared, as ever: another one is a new image.
func TestImageImports(t *testing.T) {
	t.Parallel()
	content := sum(png + "mine")
	type test struct {
		named  bool // by the list of assets
		config core.Object
		action core.Action
		want   core.Object
	}
	for name, test := range map[string]test{
		"without source":              {true, core.Object{}, core.NoOp, core.Object{"filename": "original.png", "content_sha256": nil}},
		"source":                      {true, core.Object{"source": "?"}, core.Update, core.Object{"filename": "original.png", "content_sha256": content}},
		"source and the name":         {true, core.Object{"source": "?", "filename": "original.png"}, core.Update, core.Object{"filename": "original.png", "content_sha256": content}},
		"unknown source":              {true, core.Object{"source": "??"}, core.Update, core.Object{"filename": "original.png", "content_sha256": content}},
		"source and another name":     {true, core.Object{"source": "?", "filename": "other.png"}, core.Replace, core.Object{"filename": "other.png", "content_sha256": content}},
		"unknown and another name":    {true, core.Object{"source": "??", "filename": "other.png"}, core.Replace, core.Object{"filename": "other.png", "content_sha256": content}},
		"unnamed":                     {false, core.Object{}, core.NoOp, core.Object{"filename": nil, "content_sha256": nil}},
		"unnamed, source":             {false, core.Object{"source": "?"}, core.Update, core.Object{"filename": "mine.png", "content_sha256": content}},
		"unnamed, unknown source":     {false, core.Object{"source": "??"}, core.Update, core.Object{"filename": "mine.png", "content_sha256": content}},
		"unnamed, source and a name":  {false, core.Object{"source": "?", "filename": "other.png"}, core.Update, core.Object{"filename": "other.png", "content_sha256": content}},
		"unnamed, unknown and a name": {false, core.Object{"source": "??", "filename": "other.png"}, core.Update, core.Object{"filename": "other.png", "content_sha256": content}},
		"unnamed, a name alone":       {false, core.Object{"filename": "other.png"}, core.Update, core.Object{"filename": "other.png", "content_sha256": nil}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t)
			asset := service.AddAsset(id, "face_image", "original.png", []byte(png+"theirs"))
			if !test.named {
				service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(list map[string]any) {
					assets, _ := list["assets"].([]any)
					for _, asset := range assets {
						delete(asset.(map[string]any), "filename")
					}
				}})
			}
			source := write(t, "mine.png", png+"mine")
			config := core.Object{"character_id": id}
			maps.Copy(config, test.config)
			switch config["source"] {
			case "?":
				config["source"] = source
			case "??":
				config["source"] = core.UnknownUntilApply(source)
			}
			w := service.Scenario(t)
			w.Resource(image, config)
			w.Import(image, id+"/"+asset.ID).Must()
			plan := w.Plan().Must()
			check.True(t, "the plan after the import", plan.Action(image) == test.action, test.action, plan)
			if takenOver := len(plan.Warnings().Find("Source Taken Over")); (takenOver == 1) != (test.action == core.Update) {
				t.Errorf("%d warnings say that something is taken over:\n%s", takenOver, plan)
			}
			w.ApplyPlan(plan).Must()
			w.Want(image, test.want)
			uploads := 0
			if test.action == core.Replace {
				uploads = 1
			} else {
				w.Want(image, core.Object{"id": asset.ID})
			}
			w.Plan().Must().WantEmpty()
			service.WantCount(t, mockserver.RouteUpload, uploads)
		})
	}
}
