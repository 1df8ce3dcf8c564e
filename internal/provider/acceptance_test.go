package provider_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const readCharacters = "\ndata \"mediagen_characters\" \"all\" {}\n"

func TestAccProvider_credentials(t *testing.T) {
	s := acctest.NewService(t)
	s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	provider := func(credential string) string {
		return fmt.Sprintf("provider \"mediagen\" {\n  base_url = %q\n  %s\n}\n", s.URL, credential) + readCharacters
	}
	tokenProvider := func(user string) string {
		return fmt.Sprintf("token_provider = { url = %q, headers = { X-Mock-User = %q } }", s.Host+"/token-provider", user)
	}
	check := resource.TestCheckResourceAttr("data.mediagen_characters.all", "characters.0.name", "Ada")
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: provider(fmt.Sprintf("api_key = %q", acctest.APIKey)), Check: check},
		{Config: provider(fmt.Sprintf("access_token = %q", s.IssueToken(""))), Check: check},
		{Config: provider(tokenProvider(mockserver.User)), Check: check},
		{Config: provider(tokenProvider("mallory")), ExpectError: regexp.MustCompile(`the user is not logged in`)},
		{Config: provider(""), ExpectError: regexp.MustCompile(`Missing Credential`)},
		{Config: provider(fmt.Sprintf("api_key = %q", acctest.APIKey)), Check: check}, // the test's own destroy needs one too
	}})
}

func TestAccProvider_environment(t *testing.T) {
	s := acctest.NewService(t)
	s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	s.Environment["MEDIAGEN_BASE_URL"], s.Environment["MEDIAGEN_API_KEY"] = s.URL, acctest.APIKey
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: readCharacters,
		Check:  resource.TestCheckResourceAttr("data.mediagen_characters.all", "characters.#", "1"),
	}}})
}

func TestAccProvider_invalid(t *testing.T) {
	s := acctest.NewService(t)
	refused := func(settings, says string) resource.TestStep {
		return resource.TestStep{Config: "provider \"mediagen\" {\n" + settings + "\n}\n" + readCharacters, ExpectError: regexp.MustCompile(says)}
	}
	address := fmt.Sprintf("base_url = %q\n", s.URL)
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		refused("", `(?s)Missing Address.*MEDIAGEN_BASE_URL`),
		refused(`base_url = "https://user:pass@api.example.com/v2"`, `(?s)Invalid Address.*base_url.*user name or a password`),
		refused(`base_url = "http://api.example.com/v2"`, `(?s)Insecure Address.*allow_insecure_http`),
		refused(address+`api_key = "a"`+"\n"+`access_token = "b"`, `(?s)Invalid Attribute Combination.*access_token`),
		refused(address+`max_retries = 101`, `(?s)max_retries.*between 0 and 100`),
		refused(address+`request_timeout = "90"`, `(?s)Invalid Duration.*request_timeout`),
		refused(address+`token_provider = { headers = { "X User" = "alice" } }`, `(?s)Invalid Header.*X User`),
	}})
	s.WantCount(t, "", 0)
}

// A provider whose address is known only once another resource was created.
func TestAccProvider_knownAfterApply(t *testing.T) {
	s := acctest.NewService(t)
	id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: fmt.Sprintf(`
resource "terraform_data" "settings" {
  input = { base_url = %q, api_key = %q }
}

provider "mediagen" {
  base_url = terraform_data.settings.output.base_url
  api_key  = terraform_data.settings.output.api_key
}

resource "mediagen_character" "c" {
  id = %q
}
`, s.URL, acctest.APIKey, id),
		Check: resource.TestCheckResourceAttr("mediagen_character.c", "name", "Ada"),
	}}})
}
