package generation_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

func TestImportID_isAJSONObject(t *testing.T) {
	t.Parallel()
	got, err := generation.DecodeImportID(`{"a":"g1", "b/c":"g2"}`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "g1", "b/c": "g2"}, got); diff != "" {
		t.Error(diff)
	}
	for _, id := range []string{"", "g1", "{}", "[]", `{"a":1}`, `{"a":null}`, `{"a":""}`, `{"":"g"}`, `{"a":"g","a":"h"}`, `{"a":"g","b":"g"}`, `{"a":"g"}x`, `{"a":{"b":"c"}}`, `{"a":"g"`} {
		if _, err := generation.DecodeImportID(id); err == nil {
			t.Errorf("%s was accepted", id)
		}
	}
}

func FuzzIdentityPairs(f *testing.F) {
	f.Add("a", "g1", "b", "g2")
	f.Add("a,b=c%", "g=1", "%2C", "g,2")
	f.Fuzz(func(t *testing.T, key1, id1, key2, id2 string) {
		pairs := map[string]string{key1: id1, key2: id2}
		decoded, err := generation.DecodePairs(generation.EncodePairs(pairs))
		if err == nil && !maps.Equal(pairs, decoded) {
			t.Errorf("%q became %q", pairs, decoded)
		}
	})
}
