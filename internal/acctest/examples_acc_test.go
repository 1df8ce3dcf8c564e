package acctest_test

import (
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

func newExampleService(t *testing.T) *acctest.Service {
	t.Helper()
	s := acctest.NewService(t, func(o *mockserver.Options) {
		o.GenerationTime = -1
		o.TrainingTime = -1
		o.DatasetTime = -1
		o.Extended = true
	})
	ada := s.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Ada", FaceImages: 10})
	s.AddCharacter(mockserver.CharacterSeed{ID: "char_lin", Name: "Lin", FaceImages: 10})
	s.AddCharacter(mockserver.CharacterSeed{ID: "char_grace", Name: "Grace", FaceImages: 1})
	images := s.AddDatasetImages(ada, 3)
	s.SetDatasetImage(
		ada,
		images[1],
		func(image *mockserver.DatasetImage) { image.Prompt = "Half profile in daylight, neutral background" },
	)
	s.StartTrainingElsewhere(ada)
	s.AddAsset(ada, "body_image_front", "front.png", []byte(acctest.PNG))
	s.FailNextTraining() // a face that is trained is not trained again
	s.StartFaceTrainingElsewhere("char_grace")
	s.AddAsset(ada, "body_image_back", "back.png", []byte(acctest.PNG))
	submitElsewhere(t, s)
	return s
}

func submitElsewhere(t *testing.T, s *acctest.Service) {
	t.Helper()
	batch := `{"character_id": "char_ada", "group_title": "Portraits", "prompts": [
		{"prompt": "Portrait in soft morning light"}, {"prompt": "On a stage in red light"}]}`
	request, err := http.NewRequestWithContext(
		t.Context(),
		http.MethodPost,
		s.URL+"/generation/batch",
		strings.NewReader(batch),
	)
	check.Must(t, err)
	request.Header.Set("Authorization", "Bearer "+s.IssueToken(""))
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	check.Must(t, err)
	answer.Body.Close()
	s.ResetJournal()
}

var (
	root     = filepath.Join("..", "..")
	examples = filepath.Join(root, "examples")
)

func exampleDirectories(t *testing.T) []string {
	t.Helper()
	found := map[string]bool{}
	err := fs.WalkDir(os.DirFS(examples), ".", func(name string, _ fs.DirEntry, err error) error {
		directory := path.Dir(name)
		extension := path.Ext(name)
		isModule := strings.HasPrefix(directory, "modules/") // which needs variables
		isRun := extension == ".tf" || extension == ".sh"
		if isRun && !isModule {
			found[directory] = true
		}
		return err
	})
	check.True(t, "there are examples", err == nil && len(found) != 0, err)
	return slices.Sorted(maps.Keys(found))
}

// isOfTheCLI are warnings of the CLI that say nothing against an example.
var isOfTheCLI = map[string]bool{
	"Provider development overrides are in effect": true,
	"Check block assertion known after apply":      true, // by any plan that buys
}

// Every example as it is, with every way to import next to it. None leaves a
// credential behind at TF_LOG=TRACE, and none has the CLI warn of what it
// shows. Fault F27.
func TestAccExamples(t *testing.T) {
	t.Parallel()
	says := repotest.Sayings(t)
	for _, directory := range exampleDirectories(t) {
		t.Run(directory, func(t *testing.T) {
			t.Parallel()
			if !strings.HasPrefix(directory, "resources/") {
				tier.Long(t, "an example beside those of resources")
			}
			t.Run("apply", func(t *testing.T) {
				m := newExample(t, directory, "")
				m.trace()
				said := m.run("plan", "-out=example.plan") + m.run("apply", "example.plan")
				for _, warning := range regexp.MustCompile(
					`(?m)^(?:│ )?Warning: (.*)$`,
				).FindAllStringSubmatch(said, -1) {
					check.True(
						t,
						"a warning is the provider's",
						says(warning[1]) || isOfTheCLI[warning[1]],
						said,
					)
				}
				m.wantNoChanges()
				m.wantNoSecrets("trace.log", "example.plan/tfplan")
				if strings.HasPrefix(directory, "adoption") {
					m.wantNothingDone()
				}
			})
			for _, block := range []string{"import-by-string-id.tf", "import-by-identity.tf"} {
				if exists(directory, block) {
					t.Run(block, func(t *testing.T) {
						m := newImport(t, directory, block)
						if block == "import-by-identity.tf" && !m.atLeast(acctest.WithIdentity) {
							output, code := m.try("validate", "-no-color")
							check.True(
								t,
								"the CLI refuses the identity",
								code != 0 && strings.Contains(output, "identity"),
								code,
								output,
							)
							return
						}
						m.adopts(`1 imported, \d+ added, [01] changed, 0 destroyed`)
					})
				}
			}
			if exists(directory, "import.sh") {
				t.Run("import.sh", func(t *testing.T) {
					m := newImport(t, directory, "")
					m.onPath(t.TempDir())
					m.shell("sh", "import.sh")
					m.adopts(" added, [01] changed, 0 destroyed")
				})
			}
		})
	}
}

func exists(directory, file string) bool {
	_, err := os.Stat(filepath.Join(examples, filepath.FromSlash(directory), file))
	return err == nil
}

// since are the CLI's versions that brought what a folder shows. OpenTofu lacks
// actions, queries.
var since = map[string]*version.Version{
	"joined-group":         tfversion.Version1_6_0,
	"adoption-for-each":    tfversion.Version1_7_0,
	"functions":            tfversion.Version1_8_0,
	"prompts-from-files":   tfversion.Version1_8_0,
	"studio":               tfversion.Version1_8_0,
	"two-accounts":         tfversion.Version1_10_0,
	"ci-token":             tfversion.Version1_10_0,
	"token-provider":       tfversion.Version1_10_0,
	"ephemeral-resources":  tfversion.Version1_10_0,
	"actions":              tfversion.Version1_14_0,
	"awaited-results":      tfversion.Version1_14_0,
	"download":             tfversion.Version1_14_0, // OpenTofu too, see TestAccDownload
	"adoption":             tfversion.Version1_14_0,
	"saved-before-destroy": version.Must(version.NewVersion("1.16.0")),
}

// A mistyped key is an error before anything is bought: neither CLI nor
// provider would notice it.
func TestAccExamples_mistypedKeys(t *testing.T) {
	tier.Long(t, "an example beside those of resources")
	t.Parallel()
	for name, test := range map[string]struct{ directory, file, old, mistyped, says string }{
		"option": {
			"prompts-from-files", "prompts.yaml", "face_swap: true", "use_facelora: true",
			".use_facelora: the service has no such option",
		},
		"column": {
			"prompts-from-files", "prompts.csv",
			"face_swap\nbridge,\"On a bridge at night, seen from below\",TRUE\ngarden,In a garden after the rain,\n",
			"face_swap,use_facelora\nbridge,On a bridge at night,TRUE,TRUE\ngate,At a gate,,\n",
			"prompts.csv has unknown columns: use_facelora.",
		},
		"semicolons": {
			"prompts-from-files", "prompts.csv",
			"name,prompt,face_swap\nbridge,\"On a bridge at night, seen from below\",TRUE\n",
			"\ufeffname;prompt;face_swap\r\nbridge;On a bridge at night, seen from below;TRUE\r\n",
			"prompts.csv separates its columns by semicolons.",
		},
		"pipeline": {
			"pipeline",
			"characters.yaml",
			"  name: Lin",
			"  use_facelora: true\n  name: Lin",
			"lin has unknown keys: use_facelora.",
		},
		"large": {"large-organization", "organization/000.yaml", "  name: Ada", "  use_facelora: true\n  name: " +
			"Ada", "char_ada has unknown keys: use_facelora."},
		"character": {"modules/studio", "characters.yaml", "  train: false", "  train: false\n  use_facelora: " +
			"true", "lin has unknown keys: use_facelora."},
		"series": {"modules/studio", "characters.yaml", "      title: Lin", "      use_facelora: true\n      title: " +
			"Lin", "lin has unknown keys: use_facelora."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExample(t, test.directory, "")
			arguments := []string{"plan"}
			if strings.HasPrefix(test.directory, "modules") {
				m.needs(tfversion.Version1_8_0, "functions of providers")
				arguments = append(arguments, "-var=characters_file=characters.yaml", "-var=faces_directory=faces")
			}
			m.replace(test.file, test.old, test.mistyped)
			said := m.refuses([]string{test.says}, arguments...)
			check.True(t, "it is said once", strings.Count(said, test.says) == 1, said)
		})
	}
}

