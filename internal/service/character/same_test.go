package character_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const shownChanged = "Character Text Is Shown Changed"

// A text that the service shows otherwise is sent once, and reported once.
// Fault F35.
func TestSame_textsThatTheServiceChanges(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("counts & sings ", 20)
	type row struct {
		texts mockserver.Texts
		trims bool
		name  string
		warns int
	}
	check.Each(t, map[string]row{
		"escaped":    {texts: mockserver.TextsEscaped, name: `Ada & "Eve"`, warns: 1},
		"cut":        {texts: mockserver.TextsCut, name: "Ada", warns: 1},
		"decomposed": {texts: mockserver.TextsDecomposed, name: "Ad\u00e9", warns: 0},
		"trimmed":    {trims: true, name: " Ada ", warns: 0},
	}, func(t *testing.T, test row) {
		service, id, w := newWorkspace(t, func(o *mockserver.Options) {
			o.Variant.Texts = test.texts
			o.Variant.TrimTexts = test.trims
		})
		config := core.Object{"id": id, "name": test.name, "description": long}
		result := w.Applies(ada, config)
		check.Equal(t, "warnings", len(result.Diagnostics.Find(shownChanged)), test.warns)
		for range 3 {
			plan := w.Plan().Must()
			plan.WantEmpty()
			check.Equal(t, "it is said once", len(plan.Diagnostics.Find(shownChanged)), 0)
			w.Apply().Must()
		}
		service.WantCount(t, mockserver.RouteUpdate, 1)
		w.Want(ada, core.Object{"name": test.name, "description": long})
		service.SetCharacter(id, func(c *mockserver.CharacterSeed) { c.Name = "Grace" })
		plan := w.Plan().Must()
		check.True(t, "another text is a change", plan.Action(ada) == core.Update, plan)
		w.ApplyPlan(plan).Must()
		w.Plan().Must().WantEmpty()
		service.WantCount(t, mockserver.RouteUpdate, 2)
	})
}

// Where the reply repeats what was sent, the first read tells.
func TestSame_theFirstReadTells(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t, func(o *mockserver.Options) { o.Variant.Texts = mockserver.TextsEscaped })
	service.Fault(mockserver.Fault{Route: mockserver.RouteUpdate, Rewrite: func(reply map[string]any) {
		reply["name"] = "Ada & Eve"
	}})
	result := w.Applies(ada, core.Object{"id": id, "name": "Ada & Eve"})
	check.Equal(t, "nothing to say", len(result.Diagnostics.Find(shownChanged)), 0)
	result = w.Apply().Must()
	check.Equal(t, "the first read says it", len(result.Diagnostics.Find(shownChanged)), 1)
	result = w.Apply().Must()
	check.Equal(t, "once", len(result.Diagnostics.Find(shownChanged)), 0)
	w.Plan().Must().WantEmpty()
	service.WantCount(t, mockserver.RouteUpdate, 1)
	w.Want(ada, core.Object{"name": "Ada & Eve"})
}

// The text that an update leaves open is not sent escaped.
func TestSame_anUpdateDoesNotEscapeTwice(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t, func(o *mockserver.Options) { o.Variant.Texts = mockserver.TextsEscaped })
	w.Applies(ada, core.Object{"id": id, "name": "Ada & Eve", "description": "counts"})
	w.Applies(ada, core.Object{"id": id, "description": "sings"})
	wantUpdates(t, service,
		map[string]any{"name": "Ada & Eve", "description": "counts"},
		map[string]any{"name": "Ada & Eve", "description": "sings"})
	w.Plan().Must().WantEmpty()
}

// An update of nothing leaves no computed attribute unknown, also beside a text
// that is null.
func TestSame_besideATextThatIsNull(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	service.SetCharacter(id, func(c *mockserver.CharacterSeed) {
		c.Name = "Caf\u00e9\nAda"
		c.Description = ""
	})
	service.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Times: 100, Rewrite: func(reply map[string]any) {
		reply["characters"].([]any)[0].(map[string]any)["description"] = nil
	}})
	w.Applies(ada, core.Object{"id": id, "name": "Caf\u00e9\nAda"})
	w.Plans(ada, core.Object{"id": id, "name": "Cafe\u0301\r\nAda\r\n"}).WantEmpty()
	w.WantCount(t, mockserver.RouteUpdate, 0)
}

func TestSame_momentsKeepTheirNotation(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	w.Applies(ada, core.Object{"id": id})
	before := w.Value(ada, "created_at").(string)
	service.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Times: 100, Rewrite: func(reply map[string]any) {
		shown := reply["characters"].([]any)[0].(map[string]any)
		for _, name := range []string{"created_at", "updated_at"} {
			shown[name] = strings.Replace(shown[name].(string), "Z", "000+00:00", 1)
		}
	}})
	w.Refresh().Must()
	check.Equal[any](t, "created_at", w.Value(ada, "created_at"), before)
	check.True(t, "updated_at", strings.HasSuffix(w.Value(ada, "updated_at").(string), "Z"))
	w.Plan().Must().WantEmpty()
}

// A character that was named on a Mac is found by the name that it shows.
func TestSame_namesAreFoundInAnyForm(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	service.SetCharacter(id, func(c *mockserver.CharacterSeed) { c.Name = "Cafe\u0301" })
	found, diagnostics := w.DataSource("mediagen_character", core.Object{"name": "Caf\u00e9"})
	check.True(t, "it is found", !diagnostics.HasErrors() && found["id"] == id, diagnostics)
	_, diagnostics = w.DataSource("mediagen_character", core.Object{"name": "Cafe"})
	check.True(t, "another is not", diagnostics.HasErrors())
}

// A file that fileset has found is found, also where the file system decomposes
// names.
func TestSame_filesAreFoundInAnyForm(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	directory := filepath.Join(t.TempDir(), norm.NFD.String("caf\u00e9"))
	check.Must(t, os.Mkdir(directory, 0o700))
	check.Must(t, os.WriteFile(filepath.Join(directory, norm.NFD.String("ad\u00e9.png")), []byte(png), 0o600))
	source := norm.NFC.String(filepath.Join(directory, "ad\u00e9.png"))
	const image = "mediagen_face_image.x"
	w.Applies(image, core.Object{"character_id": id, "source": source})
	w.Want(image, core.Object{"source": source, "filename": "ad\u00e9.png"})
	w.Plan().Must().WantEmpty()
	decomposed := core.Object{"character_id": id, "source": source, "filename": norm.NFD.String("ad\u00e9.png")}
	w.Plans(image, decomposed).WantEmpty()
	service.WantCount(t, mockserver.RouteUpload, 1)
}
