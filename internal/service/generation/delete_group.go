package generation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// remover deletes generations and their media.
type remover struct {
	client *api.Client
	group  *group
	diags  *diag.Diagnostics
	// everything: the whole group goes, also what its keys hold.
	everything bool
	// tried holds, by id, how each deletion of a generation has ended.
	tried map[string]error
	// lost are images that stay at the service and that no request can name any
	// more, because their generation is gone.
	lost []string
}

// judge concludes from the outcome of a deletion: what is proven to be gone is
// done with.
func (r *remover) judge(answer error) (gone bool, err error) {
	last := api.Sighting{Shown: true, By: r.group.private.By}
	verdict, err := r.client.Judge(answer, last)
	if verdict == api.Present {
		r.group.private.By = r.client.Seen(last).By
	}
	return verdict == api.Gone, err
}

// generation deletes one generation, once, unless a key of the group needs it,
// and says whether it was still there. Every deletion of a single generation
// comes through here.
func (r *remover) generation(ctx context.Context, id string) (found bool, err error) {
	if !r.everything && r.group.needs(id) {
		return false, nil
	}
	if err, again := r.tried[id]; again {
		return false, err
	}
	if r.tried == nil {
		r.tried = map[string]error{}
	}
	found, err = r.delete(ctx, id)
	r.tried[id] = err
	return found, err
}

// delete sends a second request when the first left images behind.
func (r *remover) delete(ctx context.Context, id string) (found bool, err error) {
	var left []string
	for range 2 {
		result, answer := r.client.DeleteGeneration(ctx, id)
		switch gone, err := r.judge(answer); {
		case gone:
			r.lost = append(r.lost, left...)
			return found, nil
		case err != nil:
			return found, err
		}
		found, left = true, result.FailedDeletionURLs
		if len(left) == 0 && count(result.FailedDeletions) == 0 {
			return true, nil
		}
	}
	return true, fmt.Errorf("the service deleted the generation %s only in part; images that still stand: %s", id, listed(left))
}

// all deletes the group and then, one by one, what its reply says is left. The
// ids that still stand after that are returned with the reason.
func (r *remover) all(ctx context.Context) (standing map[string]error, err error) {
	g := r.group
	ids := g.allIDs()
	var images []string
	var again bool
	if g.hasID() {
		result, answer := r.client.DeleteGroup(ctx, g.model.ID.ValueString())
		gone, err := r.judge(answer)
		switch {
		case gone && !g.private.Leftovers:
			return nil, nil
		case gone:
		case err != nil && result == nil:
			return nil, err
		default:
			ids, images = leftovers(ids, result, err != nil || g.private.Leftovers), result.FailedImageURLs
			again = len(ids) > 0
		}
	}
	standing = map[string]error{}
	for _, id := range ids {
		found, err := r.generation(ctx, id)
		if err != nil {
			standing[id] = err
		}
		if found {
			// It took its images with it, or names them in its error.
			images = nil
		}
	}
	r.lost = append(r.lost, images...)
	if again && len(standing) == 0 {
		// What was left behind may have kept the group, which is empty now.
		_, answer := r.client.DeleteGroup(ctx, g.model.ID.ValueString())
		if _, err := r.judge(answer); err != nil {
			return nil, err
		}
	}
	return standing, nil
}

// leftovers are the ids that a group deletion did not delete, as far as its
// reply tells: what it lists as failed, and, if it failed or its counts do not
// add up, what it does not list as deleted.
func leftovers(ids []string, result *api.GroupDeletion, failed bool) []string {
	left := slices.Clone(result.FailedGenerationIDs)
	failed = failed || count(result.FailedGenerationDeletions) > 0 || count(result.TotalFailedImageDeletions) > 0 || len(result.FailedImageURLs) > 0
	short := result.DeletedGenerations != nil && *result.DeletedGenerations < int64(len(ids))
	if !failed && !short {
		return left
	}
	for _, id := range ids {
		if !slices.Contains(left, id) && !slices.Contains(result.DeletedGenerationIDs, id) {
			left = append(left, id)
		}
	}
	return left
}

func count(number *int64) int64 {
	if number == nil {
		return 0
	}
	return *number
}

// allIDs are all the generations of the group, superseded ones too, each once.
func (g *group) allIDs() []string {
	var ids []string
	for _, key := range sortedKeys(g.prompts) {
		for _, id := range g.withSuperseded(key) {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// superseded deletes what finished generations have superseded. What cannot
// be deleted stays noted, and the next plan shows the group as incomplete.
func (r *remover) superseded(ctx context.Context) {
	g := r.group
	for _, key := range g.deletable() {
		var left []string
		for _, id := range g.private.Superseded[key] {
			if g.needs(id) {
				left = append(left, id)
			} else if _, err := r.generation(ctx, id); err != nil {
				left = append(left, id)
				r.diags.Append(framework.Failure{
					Verb: "Delete", Noun: "Superseded Generation", Object: fmt.Sprintf("generation %q, formerly of the prompt %q", id, key),
					Consequence: "Its successor is finished and paid for; the old media are still at the service. The next apply tries again.",
				}.Warning(err))
			}
		}
		if g.private.Superseded[key] = left; len(left) == 0 {
			delete(g.private.Superseded, key)
		}
	}
}

// removed deletes the generations of keys that left the configuration. What
// cannot be deleted goes back into the working copy, with an error.
func (r *remover) removed(ctx context.Context, prior *group, keys []string) {
	g := r.group
	for _, key := range keys {
		var left []string
		for _, id := range prior.withSuperseded(key) {
			if _, err := r.generation(ctx, id); err != nil {
				left = append(left, id)
				r.diags.Append(framework.Failure{
					Verb: "Delete", Noun: "Generation", Object: fmt.Sprintf("generation %q of the prompt %q", id, key),
					Consequence: "Its media are still at the service. The prompt stays in the state, and the next apply tries again.",
				}.Error(err))
			}
		}
		if len(left) == 0 {
			continue
		}
		if _, taken := g.prompts[key]; !taken {
			g.prompts[key], g.generations[key] = prior.prompts[key], prior.generations[key]
			left = slices.DeleteFunc(left, func(id string) bool { return id == prior.generations[key].ID.ValueString() })
		}
		if len(left) > 0 {
			g.private.Superseded[key] = append(g.private.Superseded[key], left...)
		}
	}
}

// warnOfLost names the images that nobody can delete any more.
func (r *remover) warnOfLost() {
	if len(r.lost) > 0 {
		r.diags.AddWarning("Images Could Not Be Deleted",
			"The service deleted the generations but not these images, and no request can name them any more. Ask the service's operator to delete them: "+listed(r.lost))
	}
}

func listed(texts []string) string {
	if len(texts) == 0 {
		return "none named"
	}
	return strings.Join(texts, ", ")
}
