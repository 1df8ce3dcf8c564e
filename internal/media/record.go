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

// RecordName is the file name of the record, which tells people, their tools
// and later runs what the files show. record.schema.json describes it.
const RecordName = ".mediagen.json"

const (
	// recordVersion grows when a reader of the version before would go wrong:
	// members are added without it, since a reader ignores those that it does
	// not know. The form before the first version is the entries alone.
	recordVersion = 1
	maxRecord     = 64 << 20 // bytes
)

// Terms of IPTC's vocabulary "Digital Source Type", which C2PA and XMP use too.
const (
	sourceGenerated = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
	sourceEdited    = "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"
)

// recordFile is a record as it is stored.
type recordFile struct {
	Version int                        `json:"version"`
	Files   map[string]json.RawMessage `json:"files"`
}

// Entry is what is known of one file.
type Entry struct {
	Name       string `json:"name"`
	Prompt     string `json:"prompt"`
	Generation string `json:"generation"` // empty if that is not known
	Size       int64  `json:"size"`
	SHA256     string `json:"sha256"`
	Origin
	File File `json:"-"`
}

// Origin is what was known of a file's generation when the file was saved. It
// has no address: an address may be signed.
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
	CreatedAt         string            `json:"created_at,omitempty"` // as the service shows it
	SavedAt           string            `json:"saved_at,omitempty"`
	SupersededBy      string            `json:"superseded_by,omitempty"` // the generation that took its place
	DigitalSourceType string            `json:"digital_source_type,omitempty"`
}

// Options are a prompt's, as far as they are set.
type Options struct {
	FaceSwap    *bool  `json:"face_swap,omitempty"`
	UseFaceLoRA *bool  `json:"use_face_lora,omitempty"`
	UseBodyLoRA *bool  `json:"use_body_lora,omitempty"`
	Take        *int64 `json:"take,omitempty"`
	SourceHost  string `json:"source_image_host,omitempty"` // "data" for a data URI
}

// Training is a training of the character that had been started before the
// generation was.
type Training struct {
	Job       string `json:"job"`
	Type      string `json:"type,omitempty"`
	Steps     *int64 `json:"steps,omitempty"`
	CreatedAt string `json:"created_at,omitempty"`
}

// SourceHost is what a record may say of the address of a photo: the rest of it
// may be a signature.
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

// SourceType is the IPTC term for what came of a prompt with these options.
func SourceType(options *Options) string {
	if options != nil && options.SourceHost != "" {
		return sourceEdited
	}
	return sourceGenerated
}

// Record returns what earlier runs have written down of files, by file name.
// Anybody may have changed the record or the files: it only answers for files
// in the directory that have the size that it was written for; IsUnchanged
// tells more. A record that cannot be read says nothing.
func (d *Directory) Record() map[string]Entry { return d.recordIn(".") }

// recordIn returns the record of a directory below, or of the directory itself.
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

// storedEntries are the entries of a record of either form, whatever they are.
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

// IsUnchanged reports whether a file has the content that its entry was written
// for.
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

// WriteRecord adds entries, by file name, to the record. What somebody else has
// added to an entry stays as long as its file is of the same generation.
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