// What spreadsheets call "CSV UTF-8": a byte order mark, and CRLF.
func TestAccExamples_spreadsheet(t *testing.T) {
	tier.Long(t, "an example beside those of resources")
	t.Parallel()
	m := newExample(t, "prompts-from-files", "")
	file := filepath.Join(m.directory, "prompts.csv")
	plain, err := os.ReadFile(file)
	check.Must(t, err)
	saved := "\ufeff" + strings.ReplaceAll(string(plain), "\n", "\r\n")
	check.Must(t, os.WriteFile(file, []byte(saved), 0o600))
	said := m.run("plan")
	check.True(t, "both rows", strings.Contains(said, `+ "bridge"`) && strings.Contains(said, `+ "garden"`), said)
}

// The bill of a client and a month counts what was bought for it then.
func TestAccExamples_bill(t *testing.T) {
	tier.Long(t, "an example beside those of resources")
	t.Parallel()
	m := newExample(t, "bill", "")
	for variables, want := range map[string]string{
		"":                              "2.5",
		"client=umbra":                  "100",
		"client=nobody":                 "0",
		"client=acme month=2026-10":     "1",
		"client=umbra month=2026-11-03": "100",
		"client=umbra month=2026-11-04": "0",
	} {
		arguments := []string{"apply", "-auto-approve"}
		for variable := range strings.FieldsSeq(variables) {
			arguments = append(arguments, "-var="+variable)
		}
		m.run(arguments...)
		check.Equal(t, variables, strings.TrimSpace(m.run("output", "-json", "credits")), want)
	}
}

