package mockserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// rewrite turns the canonical reply, which was validated, into a variant's
// reply.
func (v Variant) rewrite(c *call, out *reply) {
	out.status = v.code(c.route)
	if out.status == http.StatusNoContent {
		out.body = nil
		out.contentType = ""
		return
	}
	if v == (Variant{Name: v.Name}) {
		return
	}
	if c.route.name == RouteToken && v.NestedToken {
		v.ExtraFields = false // otherwise nobody could tell which object has the token
	}
	out.rewrite(func(object map[string]any) {
		if c.route.buys {
			v.reshapePurchase(object)
		}
		if c.route.reshape != nil {
			c.route.reshape(v, object)
		}
		v.rewriteValue(object, "")
	})
}

func (v Variant) code(r *route) int {
	switch {
	case r.name == RouteBatch && v.Background != BackgroundNone:
		return http.StatusAccepted
	case r.stated:
		return http.StatusOK
	case r.ends:
		return cmp.Or(v.DeleteCode, http.StatusOK)
	case strings.HasPrefix(r.name, http.MethodGet):
		return http.StatusOK
	}
	return cmp.Or(v.SuccessCode, http.StatusOK)
}

func (v Variant) reshapeAssets(object map[string]any) {
	for _, item := range objects(object["assets"]) {
		rename(item, "asset_id", v.AssetIDKey)
	}
}

func (v Variant) reshapeUpload(object map[string]any) { rename(object, "storage_url", v.StorageKey) }

// reshapeStatus adds to the status of running work parts that are neither a
// result nor an end.
func (v Variant) reshapeStatus(object map[string]any) {
	if object["status"] != wordQueued && object["status"] != wordProcessing {
		return
	}
	if v.Previews {
		object["result_urls"] = []any{"https://previews.example/" + fmt.Sprint(object["generation_id"]) + ".png"}
	}
	if v.ShowsAttempts {
		object["status"] = wordRetrying
	}
	if _, has := object["error"]; has && v.ShowsAttempts {
		object["error"] = "worker lost, attempt 1 of 3"
	}
}

func (v Variant) reshapeGroup(object map[string]any) {
	for _, generation := range objects(object["generations"]) {
		v.reshapeStatus(generation)
	}
}

func (v Variant) reshapeCategories(object map[string]any) {
	if v.CategoryJob && object["job_id"] == nil { // otherwise the word is a known one
		clear(object)
		object["job_id"] = "category_job_000001"
		object["status"] = wordProcessing
	}
}

func (v Variant) reshapeImage(object map[string]any) {
	switch v.ImageReply {
	case ImagesLater:
		object["output"] = []any{}
		object["status"] = wordProcessing
	case ImagesNull:
		object["output"] = []any{nil}
	case ImagesPlain:
	}
}

func (v Variant) reshapeToken(object map[string]any) {
	if v.NestedToken {
		object["mediagen"] = map[string]any{"token": object["accessToken"]}
		delete(object, "accessToken")
	}
}

func (v Variant) reshapeBatch(object map[string]any) {
	results, _ := object["results"].([]any)
	if last := len(results) - 1; last > 0 && v.LastIndex != IndexOwn {
		result := objects(results)[last]
		delete(result, "prompt_index")
		if v.LastIndex == IndexDoubled {
			result["prompt_index"] = json.Number("0")
		}
	}
	if v.ReorderResults {
		slices.Reverse(results)
	}
	for _, result := range objects(results) {
		if v.DropGenerationID {
			delete(result, "generation_id")
		}
		if v.PromptIndexBase < 0 {
			delete(result, "prompt_index")
		} else if index, err := strconv.Atoi(fmt.Sprint(result["prompt_index"])); err == nil {
			result["prompt_index"] = json.Number(strconv.Itoa(index + v.PromptIndexBase))
		}
	}
}

