package media

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"path"
)

// RecordName is the file name of the record. It tells people, their tools and
// later runs what the files show. record.schema.json describes it.
const RecordName = ".mediagen.json"

const (
	// recordVersion is increased only if a reader of the previous version would
	// misread the record. A new member needs no new version, because readers
	// ignore unknown members. The form before the first version has only the
	// entries.
	recordVersion = 1
	maxRecord     = 64 << 20 // bytes
)

// Terms of IPTC's vocabulary "Digital Source Type", which C2PA and XMP use too.
const (
	sourceGenerated = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
	sourceEdited    = "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"
)

// recordFile is the stored form of a record.
type recordFile struct {
	Version int                        `json:"version"`
	Files   map[string]json.RawMessage `json:"files"`
}

// Entry holds the known facts about a file.
type Entry struct {
	Name       string `json:"name"`
	Prompt     string `json:"prompt"`
	Generation string `json:"generation"` // empty if it is not known
	Size       int64  `json:"size"`
	SHA256     string `json:"sha256"`
	Origin
	File File `json:"-"`
}

// Origin holds the facts about a file's generation that were known when the
// file was saved. It has no address, because an address may be signed.
type Origin struct {
	Group             string            `json:"group,omitempty"`
	GroupTitle        string            `json:"group_title,omitempty"`
	Key               string            `json:"key,omitempty"`
	Character         string            `json:"character,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Options           *Options          `json:"options,omitempty"` // nil if they are not known
	Trainings         []Training        `json:"trainings,omitempty"`
	Credits           *float64          `json:"credits,omitempty"`
	Service           string            `json:"service,omitempty"`
	GenerationType    string            `json:"generation_type,omitempty"`
	CreatedAt         string            `json:"created_at,omitempty"` // in the service's notation
	SavedAt           string            `json:"saved_at,omitempty"`
	SupersededBy      string            `json:"superseded_by,omitempty"` // the generation that replaced this one
	DigitalSourceType string            `json:"digital_source_type,omitempty"`
}

// Options are the options of a prompt that are set.
type Options struct {
	FaceSwap    *bool  `json:"face_swap,omitempty"`
	UseFaceLoRA *bool  `json:"use_face_lora,omitempty"`
	UseBodyLoRA *bool  `json:"use_body_lora,omitempty"`
	Take        *int64 `json:"take,omitempty"`
	SourceHost  string `json:"source_image_host,omitempty"` // "data" for a data URI
}

// Training is a training of the character that was started before the
// generation.
type Training struct {
	Job       string `json:"job"`
	Type      string `json:"type,omitempty"`
	Steps     *int64 `json:"steps,omitempty"`
	CreatedAt string `json:"created_at,omitempty"`
}

// SourceHost returns the part of a photo's address that a record may contain:
// the rest may be a signature.
func SourceHost(address string) string {
	parsed, err := url.Parse(address)
	switch {
	case address == "":
		return ""
	case err != nil:
		return "unknown"
	case parsed.Scheme == "data":
		return "data"
	}
	return cmp.Or(parsed.Hostname(), "unknown")
}

// SourceType returns the IPTC term for the result of a prompt with these
// options.
func SourceType(options *Options) string {
	if options != nil && options.SourceHost != "" {
		return sourceEdited
	}
	return sourceGenerated
}

// Record returns the entries that earlier runs have written, by file name.
// Anybody may have changed the record or the files, so it returns only entries
// of existing files with the recorded size; IsUnchanged compares the content. A
// record that cannot be read has no entries.
func (d *Directory) Record() map[string]Entry { return d.recordIn(".") }

// recordIn returns the record of a subdirectory, or of the directory itself.
func (d *Directory) recordIn(below string) map[string]Entry {
	record := map[string]Entry{}
	for name, stored := range d.storedEntries(below) {
		var entry Entry
		if json.Unmarshal(stored, &entry) != nil || entry.Generation == "" {
			continue
		}
		info, err := d.root.Lstat(path.Join(below, name))
		if err == nil && info.Mode().IsRegular() && info.Size() == entry.Size {
			record[name] = entry
		}
	}
	return record
}

// storedEntries returns the undecoded entries of a record of either form.
func (d *Directory) storedEntries(below string) map[string]json.RawMessage {
	content, err := d.head(path.Join(below, RecordName), maxRecord)
	if err != nil {
		return nil
	}
	var record recordFile
	if json.Unmarshal(content, &record) == nil && record.Version > 0 {
		return record.Files
	}
	var earlier map[string]json.RawMessage
	if json.Unmarshal(content, &earlier) != nil {
		return nil
	}
	return earlier
}

// IsUnchanged reports whether a file has the recorded content.
func (d *Directory) IsUnchanged(name string, entry Entry) bool {
	file, err := d.open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return err == nil && hex.EncodeToString(hash.Sum(nil)) == entry.SHA256
}

// WriteRecord adds entries, by file name, to the record. Members that another
// program has added to an entry stay as long as the file belongs to the same
// generation.
func (d *Directory) WriteRecord(entries map[string]Entry) error {
	before := d.Record()
	stored := d.storedEntries(".")
	record := recordFile{recordVersion, map[string]json.RawMessage{}}
	for name := range before {
		record.Files[name] = stored[name]
	}
	for name, entry := range entries {
		members := map[string]json.RawMessage{}
		if before[name].Generation == entry.Generation {
			_ = json.Unmarshal(stored[name], &members)
		}
		content, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		_ = json.Unmarshal(content, &members)
		record.Files[name], _ = json.Marshal(members)
	}
	return d.write(RecordName, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(record)
	})
}
