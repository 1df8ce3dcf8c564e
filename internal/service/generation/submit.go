package generation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// purchase submits the prompts of some keys of a group.
type purchase struct {
	data  *framework.Data
	group *group
	diags *diag.Diagnostics
	// made: a batch was accepted, or may have been. From then on everything
	// that goes wrong is a warning.
	made bool
}

// submit sends the keys in as many batches as are configured. It stops at the
// first batch that is not known to be accepted: what follows stays unsubmitted
// and is planned again. It reports whether the operation may go on, which it
// may not after an error that came before anything was bought.
func (p *purchase) submit(ctx context.Context, keys []string) bool {
	if len(keys) == 0 {
		return true
	}
	if !p.checkCapabilities(ctx, keys) {
		return false
	}
	size := p.data.MaxPromptsPerBatch
	if limit := p.group.model.MaxPromptsPerBatch; !limit.IsNull() {
		size = limit.ValueInt64()
	}
	if size <= 0 {
		size = int64(len(keys))
	}
	for batch := range slices.Chunk(keys, int(size)) {
		p.nameGroup(ctx, keys)
		result, err := p.data.Client.SubmitBatch(ctx, p.request(batch))
		if err == nil {
			err = p.accept(batch, result)
		}
		if err != nil {
			p.fail(ctx, batch, err)
			break
		}
	}
	return p.made
}

// nameGroup asks a generation of an earlier batch for the group, if that
// batch's reply did not name it: the next batch would make another group. What
// one status does not tell, the others do not either.
func (p *purchase) nameGroup(ctx context.Context, keys []string) {
	for _, key := range keys {
		id := p.group.generations[key].ID.ValueString()
		if id == "" || p.group.hasID() {
			continue
		}
		if status, verdict, _ := p.group.find(ctx, p.data.Client, id); verdict == api.Present {
			p.group.observe(id, status, true)
			return
		}
	}
}

func (p *purchase) request(keys []string) api.Batch {
	batch := api.Batch{
		CharacterID: p.group.model.CharacterID.ValueStringPointer(),
		GroupTitle:  p.group.model.Title.ValueStringPointer(),
	}
	if p.group.hasID() {
		batch.GroupID = p.group.model.ID.ValueStringPointer()
	}
	for _, key := range keys {
		prompt := p.group.prompts[key]
		batch.Prompts = append(batch.Prompts, api.Prompt{
			Prompt:   prompt.Prompt.ValueString(),
			FaceSwap: prompt.FaceSwap.ValueBoolPointer(), UseFaceLoRA: prompt.UseFaceLoRA.ValueBoolPointer(),
			UseBodyLoRA: prompt.UseBodyLoRA.ValueBoolPointer(), SourceImageURL: prompt.SourceImageURL.ValueStringPointer(),
		})
	}
	return batch
}

// accept records the receipt of a batch and what became of each prompt. A
// reply that rejects every prompt is an error: nothing was bought.
func (p *purchase) accept(keys []string, result *api.BatchResult) error {
	assigned := assign(result.Results, len(keys))
	if reason, rejected := allRejected(assigned, result); rejected {
		failure := &api.Error{Operation: "POST /generation/batch", Message: "every prompt was rejected: " + reason}
		if result.GroupID != nil {
			failure.GroupID = *result.GroupID
		}
		return failure
	}
	p.made = true
	g := p.group
	g.private.By = p.data.Client.Seen(api.Sighting{By: g.private.By}).By
	p.join(result.GroupID)
	if g.model.GenerationType.IsNull() || g.model.GenerationType.IsUnknown() {
		g.model.GenerationType = types.StringPointerValue(result.GenerationType)
	}
	g.batches = append(g.batches, receipt(result))
	if result.CreditsDeducted != nil {
		g.model.CreditsDeducted = types.Float64Value(g.model.CreditsDeducted.ValueFloat64() + *result.CreditsDeducted)
	}
	if result.RemainingBalance != nil {
		g.model.RemainingBalance = types.Float64Value(*result.RemainingBalance)
	}
	p.record(keys, assigned)
	return nil
}

// join takes the name of the group from a batch's reply. A service may put
// what was to join a group into another one.
func (p *purchase) join(named *string) {
	g := p.group
	switch {
	case named == nil || *named == "" || g.model.ID.ValueString() == *named:
	case !g.hasID():
		g.model.ID = types.StringValue(*named)
	default:
		g.private.Leftovers = true
		p.diags.AddWarning("Generations Are in Another Group",
			fmt.Sprintf("The batch was to be added to the generation group %q, and the service answered that it is the group %q. "+
				"Destroy deletes its generations one by one; the other group itself is left alone, and may have to be deleted at the service.", g.model.ID.ValueString(), *named))
	}
}

func receipt(result *api.BatchResult) batchModel {
	return batchModel{
		ID: types.StringPointerValue(result.BatchID), Status: types.StringPointerValue(result.Status), Message: types.StringPointerValue(result.Message),
		TotalRequested:        types.Int64PointerValue(result.TotalRequested),
		SuccessfulSubmissions: types.Int64PointerValue(result.SuccessfulSubmissions),
		FailedSubmissions:     types.Int64PointerValue(result.FailedSubmissions),
		EstimatedTime:         types.Float64PointerValue(result.EstimatedTime),
		CreditsDeducted:       types.Float64PointerValue(result.CreditsDeducted),
	}
}

