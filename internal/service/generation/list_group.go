package generation

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// newGroupList describes the list of groups for terraform query.
func newGroupList() list.ListResource {
	return run.List{
		Name: "generation_group",
		Noun: "Generation Groups",
		Description: "The generation groups that the credential can list, except empty ones.\n\n" +
			"Listing costs no credits. It needs the provider's `extended_reads` and a deployment that shows groups. " +
			"The key of a prompt consists of its words if they are unique within the group, else of `p` and a " +
			"number. Generated configuration leaves out photo edits without a text, with a warning, and has " +
			"`deletion_policy = \"keep\"`: until you change it, a destroy leaves the media at the service.",
		Input: "character_id",
		Attribute: schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Id of the character whose groups are listed. Defaults to the groups of all " +
				"characters, and those without one.",
			Validators: []validator.String{framework.ID()},
		},
		Read: listGroups,
	}.New()
}

// listGroups lists the groups of a character, or of all characters, as
// resources whose configuration changes nothing but deletion_policy. The
// endpoint is only used if extended_reads says that it exists.
func listGroups(
	ctx context.Context,
	data *run.ProviderData,
	character types.String,
	results *run.Results,
) error {
	if !data.ReadsMore() {
		return errNotExtended
	}
	for listed, err := range data.Client.Groups.Each(ctx, character.ValueString()) {
		if err != nil {
			return err
		}
		g := importedGroup(data, types.StringValue(listed.ID), nil)
		reading := refresh{operation: operation{data: data, group: g}}
		if results.IncludeResource {
			err = reading.run(ctx)
		} else {
			_, err = reading.readListed(ctx)
		}
		wanted := true
		switch {
		case errors.Is(err, errEmptyGroup):
		case reply.IsNotFound(err):
			wanted = results.Say(listedNotFound(listed.ID, err))
		case err != nil:
			return fmt.Errorf("the group %q: %w", listed.ID, err)
		default:
			wanted = addTo(ctx, g, results)
		}
		if !wanted {
			return nil
		}
	}
	return nil
}

// addTo adds a listed group to the results. If a configuration is generated,
// generations that no configuration can have are left out, with a warning.
func addTo(ctx context.Context, g *group, results *run.Results) (more bool) {
	var taken []string
	if results.IncludeResource {
		taken = takeWithoutText(g)
	}
	if len(taken) > 0 && !results.Say(withoutText(g, taken)) {
		return false
	}
	if len(g.Generations) == 0 {
		return true
	}
	// A generated configuration keeps the media until a person changes it:
	// adopting a group must not delete anything.
	g.values.DeletionPolicy = types.StringValue(framework.PolicyKeep)
	return results.Add(ctx, g.identity(), g.encode(), g.values.Title.ValueString(), g.values.ID.ValueString())
}

// takeWithoutText removes generations without a text from the group, and
// returns their ids. A prompt needs a text or a photo, and no reply shows the
// photo of an edit.
func takeWithoutText(g *group) (ids []string) {
	for _, key := range g.GenerationKeys() {
		if strings.TrimSpace(g.Prompts[key].Text.Get()) == "" {
			ids = append(ids, g.Generations[key].ID.Get())
			g.Remove(key)
			delete(g.Prompts, key)
		}
	}
	return ids
}
