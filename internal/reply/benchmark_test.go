package reply_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// BenchmarkDecode decodes a page of 100 characters.
func BenchmarkDecode(b *testing.B) {
	character := `{"character_id":"ch_1","organization_id":"org_1","name":"Ada","description":"A text.","status":"ready","current_step":4,"face_images_count":10,"created_at":"2026-01-01T00:00:00Z"}`
	page := []byte(`{"characters":[` + character + strings.Repeat(","+character, 99) + `]}`)
	for b.Loop() {
		said, err := reply.DecodeObject(page)
		check.Must(b, err)
		if characters, whole := said.Objects("characters"); len(characters) != 100 || !whole {
			b.Fatal(len(characters))
		}
	}
}