// fail deals with a batch that was not accepted, or not known to be.
func (p *purchase) fail(ctx context.Context, keys []string, err error) {
	var failure *api.Error
	errors.As(err, &failure)
	if api.IsOutcomeUnknown(err) {
		p.made = true
		if failure != nil && failure.GroupID != "" && !p.group.hasID() {
			p.group.model.ID = types.StringValue(failure.GroupID)
		}
		for _, key := range keys {
			p.group.generations[key] = outcomeUnknown(p.group.generations[key].Attempts.ValueInt64()+1, err.Error(), p.data.Clock.Now())
		}
		p.warnOfUnknown(keys, err)
		return
	}
	if p.group.hasID() {
		verdict, doubt := p.data.Client.Judge(err, api.Sighting{Shown: true, By: p.group.private.By})
		if p.group.private.Doubted = verdict == api.Gone; doubt != nil {
			err = doubt
		}
	}
	if p.made {
		p.diags.Append(p.failure(keys, "What earlier batches bought is in the state. These prompts were not bought; the next plan shows them again.").Warning(err))
		return
	}
	// A refused batch may have made its group all the same: an empty one.
	if failure != nil && failure.GroupID != "" && !p.group.hasID() {
		p.deleteEmptyGroup(ctx, failure.GroupID)
	}
	consequence := "Nothing was bought by this batch and nothing was changed."
	if p.group.private.Doubted {
		consequence += " If the group was deleted elsewhere, the next plan finds out and shows what is missing."
	}
	p.diags.Append(p.failure(keys, consequence).Error(err))
}

func (p *purchase) deleteEmptyGroup(ctx context.Context, id string) {
	// After Ctrl-C the paid request has used up most of the CLI's three seconds.
	patience := 2 * time.Second
	if ctx.Err() != nil {
		patience = 250 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	_, err := p.data.Client.DeleteGroup(ctx, id)
	if _, err := p.data.Client.Judge(err, api.Sighting{Shown: true}); err != nil {
		p.diags.Append(framework.Failure{
			Verb: "Delete", Noun: "Empty Generation Group", Object: fmt.Sprintf("generation group %q", id),
			Consequence: "The service made this group for a batch that it then refused. It is empty and not in the state; delete it at the service.",
		}.Warning(err))
	}
}

func (p *purchase) failure(keys []string, consequence string) framework.Failure {
	prompts := path.Root("prompts")
	fields := map[string]path.Path{
		"prompts": prompts, "prompt": prompts, "source_image_url": prompts, "face_swap": prompts, "use_face_lora": prompts, "use_body_lora": prompts,
		"character_id": path.Root("character_id"), "group_title": path.Root("title"),
	}
	return framework.Failure{
		Verb: "Submit", Noun: "Generation Batch", Object: p.object(keys), Consequence: consequence, Fields: fields,
	}
}

// checkCapabilities refuses, before paying, a batch that the service would
// take and then fail: once a character and run.
func (p *purchase) checkCapabilities(ctx context.Context, keys []string) bool {
	character := p.group.model.CharacterID.ValueString()
	if character == "" {
		return true
	}
	capabilities, err := p.data.Client.CapabilitiesOnce(ctx, character)
	if err != nil {
		p.diags.Append(framework.Failure{
			Verb: "Read", Noun: "Generation Capabilities", Object: fmt.Sprintf("character %q", character),
			Consequence: "The capabilities are read before a batch is paid for. Nothing was bought.", NotFound: path.Root("character_id"),
		}.Error(err))
		return false
	}
	if capabilities.CanGenerate != nil && !*capabilities.CanGenerate {
		p.diags.AddAttributeError(path.Root("character_id"), "Character Cannot Generate",
			fmt.Sprintf("The service says that the character %q cannot generate yet (can_generate is false). Nothing was bought.", character))
		return false
	}
	for _, key := range keys {
		prompt := p.group.prompts[key]
		p.checkLoRA(key, "use_face_lora", prompt.UseFaceLoRA, capabilities.FaceLoRA)
		p.checkLoRA(key, "use_body_lora", prompt.UseBodyLoRA, capabilities.BodyLoRA)
	}
	return !p.diags.HasError()
}

func (p *purchase) checkLoRA(key, attribute string, wanted types.Bool, lora *api.LoRA) {
	if !wanted.ValueBool() || lora == nil || lora.Available == nil || *lora.Available {
		return
	}
	status := "no status"
	if lora.Status != nil {
		status = fmt.Sprintf("status %q", *lora.Status)
	}
	p.diags.AddAttributeError(path.Root("prompts").AtMapKey(key).AtName(attribute), "LoRA Is Not Available",
		fmt.Sprintf("The prompt wants a LoRA that the character %q does not have (%s). The generation would fail after it was paid for, so nothing was bought. "+
			"Train it first, and let the group depend on the training.", p.group.model.CharacterID.ValueString(), status))
}
