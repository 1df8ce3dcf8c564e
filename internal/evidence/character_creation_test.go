package evidence_test

import (
	"net/http"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// It is there at once, and in lists that do not show it yet; what a later page
// says of it is newer.
func TestCreatedCharacterJoinsTheList(t *testing.T) {
	t.Parallel()
	name := ""
	s := stub.NewService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		switch {
		case r.Method == http.MethodPost:
			stub.Respond(w, 200, `{"character_id":"new","name":"Ada","face_images_count":0}`)
		case name != "":
			stub.Respond(
				w,
				200,
				page([]string{`{"character_id":"ch0"}`, `{"character_id":"new","name":"` + name + `"}`}, 100, 0, false),
			)
		default:
			stub.Respond(w, 200, page([]string{`{"character_id":"ch0"}`}, 100, 0, false))
		}
	})
	client := s.Client(t)
	made, err := client.Characters.Create(t.Context(), api.CharacterCreation{Name: "Ada"})
	check.True(t, "it is made", err == nil && made.ID == "new", made, err)
	found, _, err := client.Characters.Find(t.Context(), "new")
	check.True(
		t,
		"it is listed without a request",
		err == nil && found != nil && len(s.Requests()) == 1,
		found,
		err,
		len(s.Requests()),
	)
	wantNames := func(when, second string) {
		t.Helper()
		_ = client.Characters.Delete(t.Context(), "another") // after any change the list is read again
		client.Characters.Refresh()
		all, err := client.Characters.All(t.Context())
		check.True(
			t,
			when,
			err == nil && len(all.Characters) == 2 && stub.Deref(all.Characters[1].Name) == second,
			all,
			err,
		)
	}
	wantNames("not shown", "Ada")
	name = "Ada L."
	wantNames("shown", "Ada L.")
	check.True(t, "what is known", len(client.Known("")) >= 2, client.Known(""))
}

// Fault F4.
func TestCreationWithoutAnID(t *testing.T) {
	t.Parallel()
	for body, unknown := range map[string]bool{
		`{"name":"Ada"}`:                              true,
		`{"success":true}`:                            true,
		`{"success":false,"character_id":"new"}`:      true,
		`{"success":false,"message":"no"}`:            false,
		`{"error":"no","message":"too many of them"}`: false,
	} {
		s := stub.NewService(t, stub.Always(200, body))
		made, err := s.Client(t).Characters.Create(t.Context(), api.CharacterCreation{Name: "Ada"})
		check.True(t, body, made == nil && err != nil && reply.IsEffectUnknown(err) == unknown, made, err, unknown)
	}
}
