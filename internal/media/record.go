package media

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
)

// RecordName is the file name of the record, which tells later runs what the files
// show.
const RecordName = ".mediagen.json"

// maxRecord is the most that is read of a record.
const maxRecord = 64 << 20

// Entry is what is known of one file.
type Entry struct {
	Name       string `json:"name"`
	Prompt     string `json:"prompt"`
	Generation string `json:"generation"` // empty if that is not known
	Size       int64  `json:"size"`
	SHA256     string `json:"sha256"`
	File       File   `json:"-"`
}

// Record returns what earlier runs have written down of files, by file name. Anybody
// may have changed the record or the files: it only answers for files in the
// directory that have the size that it was written for; IsUnchanged tells more. A
// record that cannot be read says nothing.
func (d *Directory) Record() map[string]Entry {
	content, err := d.head(RecordName, maxRecord)
	var record map[string]Entry
	if err != nil || json.Unmarshal(content, &record) != nil || record == nil {
		return map[string]Entry{}
	}
	maps.DeleteFunc(record, func(name string, entry Entry) bool {
		info, err := d.root.Lstat(name)
		return err != nil || !info.Mode().IsRegular() || info.Size() != entry.Size || entry.Generation == ""
	})
	return record
}

// IsUnchanged reports whether a file has the content that its entry was written for.
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

// WriteRecord adds entries, by file name, to the record.
func (d *Directory) WriteRecord(entries map[string]Entry) error {
	record := d.Record()
	maps.Copy(record, entries)
	return d.write(RecordName, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(record)
	})
}
