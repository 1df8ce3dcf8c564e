package evidence_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
)

func extended(config *stub.Config) { config.ExtendedReads = true }

// characterRegistry serves n characters, by page and, unless it lacks the
// route, each by itself.
func characterRegistry(n int, lacks int) stub.Answer {
	return func(w http.ResponseWriter, r *http.Request, _ int) {
		if id, alone := strings.CutPrefix(r.URL.Path, "/base/v2/characters/"); alone {
			number, err := strconv.Atoi(strings.TrimPrefix(id, "ch"))
			switch {
			case lacks != 0:
				stub.Respond(w, lacks, `{"error":"not_found","message":"no such endpoint"}`)
			case err != nil || number >= n:
				stub.Respond(w, 404, `{"error":"not_found","message":"no such character"}`)
			default:
				stub.Respond(w, 200, fmt.Sprintf(`{"character_id":%q,"name":"alone"}`, id))
			}
			return
		}
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		var items []string
		for i := offset; i < min(offset+100, n); i++ {
			items = append(items, fmt.Sprintf(`{"character_id":"ch%d","name":"listed"}`, i))
		}
		stub.Respond(w, 200, page(items, 100, offset, offset+100 < n))
	}
}

// At most twice what the cheaper way takes, and one more, without knowing which
// that is.
func TestCharactersAloneOrByPage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ characters, wanted, most int }{
		"50 of 100,000": {100_000, 50, 2*50 + 1},
		"300 of 300":    {300, 300, 2*3 + 1},
		"2 of 150":      {150, 2, 2*2 + 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stub.NewService(t, characterRegistry(test.characters, 0))
			client := s.Client(t, extended)
			check.Times(test.wanted, func(i int) {
				id := fmt.Sprintf("ch%d", test.characters-1-i*(test.characters/test.wanted))
				for range 2 { // the second time nothing is sent
					found, _, err := client.Characters.Find(t.Context(), id)
					check.True(t, id, err == nil && found != nil && found.ID == id, found, err)
				}
			})
			check.True(t, "requests", len(s.Requests()) <= test.most, len(s.Requests()))
		})
	}
}

// What a character's own address says proves nothing: the list decides, as
// without. Nor does its failure fail anything.
// Fault F30.
func TestCharacterThatIsNotThereAlone(t *testing.T) {
	t.Parallel()
	for _, status := range []int{0, 400, 403, 404, 405, 410, 501, 503} {
		s := stub.NewService(t, characterRegistry(250, status))
		client := s.Client(t, extended)
		for _, id := range []string{"ch240", "ch7"} {
			found, _, err := client.Characters.Find(t.Context(), id)
			check.True(t, id, err == nil && found != nil, status, found, err)
		}
		found, complete, err := client.Characters.Find(t.Context(), "ch999")
		check.True(t, "a missing character", err == nil && found == nil && complete, status, found, complete, err)
		told := client.FailedRead()
		check.True(t, "it is told", (told != nil) == (status > 0 && status != 404 && status != 410), status, told)
	}
}
