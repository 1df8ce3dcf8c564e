package download_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// record is the record on disk, which fits the schema.
func (d downloads) record() (files map[string]media.Entry) {
	d.T.Helper()
	content := d.read(media.RecordName)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(filepath.Join("..", "..", "media", "record.schema.json"))
	check.Must(d.T, err)
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(content))
	check.Must(d.T, err)
	check.NoError(d.T, schema.Validate(instance))
	stored := struct{ Files *map[string]media.Entry }{&files}
	check.Must(d.T, json.Unmarshal([]byte(content), &stored))
	return files
}

// group is the group as a configuration hands it over.
func (d downloads) group(more ...core.Object) core.Object {
	generations := core.Object{}
	for key, id := range d.ids {
		generations[key] = core.Object{"id": id}
	}
	options := core.Object{
		"face_swap":        true,
		"use_face_lora":    nil,
		"use_body_lora":    false,
		"take":             2,
		"source_image_url": nil,
	}
	group := core.Object{
		"id":               "grp_1",
		"title":            "Portraits <b>",
		"character_id":     "char_1",
		"labels":           core.Object{"client": "Acme & Sons"},
		"credits_deducted": 7.5,
		"purchases":        3,
		"prompts":          core.Object{"a": options, "b": options, "c": options},
		"generations":      generations,
	}
	for _, object := range more {
		maps.Copy(group, object)
	}
	return group
}

// training is a training that has succeeded.
func training(id, character, created string, more ...core.Object) core.Object {
	training := core.Object{
		"id":             id,
		"character_id":   character,
		"job_type":       "body",
		"training_steps": 1000,
		"created_at":     created,
		"succeeded":      true,
	}
	for _, object := range more {
		maps.Copy(training, object)
	}
	return training
}

// The record says of each file whose it is and what it was made of.
func TestRecordOfDownload(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	before := d.Clock.Now().Add(-24 * time.Hour).UTC().Format(time.RFC3339)
	after := d.Clock.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)
	d.succeeds(core.Object{
		"groups": []any{d.group(core.Object{"id": "grp_0", "generations": core.Object{}}), d.group()},
		"trainings": []any{
			training("job_1", "char_1", before),
			training("job_of_another", "char_2", before),
			training("job_later", "char_1", after),
			training("job_failed", "char_1", before, core.Object{"succeeded": false}),
			training("job_running", "char_1", before, core.Object{"succeeded": nil}),
			training("job_imported", "char_1", "", core.Object{"created_at": nil}),
		},
	})
	files := d.record()
	check.Equal(t, "files", len(files), 3)
	a := files["a.png"]
	check.Equal(t, "whose it is", []string{a.Generation, a.Group, a.GroupTitle, a.Key, a.Character, a.Prompt},
		[]string{d.id("a"), "grp_1", "Portraits <b>", "a", "char_1", "in the rain"})
	check.Equal(t, "labels", a.Labels, map[string]string{"client": "Acme & Sons"})
	options := &media.Options{FaceSwap: new(true), UseBodyLoRA: new(false), Take: new(int64(2))}
	check.Equal(t, "options", a.Options, options)
	check.Equal(t, "trainings", a.Trainings, []media.Training{{
		Job:       "job_1",
		Type:      "body",
		Steps:     new(int64(1000)),
		CreatedAt: before,
	}})
	check.Equal(t, "credits", a.Credits, new(2.5))
	check.Equal(t, "when it was saved", a.SavedAt, d.Clock.Now().UTC().Format(time.RFC3339))
	check.True(t, "what the service shows", a.CreatedAt != "" && a.Service != "" && a.GenerationType != "", a)
	const terms = "http://cv.iptc.org/newscodes/digitalsourcetype/"
	check.Equal(t, "the source type", a.DigitalSourceType, terms+"trainedAlgorithmicMedia")
	d.WantCount(t, mockserver.RouteStatus, 3)
	d.WantCount(t, mockserver.RouteMedia, 3)
}

// A record without groups has what the service shows alone, and has the rest
// once the configuration names them: that downloads nothing.
func TestRecordIsCompletedLater(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.succeeds()
	a := d.record()["a.png"]
	check.True(t, "the group is known", a.Group != "" && a.Key == "" && a.Options == nil && a.Credits == nil, a)
	saved := a.SavedAt
	d.Clock.Advance(time.Hour)
	d.succeeds(core.Object{"groups": []any{d.group(core.Object{"credits_deducted": nil, "labels": nil})}})
	a = d.record()["a.png"]
	check.Equal(t, "the key", a.Key, "a")
	check.Equal(t, "when it was saved", a.SavedAt, saved)
	check.True(t, "nothing else is claimed", a.Credits == nil && a.Labels == nil, a)
	d.WantCount(t, mockserver.RouteMedia, 3)
}

