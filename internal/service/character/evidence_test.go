package character_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A list that lacks a character proves nothing by itself, nor does a 404 of its
// capabilities: both, each twice, to a caller that has seen it, do, whatever
// the 404 looks like. Fault F13.
func TestUnlistedCharacterIsGoneOnProofOnly(t *testing.T) {
	t.Parallel()
	const address, stranger = "mediagen_character.c", "strangers-api-key-0123456789"
	own := mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 404, Body: `{"error":"not_found"}`}
	page := mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 404, Body: "<html>404</html>"}
	type row struct {
		fault    mockserver.Fault
		settings core.Object
		gone     bool
	}
	check.Each(t, map[string]row{
		"the service's own error": {fault: own, gone: true},
		"a page":                  {fault: page, gone: true},
		"a detail": {
			fault: mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 404, Body: `{"detail":"Not Found"}`},
			gone:  true,
		},
		"410": {
			fault: mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 410},
			gone:  true,
		},
		"a page, to a stranger":              {fault: page, settings: core.Object{"api_key": stranger}},
		"a gateway's page, which is trusted": {fault: page, settings: core.Object{"trust_not_found": true}, gone: true},
		"the service's own, to a stranger":   {fault: own, settings: core.Object{"api_key": stranger}},
		"to a stranger, who is trusted": {
			fault:    own,
			settings: core.Object{"api_key": stranger, "trust_not_found": true},
			gone:     true,
		},
	}, func(t *testing.T, test row) {
		service, id, w := newWorkspace(t)
		service.AddAPIKey(stranger, "somebody else") // whose list is empty
		w.Applies(address, core.Object{"id": id})
		service.RemoveCharacter(id)
		service.Fault(test.fault)
		w.Set(test.settings)
		result := w.Refresh()
		gone := w.State(address) == nil
		check.True(
			t,
			"gone, or an error",
			gone == test.gone && result.Diagnostics.HasErrors() != gone,
			test.gone,
			result.Diagnostics,
		)
		check.True(
			t,
			"the refresh says what is not proven",
			test.gone || strings.Contains(result.Diagnostics.String(), "does not prove"),
			result.Diagnostics,
		)
	})
}

// What one reading lacks, and the next one shows, is there: nothing is dropped.
// Two characters that are gone share the second list. Fault F30.
func TestUnlistedCharacterIsLookedForTwice(t *testing.T) {
	t.Parallel()
	noList := mockserver.Fault{
		Route: mockserver.RouteCharacters,
		Times: 1,
		Body:  `{"characters":[],"pagination":{"has_more":false}}`,
	}
	noRoute := mockserver.Fault{
		Route:  mockserver.RouteCapabilities,
		Times:  2,
		Status: 404,
		Body:   `{"detail":"Not Found"}`,
	}
	for name, test := range map[string]struct {
		faults              []mockserver.Fault
		exists              bool
		lists, capabilities int
		says                string
	}{
		"gone":             {nil, false, 2, 4, gone},
		"a list that lags": {[]mockserver.Fault{noList}, true, 1, 2, "Character Not Listed"},
		"all that lags":    {[]mockserver.Fault{noList, noRoute}, true, 2, 2, "Character List Incomplete"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewScenario(t)
			for _, name := range []string{"a", "b"} {
				s.Resource(
					"mediagen_character."+name,
					core.Object{"id": s.AddCharacter(mockserver.CharacterSeed{ID: name})},
				)
			}
			s.Apply().Must()
			for _, name := range []string{"a", "b"} {
				if !test.exists {
					s.RemoveCharacter(name)
				}
			}
			for _, fault := range test.faults {
				s.Fault(fault)
			}
			s.ResetJournal()
			result := s.Refresh().Must()
			check.True(t, "both are told", len(result.Diagnostics.Find(test.says)) == 2, result.Diagnostics)
			check.Equal(t, "objects left", len(s.Addresses()), map[bool]int{true: 2}[test.exists])
			s.WantCount(t, mockserver.RouteCharacters, test.lists)
			s.WantCount(t, mockserver.RouteCapabilities, test.capabilities)
		})
	}
}

