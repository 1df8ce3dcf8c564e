package live_test

import (
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// It reads what any organization may read, and buys nothing; or one prompt, if
// that is asked for.
func TestLiveService(t *testing.T) {
	t.Parallel()
	credentials := []string{"MEDIAGEN_API_KEY", "MEDIAGEN_ACCESS_TOKEN", "MEDIAGEN_TOKEN_PROVIDER_URL"}
	isSet := func(variable string) bool { return os.Getenv(variable) != "" }
	if os.Getenv("MEDIAGEN_LIVE") != "1" || !isSet("MEDIAGEN_BASE_URL") || !slices.ContainsFunc(credentials, isSet) {
		t.Skipf(
			"nothing was sent: this needs MEDIAGEN_LIVE=1, MEDIAGEN_BASE_URL and one of %s",
			strings.Join(credentials, ", "),
		)
	}
	// A connection for each request: a pooled one may be closed under a purchase.
	s := newSession(
		t,
		&http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true},
		os.Getenv,
		wait.System,
	)
	defer func() { t.Log("how the replies differ from openapi.yaml and extended.yaml:\n" + s.recorder.String()) }()
	s.read(os.Getenv("MEDIAGEN_EXTENDED_READS") == "true")
	if os.Getenv("MEDIAGEN_LIVE_BUY") == "1" {
		s.buy(os.Getenv("MEDIAGEN_LIVE_CHARACTER"))
	}
}

type session struct {
	*core.Workspace
	t        testing.TB
	recorder *recorder
	schemas  *tfprotov6.GetProviderSchemaResponse
}

func newSession(t testing.TB, network http.RoundTripper, environment func(string) string, clock wait.Clock) *session {
	t.Helper()
	base, err := url.Parse(environment("MEDIAGEN_BASE_URL"))
	check.Must(t, err)
	contract, err := mockserver.NewContract()
	check.Must(t, err)
	s := &session{
		t: t,
		recorder: &recorder{
			next:     network,
			base:     strings.TrimSuffix(base.EscapedPath(), "/"),
			contract: contract,
			lines:    map[string]bool{},
		},
	}
	options := provider.Options{
		Clock:       clock,
		Environment: environment,
		Adjust:      func(config *evidence.Config) { config.Transport = s.recorder },
	}
	served, _ := provider.Serve("live", options)
	serve := func() (tfprotov6.ProviderServer, error) { return served(), nil }
	server, err := serve()
	check.Must(t, err)
	s.schemas, err = server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	check.Must(t, err)
	s.Workspace = core.New(t, serve, core.Object{"max_purchases": 0})
	return s
}

func (s *session) read(extended bool) {
	s.t.Helper()
	first := core.Lookup(s.data("mediagen_characters", core.Object{"limit": 1}), "characters[0].id")
	if first != nil {
		s.data("mediagen_character", core.Object{"id": first})
	}
	for name, schema := range s.schemas.DataSourceSchemas {
		if config := ofCharacter(schema, first); len(config) == 1 {
			s.data(name, config)
		}
	}
	for name, schema := range s.schemas.ListResourceSchemas {
		if config := ofCharacter(schema, first); config != nil && (extended || name != "mediagen_generation_group") {
			_, said := s.Query(name, core.Query{Config: config, Limit: 1})
			s.wantNoErrors("list."+name, said)
		}
	}
}

// ofCharacter is what has to be configured; nil if that is more than a character.
func ofCharacter(schema *tfprotov6.Schema, character any) core.Object {
	config := core.Object{}
	for _, attribute := range schema.Block.Attributes {
		if attribute.Required {
			config[attribute.Name] = character
		}
	}
	if len(config) > 0 && (len(config) > 1 || config["character_id"] == nil) {
		return nil
	}
	return config
}

func (s *session) data(name string, config core.Object) core.Object {
	s.t.Helper()
	found, said := s.DataSource(name, config)
	s.wantNoErrors("data."+name, said)
	return found
}

// wantNoErrors tells the summary of an error, which has no value of a reply.
func (s *session) wantNoErrors(what string, said core.Diagnostics) {
	s.t.Helper()
	for _, failure := range said.Errors() {
		s.t.Errorf("%s: %s", what, failure.Summary)
	}
}

func (s *session) buy(character string) {
	s.t.Helper()
	s.Provider(core.Object{"max_purchases": 1})
	defer func() { s.wantNoErrors("destroy", s.Destroy().Diagnostics) }()
	if character == "" {
		s.Resource("mediagen_character.live", core.Object{"name": "terraform-provider-mediagen"})
		s.wantNoErrors("MEDIAGEN_LIVE_CHARACTER names none, and mediagen_character", s.Apply().Diagnostics)
		if s.t.Failed() {
			return
		}
		character, _ = s.Value("mediagen_character.live", "id").(string)
	}
	const group = "mediagen_generation_group.live"
	s.Resource(group, core.Object{
		"character_id": character,
		"title":        "terraform-provider-mediagen",
		"prompts":      core.Object{"one": core.Object{"prompt": "a plain grey wall"}},
		"timeouts":     core.Object{"create": "10m"},
	})
	s.wantNoErrors("mediagen_generation_group", s.Apply().Diagnostics)
	s.data("mediagen_generation", core.Object{"id": s.Value(group, `generations["one"].id`)})
}
