package live_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const secret = "sesame"

func atMock(t *testing.T, variant mockserver.Variant) (*session, *acctest.Service) {
	t.Helper()
	service := acctest.NewService(t, func(o *mockserver.Options) {
		o.Extended, o.Variant, o.APIKey, o.OrganizationID = true, variant, "key-"+secret, "org-"+secret
	})
	service.AddCharacter(mockserver.CharacterSeed{ID: "ch_" + secret, Name: secret, FaceImages: 1, BodyImages: 1, DatasetImages: 2})
	service.GenerateElsewhere("ch_"+secret, secret, secret)
	service.StartTrainingElsewhere("ch_" + secret)
	service.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Rewrite: func(reply map[string]any) { reply[secret+"1"] = secret }})
	environment := map[string]string{"MEDIAGEN_BASE_URL": service.URL, "MEDIAGEN_API_KEY": "key-" + secret, "MEDIAGEN_EXTENDED_READS": "true"}
	return newSession(t, http.DefaultTransport, func(variable string) string { return environment[variable] }, service.Clock), service
}

// TestReport: what a reply lacks, has as null, as another type or beside what is described is in
// the report, by endpoint, and no value is.
func TestReport(t *testing.T) {
	t.Parallel()
	const list = mockserver.RouteCharacters + " 200: "
	for name, test := range map[string]struct {
		variant mockserver.Variant
		want    []string
	}{
		"plain": {mockserver.Variant{}, []string{
			list + "characters[].subscription_id: null", mockserver.RouteTraining + " 200: face_training: null", mockserver.RouteCapabilities + " 200: (an unusual name): not described",
			mockserver.RouteToken + " 200", mockserver.RouteAssets + " 200", mockserver.RouteDataset + " 200", mockserver.RouteGroups + " 200",
		}},
		"nulls":   {mockserver.Variant{Nulls: mockserver.NullsMany}, []string{list + "characters[].creator_id: null", list + "filters: null"}},
		"missing": {mockserver.Variant{Nulls: mockserver.NullsMissing}, []string{list + "characters[].creator_id: missing", ": character_training.training_phase: missing"}},
		"types":   {mockserver.Variant{Numbers: mockserver.NumbersText}, []string{list + "characters[].current_step: string instead of integer"}},
		"times":   {mockserver.Variant{Times: mockserver.TimesZoneless}, []string{list + "characters[].created_at: format"}},
		"extra":   {mockserver.Variant{ExtraFields: true}, []string{list + "pagination.x_unknown: not described", list + "characters[].x_unknown: not described"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, service := atMock(t, test.variant)
			s.read(true)
			report := s.recorder.String()
			check.Contains(t, "the report", report, test.want...)
			for _, value := range []string{secret, "eyJ", "127.0.0.1"} {
				check.True(t, "not in the report", !strings.Contains(report, value), value, report)
			}
			check.True(t, "nothing was bought or changed", len(service.Ledger().Entries)+len(service.Ledger().Deletions) == 0, service.Ledger())
		})
	}
}

func TestBuy(t *testing.T) {
	t.Parallel()
	for character, characters := range map[string]int{"": 2, "ch_" + secret: 1} {
		s, service := atMock(t, mockserver.Variant{})
		s.buy(character)
		ledger := service.Ledger()
		check.True(t, "bought", len(ledger.Entries) == 1 && len(ledger.Entries[0].Prompts) == 1, ledger)
		check.True(t, "deleted", len(ledger.Deletions) == characters && len(service.State().Characters) == 1 && len(service.Groups()) == 1, ledger)
		check.Contains(t, "the report", s.recorder.String(), mockserver.RouteBatch+" 200", mockserver.RouteStatus+" 200", mockserver.RouteDeleteGroup+" 200")
	}
}