// A created character that no read has ever shown is pending for ten minutes by
// our clock, and then as gone as any: made and deleted by hand before the next
// refresh, it would never be missed. Who trusts a 404 need not wait. Fault F12.
func TestCreatedCharacterThatWasNeverShown(t *testing.T) {
	t.Parallel()
	type row struct {
		after  time.Duration
		change core.Object
		gone   bool
	}
	check.Each(t, map[string]row{
		"at once":            {},
		"after nine minutes": {after: 9 * time.Minute},
		"after ten minutes":  {after: 10*time.Minute + time.Second, gone: true},
		"trusted":            {change: core.Object{"trust_not_found": true}, gone: true},
		"to a stranger":      {after: time.Hour, change: core.Object{"api_key": "strangers-api-key-0123456789"}},
	}, func(t *testing.T, test row) {
		s := newExtended(t)
		s.AddAPIKey("strangers-api-key-0123456789", "somebody else")
		s.Applies(ada, core.Object{"name": "Ada"})
		s.RemoveCharacter(characterIDs(s)[0])
		s.Clock.Advance(test.after)
		s.Set(test.change)
		result := s.Refresh()
		check.True(
			t,
			"gone, and said to be",
			(s.State(ada) == nil) == test.gone && len(result.Diagnostics.Find(gone)) > 0 == test.gone,
			test.gone,
			result.Diagnostics,
		)
		if test.gone {
			s.Apply().Must()
			s.WantCount(t, mockserver.RouteCreate, 2)
		}
	})
}

// The same of an image, unless the list may show it by another id than its
// upload. Fault F12.
func TestImageThatWasNeverShown(t *testing.T) {
	t.Parallel()
	type row struct {
		after   time.Duration
		differs bool
		other   string
		gone    bool
	}
	check.Each(t, map[string]row{
		"after nine minutes":      {after: 9 * time.Minute},
		"after ten minutes":       {after: 11 * time.Minute, gone: true},
		"beside another":          {after: 11 * time.Minute, other: "other.png", gone: true},
		"beside one of its name":  {after: 11 * time.Minute, other: "front.png"},
		"by another id for years": {after: 10_000 * time.Hour, differs: true},
	}, func(t *testing.T, test row) {
		service, w, character, _ := newImage(t, func(o *mockserver.Options) { o.Variant.AssetIDsDiffer = test.differs })
		for _, asset := range service.Assets(character) {
			if !test.differs {
				service.RemoveAsset(character, asset.ID)
			}
		}
		if test.other != "" {
			service.AddAsset(character, "face_image", test.other, []byte(png))
		}
		service.Clock.Advance(test.after)
		w.Apply().Must()
		uploads := 1
		if test.gone {
			uploads = 2
		}
		service.WantCount(t, mockserver.RouteUpload, uploads)
	})
}

// A deployment that cannot show a character alone is read as without; of two that
// were asked for it is said, once.
// Fault F13b.
func TestCharactersAreNotShownAlone(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	for i := range 150 {
		s.AddCharacter(mockserver.CharacterSeed{ID: fmt.Sprintf("ch_%d", i), Name: fmt.Sprint(i)})
	}
	for i := 146; i < 150; i++ {
		s.Resource(fmt.Sprintf("mediagen_character.c%d", i), core.Object{"id": fmt.Sprintf("ch_%d", i)})
	}
	s.Apply().Must()
	s.Set(core.Object{"extended_reads": true})
	fault := mockserver.MissingRoute()[405]
	fault.Route = mockserver.RouteCharacter
	fault.Times = 1000
	s.Fault(fault)
	s.ResetJournal()
	plan := s.Plan().Must()
	plan.WantEmpty()
	// Read one after the other, the first asks and then has the whole list.
	asked := s.Count(mockserver.RouteCharacter)
	told := plan.Diagnostics.Warnings().Find("Extended Read Failed")
	check.True(
		t,
		"asked once or twice, and told once",
		asked >= 1 && asked <= 2 && len(told) == 1,
		asked,
		plan.Diagnostics,
	)
	s.WantCount(t, mockserver.RouteCharacters, 2)
}