func (v Variant) reshapePurchase(object map[string]any) {
	switch v.Denial {
	case DenialFalse:
		object["success"] = false
	case DenialText:
		object["success"] = "false"
	case DenialNone:
	}
	if v.NoCounts {
		for _, name := range []string{"total_requested", "successful_submissions", "failed_submissions"} {
			delete(object, name)
		}
	}
	if v.NoCredits {
		delete(object, "credits_deducted")
		delete(object, "remaining_balance")
	}
}

func rename(object map[string]any, from, to string) {
	if to != "" && to != from {
		object[to] = object[from]
		delete(object, from)
	}
}

func objects(list any) []map[string]any {
	var found []map[string]any
	items, _ := list.([]any)
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			found = append(found, object)
		}
	}
	return found
}

// rewriteValue applies the changes that a variant makes anywhere in a reply.
func (v Variant) rewriteValue(value any, key string) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			value[name] = v.rewriteValue(field, name)
			v.empty(value, name)
			if name == "error" && field == nil && v.NoneErrors {
				value[name] = "None"
			}
		}
		if v.ExtraFields {
			value["x_unknown"] = map[string]any{"since": "2.1", "list": []any{1, nil, "two"}}
		}
	case []any:
		for i, item := range value {
			value[i] = v.rewriteValue(item, key)
		}
	case json.Number:
		return v.number(value)
	case string:
		return v.text(value, key)
	}
	return value
}

func (v Variant) number(n json.Number) any {
	whole := !strings.ContainsAny(string(n), ".eE")
	switch {
	case v.Numbers == NumbersDecimal && whole:
		return n + ".0"
	case v.Numbers == NumbersText:
		return string(n)
	}
	return n
}

// signatures are numbered for the whole process, so that no two are equal.
var signatures atomic.Int64

func (v Variant) text(value, key string) any {
	switch {
	case key == "status" || strings.HasSuffix(key, "_status") || key == "training_phase":
		return v.Vocabulary.say(value)
	case isTime(key):
		return v.Times.write(value)
	case v.SignedURLs && value != "" && !strings.HasPrefix(value, "data:") &&
		(strings.HasSuffix(key, "url") || strings.HasSuffix(key, "urls") || strings.HasPrefix(key, "output")):
		return fmt.Sprintf("%s?signature=%08x&expires=900", value, signatures.Add(1))
	}
	return value
}

func isTime(key string) bool { return strings.HasSuffix(key, "_at") }

// write writes a time of the plain service in the variant's format.
func (t TimeStyle) write(text string) any {
	switch t {
	case TimesZoneless:
		return strings.TrimSuffix(text, "Z")
	case TimesEpoch:
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return json.Number(strconv.FormatInt(at.Unix(), 10))
		}
	case TimesPlain, TimesMissing:
	}
	return text
}

// dispensable are the fields that a client does not need.
var dispensable = []string{
	"message", "service", "performance_metadata", "estimated_time", "training_service_id",
	"training_speed", "training_phase", "eta_minutes", "training_steps", "current_step",
	"subscription_id", "organization_id", "creator_id", "updated_at", "caption", "group_title",
	"remaining_balance", "filters", "failed_face_image_count", "failed_body_image_count",
	"seed", "regenerated", "dataset_status", "usage", "total", "content_type", "size",
	"group_type", "preview_image_url", "next_step", "percent_complete",
}

// empty removes or nulls a field, according to v.Nulls.
func (v Variant) empty(object map[string]any, name string) {
	_, nested := object[name].(map[string]any)
	absent := object[name] == nil || name == "description" && object[name] == "" ||
		slices.Contains(dispensable, name) && (!nested || name != "message") // a choice's message is the answer
	switch {
	case v.Times == TimesMissing && isTime(name), absent && v.Nulls == NullsMissing:
		delete(object, name)
	case absent && v.Nulls == NullsMany:
		object[name] = nil
	}
}

func encode(value any) []byte {
	encoded, _ := json.Marshal(value) // maps of strings
	return encoded
}
