package story_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

const (
	groupType    = "mediagen_generation_group."
	trainingType = "mediagen_body_lora_training."
)

type prompt struct {
	text     string
	faceSwap bool
	take     int64 // 0 is unset
}

type group struct {
	character       string
	title           string
	prompts         map[string]prompt
	attempts        int64
	perBatch        int64 // 0 is unset
	wait            bool
	refreshFinished bool
	timeout         string // of create and update; "" is unset
	createFirst     bool
}

type training struct {
	character   string
	round       int
	spelled     bool // without a round, triggers are written as empty ones
	wait        bool
	timeout     string
	createFirst bool
}

type configuration struct {
	groups    map[string]*group
	trainings map[string]*training
}

func newGroup(character string) *group {
	return &group{
		character:       character,
		title:           "Portraits",
		prompts:         map[string]prompt{},
		attempts:        1,
		wait:            true,
		refreshFinished: true,
	}
}

// newText is a text of a group that says whose it is: the ledger shows texts.
func newText(address, word string) string {
	return strings.TrimPrefix(address, groupType) + " at " + word
}

func (g *group) object() core.Object {
	prompts := core.Object{}
	for key, p := range g.prompts {
		written := core.Object{"prompt": p.text}
		if p.faceSwap {
			written["face_swap"] = true
		}
		if p.take > 0 {
			written["take"] = p.take
		}
		prompts[key] = written
	}
	object := core.Object{
		"character_id": g.character, "title": g.title, "prompts": prompts, "max_attempts": g.attempts,
		"wait_for_completion": g.wait, "refresh_finished": g.refreshFinished,
	}
	if g.title == "" {
		delete(object, "title")
	}
	if g.perBatch > 0 {
		object["max_prompts_per_batch"] = g.perBatch
	}
	return withTimeout(object, g.timeout)
}

func (t *training) object() core.Object {
	object := core.Object{"character_id": t.character, "wait_for_completion": t.wait}
	switch {
	case t.round > 0:
		object["triggers"] = core.Object{"round": fmt.Sprint(t.round)}
	case t.spelled:
		object["triggers"] = core.Object{}
	}
	return withTimeout(object, t.timeout)
}

func withTimeout(object core.Object, timeout string) core.Object {
	if timeout != "" {
		object["timeouts"] = core.Object{"create": timeout, "update": timeout}
	}
	return object
}

func (c configuration) String() string {
	var parts []string
	for _, address := range slices.Sorted(maps.Keys(c.groups)) {
		g := c.groups[address]
		var prompts []string
		for _, key := range slices.Sorted(maps.Keys(g.prompts)) {
			text := key + "=" + g.prompts[key].text
			if g.prompts[key].faceSwap {
				text += "+face_swap"
			}
			if g.prompts[key].take > 0 {
				text += fmt.Sprintf(" take %d", g.prompts[key].take)
			}
			prompts = append(prompts, text)
		}
		parts = append(
			parts,
			fmt.Sprintf("%s of %s {%s} attempts=%d wait=%t%s", strings.TrimPrefix(address, groupType), g.character,
				strings.Join(prompts, ", "), g.attempts, g.wait, unusual(map[string]bool{
					"refresh_finished=false":                !g.refreshFinished,
					fmt.Sprintf("per_batch=%d", g.perBatch): g.perBatch > 0,
					"untitled":                              g.title == "",
					"timeout=" + g.timeout:                  g.timeout != "",
					"create_before_destroy":                 g.createFirst,
				})),
		)
	}
	for _, address := range slices.Sorted(maps.Keys(c.trainings)) {
		t := c.trainings[address]
		parts = append(
			parts,
			fmt.Sprintf(
				"%s of %s round %d wait=%t%s",
				strings.TrimPrefix(address, trainingType),
				t.character,
				t.round,
				t.wait,
				unusual(
					map[string]bool{
						"timeout=" + t.timeout:  t.timeout != "",
						"create_before_destroy": t.createFirst,
						"triggers={}":           t.spelled && t.round == 0,
					},
				),
			),
		)
	}
	return strings.Join(parts, "; ")
}

func unusual(settings map[string]bool) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if settings[name] {
			text += " " + name
		}
	}
	return text
}