func newExample(t *testing.T, directory, block string) *terminal {
	t.Helper()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, filepath.FromSlash(directory)))
	if kind, _, _ := strings.Cut(directory, "/"); since[kind] != nil {
		m.needs(since[kind], "examples of "+kind)
	}
	m.setenv("TF_VAR_ci_token", "any")
	account := fmt.Sprintf(`{"base_url": %q, "api_key": %q}`, m.URL, acctest.APIKey)
	m.setenv("TF_VAR_staging", account)
	m.setenv("TF_VAR_production", account)
	if directory == "ci-token" {
		m.unsetenv("MEDIAGEN_API_KEY")
		m.setenv("MEDIAGEN_TOKEN_PROVIDER_URL", m.Host+"/token-provider")
		m.setenv("MEDIAGEN_TOKEN_PROVIDER_HEADERS", fmt.Sprintf(`{"X-Mock-User": %q}`, mockserver.User))
	}
	if directory == "large-organization" { // the only one with a backend
		m.installable()
		m.run("init")
	}
	content, err := os.ReadFile(filepath.Join(m.directory, block))
	if err == nil && strings.Contains(string(content), "jsonencode(") {
		m.needs(tfversion.Version1_6_0, "functions in import blocks")
	}
	imports, err := filepath.Glob(filepath.Join(m.directory, "import-*.tf"))
	check.Must(t, err)
	for _, file := range imports {
		if filepath.Base(file) != block {
			check.Must(t, os.Remove(file))
		}
	}
	return m
}

func newImport(t *testing.T, directory, block string) *terminal {
	t.Helper()
	m := newExample(t, directory, block)
	further, err := filepath.Glob(filepath.Join(m.directory, "resource_*.tf"))
	check.Must(t, err)
	for _, file := range further {
		m.remove(filepath.Base(file))
	}
	return m
}

func (m *terminal) adopts(summary string) {
	m.t.Helper()
	output := m.run("apply", "-auto-approve")
	check.True(m.t, "what the apply says", regexp.MustCompile(summary).MatchString(output), summary, output)
	m.wantNothingDone()
	m.wantNoChanges()
}

func (m *terminal) wantNothingDone() {
	m.t.Helper()
	for _, route := range []string{
		mockserver.RouteBatch, mockserver.RouteStartTraining, mockserver.RouteUpload, mockserver.RouteRegenerate,
		mockserver.RouteDelete, mockserver.RouteDeleteGroup, mockserver.RouteCancel, mockserver.RouteUploadBody,
		mockserver.RouteStartFaceTraining,
		mockserver.RouteGenerateDataset, mockserver.RouteApproval, mockserver.RouteApproveDataset,
	} {
		m.WantCount(m.t, route, 0)
	}
}

func TestAccExamples_generatedConfiguration(t *testing.T) {
	tier.Long(t, "an example beside those of resources")
	t.Parallel()
	for _, name := range []string{
		"mediagen_character",
		"mediagen_body_lora_training",
		"mediagen_generation_group",
		"mediagen_dataset",
		"mediagen_dataset_approval",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newImport(t, "resources/"+name, "import-by-string-id.tf")
			m.remove("resource.tf")
			m.run("plan", "-generate-config-out=generated.tf")
			m.adopts("1 imported, 0 added, 0 changed, 0 destroyed")
		})
	}
}