// The address of a photo may be signed: only its host is stored. The picture is
// then an edited photo.
func TestRecordHasNoAddress(t *testing.T) {
	t.Parallel()
	d := newDownloads(t, signed)
	const secret = "s3cr3t"
	address := "https://user:" + secret + "@photos.example.com/" + secret + "/a.png?signature=" + secret
	d.succeeds(core.Object{"groups": []any{d.group(core.Object{"prompts": core.Object{"a": core.Object{
		"face_swap":        nil,
		"use_face_lora":    nil,
		"use_body_lora":    nil,
		"take":             1,
		"source_image_url": address,
	}}})}})
	a := d.record()["a.png"]
	check.Equal(t, "the host", a.Options.SourceHost, "photos.example.com")
	check.True(t, "an edited photo", strings.HasSuffix(a.DigitalSourceType, "/compositeWithTrainedAlgorithmicMedia"))
	for _, page := range []string{media.RecordName, media.SheetName} {
		content := d.read(page)
		isSecret := strings.Contains(content, secret) || strings.Contains(content, "signature")
		check.True(t, page+" has no secret", !isSecret, content)
	}
}

// What was superseded is kept beside what took its place, if that is asked for;
// not what somebody has changed, and not after a download that failed.
func TestDownloadKeepsSuperseded(t *testing.T) {
	t.Parallel()
	d, former, now := newEarlier(t)
	keep := core.Object{"keep_superseded": true}
	picture := d.read("a.png")
	d.Fault(mockserver.Fault{Route: mockserver.RouteMedia, Status: 404})
	_, messages := d.download(keep)
	d.WantError(messages, "Unable to Download Generations")
	aside := filepath.Join("superseded", "a_"+former+".png")
	_, err := os.Stat(filepath.Join(d.directory, aside))
	check.True(t, "nothing is superseded yet", os.IsNotExist(err), err)
	d.ClearFaults()
	for range 2 {
		lines := d.succeeds(keep)
		said := strings.Join(lines, "\n")
		check.True(t, "it is not said not to be asked for", !strings.Contains(said, "Not asked"), said)
		check.Equal(t, "the former picture", d.read(aside), picture)
		check.True(t, "the picture is another", d.read("a.png") != picture)
		files := d.record()
		check.Equal(t, "files", len(files), 4)
		kept := files[filepath.ToSlash(aside)]
		check.Equal(t, "what was superseded", []string{kept.Generation, kept.SupersededBy, kept.Prompt, kept.Name},
			[]string{former, now, "in the rain", "a"})
	}
	d.generate("in the fog")
	check.Must(t, os.WriteFile(filepath.Join(d.directory, "a.png"), []byte("mine"), 0o600))
	d.succeeds(keep, core.Object{"overwrite": true})
	found, err := filepath.Glob(filepath.Join(d.directory, "superseded", "*"))
	check.True(t, "what somebody has changed shows nothing that is known", err == nil && len(found) == 1, found, err)
}

// chunk is a chunk of a PNG file.
func chunk(kind, content string) []byte {
	var out bytes.Buffer
	_ = binary.Write(&out, binary.BigEndian, uint32(len(content)))
	out.WriteString(kind + content)
	_ = binary.Write(&out, binary.BigEndian, crc32.ChecksumIEEE([]byte(kind+content)))
	return out.Bytes()
}

func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// box is a box of JUMBF.
func box(kind, content string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(8+len(content)))) + kind + content
}

// manifestStore is the superbox that content credentials begin with, by its UUID
// and label of C2PA's specification.
func manifestStore() string {
	const uuid = "c2pa\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71"
	return box("jumb", box("jumd", uuid+"\x03c2pa\x00")+box("cbor", "\xa1\x63alg\x66sha256"))
}

// withCredentials has content credentials where C2PA puts them: in a PNG before
// its end, in a JPEG after its beginning.
func withCredentials(png, jpeg string) map[string]string {
	end := strings.LastIndex(png, "\x00\x00\x00\x00IEND")
	segment := "JP\x00\x01\x00\x00\x00\x01" + manifestStore()
	app11 := "\xff\xeb" + string(binary.BigEndian.AppendUint16(nil, uint16(2+len(segment)))) + segment
	return map[string]string{
		"a.png": png[:end] + string(chunk("caBX", manifestStore())) + png[end:],
		"a.jpg": jpeg[:2] + app11 + jpeg[2:],
	}
}

// A signature in a file covers its bytes: none is changed, added or left out,
// then or later.
func TestDownloadKeepsContentCredentials(t *testing.T) {
	t.Parallel()
	plain := newDownloads(t)
	plain.succeeds()
	for name, content := range withCredentials(plain.read("a.png"), "\xff\xd8\xff\xdb and so on\xff\xd9") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDownloads(t)
			d.Fault(mockserver.Fault{Route: mockserver.RouteMedia, Nth: 1, Body: content})
			d.succeeds()
			former := d.id("a")
			check.True(t, "the bytes are the host's", d.read(name) == content)
			check.Equal(t, "the sum", d.record()[name].SHA256, sumOf(content))
			d.succeeds(core.Object{"groups": []any{d.group()}})
			check.True(t, "they stay when the record changes", d.read(name) == content)
			d.generate("at night")
			d.succeeds(core.Object{"keep_superseded": true})
			aside := "superseded/a_" + former + filepath.Ext(name)
			check.True(t, "they stay when the file is set aside", d.read(aside) == content)
			check.Equal(t, "the sum then", d.record()[aside].SHA256, sumOf(content))
		})
	}
}
