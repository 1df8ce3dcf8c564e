package reply

// Decode reads one field of a reply in every way that there is.
func Decode(body []byte) (*Decoded, error) {
	said, err := DecodeObject(body)
	if err != nil {
		return nil, err
	}
	objects, whole := said.Objects("v")
	return &Decoded{
		Text: said.Text("v"), Integer: said.Integer("v"), Number: said.Number("v"), Flag: said.Flag("v"),
		Texts: said.Texts("v"), JSON: said.JSON("v"), Wording: said.Wording("v"), Objects: len(objects), Whole: whole,
	}, nil
}

// Decoded is the field "v" of a said.
type Decoded struct {
	Text, JSON, Wording *string
	Integer             *int64
	Number              *float64
	Flag                *bool
	Texts               []string
	Objects             int
	Whole               bool
}
