package mockserver_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// To another organization nothing of ours exists, and it is told so in the
// service's own words.
func TestStrangersFindNothing(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1})
	c.AddDatasetImages("c", 1)
	group, generations := c.generate("a")
	job := c.StartTrainingElsewhere("c")
	c.AddOrganization("their key", "org_theirs")
	c.AddAPIKey("rotated key", "")
	ours := c.token

	c.token = c.exchange("their key")
	page := c.do("GET", "/v2/characters", "", 200)
	check.True(
		t,
		"what they see",
		len(page.object["characters"].([]any)) == 0 && strings.Contains(page.body, `"organization_id":"org_theirs"`),
		page.body,
	)
	for _, request := range [][3]string{
		{"PUT", "/v2/characters/c", `{"name":"n"}`},
		{"GET", "/v2/c/assets", ""},
		{"GET", "/v2/c/dataset/images", ""},
		{"POST", "/v2/c/dataset/images/image_000001/regenerate", ""},
		{"GET", "/v2/c/training/complete-status", ""},
		{"POST", "/v2/c/training/body-lora", ""},
		{"POST", "/v2/c/training/jobs/" + job + "/cancel", ""},
		{"GET", "/v2/c/generation/capabilities", ""},
		{"GET", "/v2/generation/status/" + generations[0], ""},
		{"DELETE", "/v2/generation/generations/" + generations[0], ""},
		{"DELETE", "/v2/generation/groups/" + group, ""},
		{"POST", "/v2/generation/batch", `{"prompts":[{"prompt":"a"}],"character_id":"c"}`},
		{"POST", "/v2/generation/batch", fmt.Sprintf(`{"prompts":[{"prompt":"a"}],"group_id":%q}`, group)},
	} {
		check.Equal[any](
			t,
			request[0]+" "+request[1],
			c.do(request[0], request[1], request[2], 404).object["error"],
			"not_found",
		)
	}
	check.Equal(t, "an upload", c.upload("c", "a.png", []byte("a")).status, 404)
	own := c.AddCharacter(mockserver.CharacterSeed{OrganizationID: "org_theirs"})
	c.do("GET", "/v2/"+own+"/generation/capabilities", "", 200)

	for _, token := range []string{ours, c.exchange("rotated key")} {
		c.token = token
		c.do("GET", "/v2/generation/status/"+generations[0], "", 200)
		c.do("GET", "/v2/"+own+"/generation/capabilities", "", 404)
		check.Equal(t, "we see", len(c.do("GET", "/v2/characters", "", 200).object["characters"].([]any)), 1)
	}
}

func TestOrganizationClaim(t *testing.T) {
	t.Parallel()
	for name, variant := range map[string]mockserver.Variant{
		"org":    {},
		"org_id": mockserver.Variants()["token-org-id"],
	} {
		c := start(t, mockserver.Options{Variant: variant})
		c.AddOrganization("their key", "org_theirs")
		ours := decodeClaims(t, c.token)
		theirs := decodeClaims(t, c.exchange("their key"))
		check.True(t, name+": claims", ours[name] == "org_000001" && theirs[name] == "org_theirs", ours, theirs)
	}
}

// No reply of a gateway has the service's own error body.
func TestGatewayNotFounds(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	_, ids := c.generate("a")
	for _, name := range slices.Sorted(maps.Keys(mockserver.GatewayNotFounds())) {
		fault := mockserver.GatewayNotFounds()[name]
		fault.Times = 1
		c.Fault(fault)
		got := c.do("GET", "/v2/generation/status/"+ids[0], "", fault.Status)
		_, isString := got.object["error"].(string)
		check.True(t, name, !isString && (fault.Status == 404 || fault.Status == 410), got.status, got.body)
	}
	c.status(ids[0])
}
