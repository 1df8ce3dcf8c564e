package api

import (
	"cmp"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// decode reads a reply into a struct. The JSON name of a field is the field's
// name in snake case, or the value of its tag `reply`; "-" leaves the field
// out. The tag `as` names a form other than plain text. A field is nil if the
// reply lacks the value or the value is unreadable. An id that no request could
// name is nil too, unless the tag is "odd id": a receipt then reports the id.
func decode[T any](said reply.Object) *T {
	result := new(T)
	fill(reflect.ValueOf(result).Elem(), said)
	return result
}

// fill sets each field of a struct to the reply's value for its name. A missing
// or mistyped value leaves the field null: no reply is refused for its shape.
func fill(result reflect.Value, said reply.Object) {
	for field, part := range result.Fields() {
		name, tagged := field.Tag.Lookup("reply")
		if !tagged {
			name = jsonName(field.Name)
		}
		if name == "-" || !field.IsExported() {
			continue
		}
		switch part := part.Addr().Interface().(type) {
		case *string:
			*part = reply.ValueOf(readText(said, name, field.Tag.Get("as")))
		case **string: // an id, an address, a moment, or a text that comes back as it was sent
			*part = readText(said, name, field.Tag.Get("as"))
		case **reply.Text:
			*part = (*reply.Text)(readText(said, name, field.Tag.Get("as")))
		case **int64:
			*part = said.Integer(name)
		case **big.Int:
			*part = said.Whole(name)
		case **float64:
			*part = said.Number(name)
		case **bool:
			*part = said.Flag(name)
		case *[]string:
			*part = said.Texts(name)
			if reply.IsIDName(name) {
				*part = slices.DeleteFunc(*part, func(id string) bool { return !reply.IsID(id) })
			}
		default:
			fillNested(reflect.ValueOf(part).Elem(), said, name)
		}
	}
}

// readText reads a text in the form that a field's tag `as` names.
func readText(said reply.Object, name, as string) *string {
	switch as {
	case "error":
		return said.ErrorText(name)
	case "json":
		return said.JSON(name)
	case "text or parts":
		return cmp.Or(said.Text(name), said.TextOfParts(name), said.Message(name))
	case "text or json":
		return cmp.Or(said.Text(name), said.JSON(name))
	case "odd id":
		return said.Text(name)
	}
	text := said.Text(name)
	if reply.IsIDName(name) && !reply.IsID(reply.ValueOf(text)) {
		return nil
	}
	return text
}

// fillNested fills an object or a list of objects.
func fillNested(part reflect.Value, said reply.Object, name string) {
	object := said.Object(name)
	switch part.Kind() {
	case reflect.Struct:
		fill(part, object)
	case reflect.Pointer:
		if object.Says() { // services use an empty object for none
			part.Set(reflect.New(part.Type().Elem()))
			fill(part.Elem(), object)
		}
	case reflect.Slice:
		items, _ := said.Objects(name)
		part.Grow(len(items))
		part.SetLen(len(items))
		for i, item := range items {
			fill(part.Index(i), item)
		}
	default: // replies have no other kinds
	}
}

var acronyms = strings.NewReplacer("LoRA", "Lora", "IDs", "Ids", "ID", "Id", "URLs", "Urls", "URL", "Url", "ETA", "Eta")

// jsonNames caches the results of jsonName, because lists need each name a
// thousand times.
var jsonNames sync.Map

// jsonName returns face_lora_status for FaceLoRAStatus.
func jsonName(field string) string {
	known, _ := jsonNames.Load(field)
	if made, is := known.(string); is {
		return made
	}
	var name []byte
	for _, letter := range []byte(acronyms.Replace(field)) {
		if 'A' <= letter && letter <= 'Z' && len(name) > 0 {
			name = append(name, '_')
		}
		name = append(name, letter)
	}
	made := strings.ToLower(string(name))
	jsonNames.Store(field, made)
	return made
}
