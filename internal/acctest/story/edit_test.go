package story_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// edit changes the configuration, or nothing, so that stories stay valid when
// they are shortened.
type edit struct {
	text  string
	apply func(*configuration)
}

func (e edit) GoString() string { return e.text }

var (
	characters = []string{"ada", "bob"}
	keys       = []string{"a", "b", "c", "d"}
	words      = []string{"dawn", "noon", "dusk", "night"}
	timeouts   = []string{"", "30s", "5m"}
)

func oneOf[T any](values ...T) *rapid.Generator[T] { return rapid.SampledFrom(values) }

func edits(c cast) *rapid.Generator[edit] {
	var kinds []*rapid.Generator[edit]
	if len(c.groups) > 0 {
		kinds = append(kinds, promptEdit(c), promptEdit(c), groupEdit(c))
	}
	if len(c.trainings) > 0 {
		kinds = append(kinds, trainingEdit(c))
	}
	return rapid.OneOf(kinds...)
}

func onGroup(address string, change func(*group)) func(*configuration) {
	return func(c *configuration) {
		if g := c.groups[address]; g != nil {
			change(g)
		}
	}
}

func promptEdit(c cast) *rapid.Generator[edit] {
	return rapid.Custom(func(t *rapid.T) edit {
		address := oneOf(c.groups...).Draw(t, "group")
		key := oneOf(keys...).Draw(t, "key")
		word := oneOf(words...).Draw(t, "word")
		text := newText(address, word)
		switch oneOf("write", "remove", "rename", "option").Draw(t, "edit") {
		case "remove":
			return edit{fmt.Sprintf("remove %s of %s", key, address), onGroup(address, func(g *group) {
				if len(g.prompts) > 1 {
					delete(g.prompts, key)
				}
			})}
		case "rename":
			return exchanges(address, key, oneOf(keys...).Draw(t, "to"))
		case "option":
			return edit{fmt.Sprintf("toggle face_swap of %s of %s", key, address), onGroup(address, func(g *group) {
				if p, found := g.prompts[key]; found {
					p.faceSwap = !p.faceSwap
					g.prompts[key] = p
				}
			})}
		}
		return edit{fmt.Sprintf("let %s of %s be %q", key, address, text), onGroup(address, func(g *group) {
			g.prompts[key] = prompt{text: text}
		})}
	})
}

// exchanges lets two keys have each other's prompt, or one go by another name.
func exchanges(address, key, to string) edit {
	return edit{fmt.Sprintf("exchange the keys %s and %s of %s", key, to, address), onGroup(address, func(g *group) {
		exchanged := map[string]prompt{}
		for name, p := range g.prompts {
			switch name {
			case key:
				name = to
			case to:
				name = key
			}
			exchanged[name] = p
		}
		g.prompts = exchanged
	})}
}

func groupEdit(c cast) *rapid.Generator[edit] {
	return rapid.Custom(func(t *rapid.T) edit {
		address := oneOf(c.groups...).Draw(t, "group")
		with := func(text string, change func(*group)) edit {
			return edit{text + " of " + address, onGroup(address, change)}
		}
		switch oneOf(
			"attempts",
			"title",
			"wait",
			"refresh",
			"batch",
			"timeout",
			"order",
			"drop",
			"bring",
			"character",
		).Draw(t, "edit") {
		case "title":
			title := oneOf("Portraits", "Landscapes", "").Draw(t, "title")
			return with("title "+title, func(g *group) { g.title = title })
		case "wait":
			return with("toggle wait_for_completion", func(g *group) { g.wait = !g.wait })
		case "refresh":
			return with("toggle refresh_finished", func(g *group) { g.refreshFinished = !g.refreshFinished })
		case "batch":
			size := rapid.Int64Range(0, 2).Draw(t, "size")
			return with(fmt.Sprintf("max_prompts_per_batch %d", size), func(g *group) { g.perBatch = size })
		case "timeout":
			timeout := oneOf(timeouts...).Draw(t, "timeout")
			return with(fmt.Sprintf("timeouts %q", timeout), func(g *group) { g.timeout = timeout })
		case "order":
			return with("toggle create_before_destroy", func(g *group) { g.createFirst = !g.createFirst })
		case "drop":
			return edit{"drop " + address, func(c *configuration) { delete(c.groups, address) }}
		case "bring":
			return edit{"write " + address + " if it is not there", func(c *configuration) {
				if c.groups[address] == nil {
					c.groups[address] = newGroup(characters[0])
					c.groups[address].prompts["a"] = prompt{text: newText(address, words[0])}
				}
			}}
		case "character":
			character := oneOf(characters...).Draw(t, "character")
			return with("character "+character, func(g *group) { g.character = character })
		}
		attempts := rapid.Int64Range(1, 3).Draw(t, "attempts")
		return with(fmt.Sprintf("max_attempts %d", attempts), func(g *group) { g.attempts = attempts })
	})
}

