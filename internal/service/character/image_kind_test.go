package character_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/service/character"
)

func TestAnotherKindOfImageIsDescribedAsThat(t *testing.T) {
	t.Parallel()
	images, listed := character.BodyImages()
	var resourceSchema resource.SchemaResponse
	images.Schema(t.Context(), resource.SchemaRequest{}, &resourceSchema)
	var listSchema list.ListResourceSchemaResponse
	listed.ListResourceConfigSchema(t.Context(), list.ListResourceSchemaRequest{}, &listSchema)
	for name, words := range map[string]string{
		"resource": fmt.Sprintf("%+v", resourceSchema.Schema), "list": fmt.Sprintf("%+v", listSchema.Schema),
	} {
		if !strings.Contains(words, "body image") || strings.Contains(strings.ToLower(words), "face image") {
			t.Errorf("%s: %s", name, words)
		}
	}
	for _, describe := range []func(*resource.MetadataResponse){
		func(resp *resource.MetadataResponse) {
			images.Metadata(t.Context(), resource.MetadataRequest{ProviderTypeName: "mediagen"}, resp)
		},
		func(resp *resource.MetadataResponse) {
			listed.Metadata(t.Context(), resource.MetadataRequest{ProviderTypeName: "mediagen"}, resp)
		},
	} {
		var resp resource.MetadataResponse
		if describe(&resp); resp.TypeName != "mediagen_body_image" {
			t.Errorf("the type is %q", resp.TypeName)
		}
	}
}
