package generation_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

// Fault F5.
func TestAssign_findsThePromptOfEachResult(t *testing.T) {
	t.Parallel()
	entry := func(id string, index int64) api.BatchEntry {
		return api.BatchEntry{GenerationID: &id, PromptIndex: &index}
	}
	bare := func(id string) api.BatchEntry { return api.BatchEntry{GenerationID: &id} }
	for name, test := range map[string]struct {
		results []api.BatchEntry
		count   int
		want    []string
		open    bool
		surplus []string
	}{
		"from 0":                {[]api.BatchEntry{entry("a", 0), entry("b", 1)}, 2, []string{"a", "b"}, false, nil},
		"from 1":                {[]api.BatchEntry{entry("a", 1), entry("b", 2)}, 2, []string{"a", "b"}, false, nil},
		"reordered from 1":      {[]api.BatchEntry{entry("b", 2), entry("a", 1)}, 2, []string{"a", "b"}, false, nil},
		"one, from 1":           {[]api.BatchEntry{entry("a", 1)}, 1, []string{"a"}, false, nil},
		"without index":         {[]api.BatchEntry{bare("a"), bare("b")}, 2, []string{"a", "b"}, true, nil},
		"one, without index":    {[]api.BatchEntry{bare("a")}, 1, []string{"a"}, false, nil},
		"fewer, base unclear":   {[]api.BatchEntry{entry("b", 1), entry("c", 2)}, 3, []string{"", "b", "c"}, true, nil},
		"fewer, base clear":     {[]api.BatchEntry{entry("a", 0), entry("c", 2)}, 3, []string{"a", "", "c"}, false, nil},
		"doubled index":         {[]api.BatchEntry{entry("a", 0), entry("b", 0)}, 2, []string{"a", "b"}, true, nil},
		"doubled result":        {[]api.BatchEntry{entry("a", 0), entry("a", 0), entry("b", 1)}, 2, []string{"a", "b"}, false, nil},
		"more than asked":       {[]api.BatchEntry{entry("a", 0), entry("b", 1), entry("c", 2)}, 1, []string{"a"}, true, []string{"b", "c"}},
		"none":                  {nil, 2, []string{"", ""}, true, nil},
		"absurd and negative":   {[]api.BatchEntry{entry("a", -9223372036854775808), entry("b", 9223372036854775807)}, 2, []string{"a", "b"}, true, nil},
		"one id of two prompts": {[]api.BatchEntry{entry("a", 0), entry("a", 1)}, 2, []string{"a", "a"}, false, nil},
		"one id of two, twice":  {[]api.BatchEntry{entry("a", 0), entry("a", 0), entry("a", 1)}, 2, []string{"a", "a"}, false, nil},
		"one id, without index": {[]api.BatchEntry{bare("a"), bare("a")}, 2, []string{"a", "a"}, true, nil},
		"an id twice, no index": {[]api.BatchEntry{bare("a"), bare("a"), bare("b")}, 2, []string{"a", "b"}, true, nil},
		"both 0 and the count":  {[]api.BatchEntry{entry("a", 0), entry("b", 2)}, 2, []string{"a", "b"}, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, open, surplus := generation.Assign(test.results, test.count)
			check.Equal(t, "ids", got, test.want)
			check.Equal(t, "open", open, test.open)
			check.Equal(t, "surplus", surplus, test.surplus)
		})
	}
}