func trainingEdit(c cast) *rapid.Generator[edit] {
	return rapid.Custom(func(t *rapid.T) edit {
		address := oneOf(c.trainings...).Draw(t, "training")
		with := func(text string, change func(*training)) edit {
			return edit{text + " of " + address, func(c *configuration) {
				if found := c.trainings[address]; found != nil {
					change(found)
				}
			}}
		}
		switch oneOf("round", "triggers", "wait", "timeout", "order", "drop", "bring", "character").Draw(t, "edit") {
		case "wait":
			return with("toggle wait_for_completion", func(t *training) { t.wait = !t.wait })
		case "triggers":
			return with("no triggers, written the other way", func(t *training) {
				t.round = 0
				t.spelled = !t.spelled
			})
		case "timeout":
			timeout := oneOf(timeouts...).Draw(t, "timeout")
			return with(fmt.Sprintf("timeouts %q", timeout), func(t *training) { t.timeout = timeout })
		case "order":
			return with("toggle create_before_destroy", func(t *training) { t.createFirst = !t.createFirst })
		case "drop":
			return edit{"drop " + address, func(c *configuration) { delete(c.trainings, address) }}
		case "bring":
			character := oneOf(characters...).Draw(t, "character")
			return edit{"write " + address + " if it is not there", func(c *configuration) {
				if c.trainings[address] == nil {
					c.trainings[address] = &training{character: character, wait: true}
				}
			}}
		case "character":
			character := oneOf(characters...).Draw(t, "character")
			return with("character "+character, func(t *training) { t.character = character })
		}
		return with("another round", func(t *training) { t.round++ })
	})
}

type cast struct{ groups, trainings []string }

func beginning(c cast) *rapid.Generator[configuration] {
	return rapid.Custom(func(t *rapid.T) configuration {
		config := configuration{groups: map[string]*group{}, trainings: map[string]*training{}}
		both := slices.Concat(c.groups, c.trainings)
		first := oneOf(both...).Draw(t, "first")
		for _, address := range both {
			if address != first && !rapid.Bool().Draw(t, "also "+address) {
				continue
			}
			character := oneOf(characters...).Draw(t, "character")
			if slices.Contains(c.trainings, address) {
				config.trainings[address] = &training{
					character: character,
					wait:      !rapid.Bool().Draw(t, "in the background"),
				}
				continue
			}
			g := newGroup(character)
			g.attempts = rapid.Int64Range(1, 3).Draw(t, "attempts")
			g.perBatch = rapid.Int64Range(0, 2).Draw(t, "per batch")
			g.wait = !rapid.Bool().Draw(t, "in the background")
			for _, key := range keys[:rapid.IntRange(1, 3).Draw(t, "prompts")] {
				g.prompts[key] = prompt{text: newText(address, oneOf(words...).Draw(t, "word"))}
			}
			config.groups[address] = g
		}
		return config
	})
}

func (c configuration) GoString() string { return c.String() }
