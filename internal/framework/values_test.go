package framework_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// What a service only normalises is no change.
func TestSameText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stored types.String
		served *string
		want   types.String
	}{
		"equal":              {types.StringValue("a"), new("a"), types.StringValue("a")},
		"trimmed":            {types.StringValue(" a\n"), new("a"), types.StringValue(" a\n")},
		"other line ends":    {types.StringValue("a\nb"), new("a\r\nb"), types.StringValue("a\nb")},
		"null for empty":     {types.StringValue(""), nil, types.StringValue("")},
		"another":            {types.StringValue("a"), new("b"), types.StringValue("b")},
		"null for something": {types.StringValue("a"), nil, types.StringNull()},
		"nothing stored":     {types.StringNull(), new(" a "), types.StringValue(" a ")},
		"not known yet":      {types.StringUnknown(), nil, types.StringNull()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := framework.SameText(test.stored, test.served); !got.Equal(test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// A signature is no change of an address.
func TestSameAddress(t *testing.T) {
	t.Parallel()
	const stored = "https://cdn.example/a.png?sig=1"
	for served, want := range map[string]string{
		"https://cdn.example/a.png?sig=2":   stored,
		"https://cdn.example/a.png":         stored,
		"https://cdn.example/a.png#part":    stored,
		"https://cdn.example/b.png?sig=1":   "https://cdn.example/b.png?sig=1",
		"https://other.example/a.png?sig=1": "https://other.example/a.png?sig=1",
	} {
		check.Equal(t, served, framework.SameAddress(types.StringValue(stored), &served).ValueString(), want)
		check.Equal(t, served, framework.SameAddresses([]string{stored}, []string{served}), []string{want})
	}
	if got := framework.SameAddress(types.StringValue(stored), nil); !got.IsNull() {
		t.Errorf("no address becomes %s", got)
	}
	two := []string{stored, stored}
	check.Equal(t, "length of a longer list", len(framework.SameAddresses([]string{stored}, two)), 2)
}

func TestSeveral(t *testing.T) {
	t.Parallel()
	items := strings.Split("abcdefghijklm", "")
	for count, want := range map[int]string{
		0: "", 1: "a", 3: "a, b, c", 4: "a, b, c, and 1 more", 13: "a, b, c, and 10 more",
	} {
		if got := framework.Several(items[:count], ", "); got != want {
			t.Errorf("%d are %q", count, got)
		}
	}
	check.Equal(t, "the list's last item", items[3], "d")
}
