package mockserver

import (
	"html"

	"golang.org/x/text/unicode/norm"
)

// Vocabulary is the set of words that status fields use.
type Vocabulary string

// The vocabularies.
const (
	WordsPlain    Vocabulary = ""         // completed, not_trained
	WordsUpper    Vocabulary = "upper"    // COMPLETED, NOT_TRAINED
	WordsSpaced   Vocabulary = "spaced"   // Completed, Not Trained
	WordsHyphen   Vocabulary = "hyphen"   // completed, not-trained
	WordsSynonyms Vocabulary = "synonyms" // succeeded, errored, in_progress
	WordsUnknown  Vocabulary = "unknown"  // words that no client can know
)

// Numbers is the format of integers.
type Numbers string

// The number formats.
const (
	NumbersPlain   Numbers = ""        // 12
	NumbersDecimal Numbers = "decimal" // 12.0
	NumbersText    Numbers = "text"    // "12"
)

// Nulls is the treatment of fields that have no value, or that no client needs.
type Nulls string

// The treatments of nulls.
const (
	NullsPlain   Nulls = ""        // a field without a value is null
	NullsMissing Nulls = "missing" // such a field is missing, and so are fields that no client needs
	NullsMany    Nulls = "many"    // fields that no client needs are null too
)

// ErrorShape is the form of an error body.
type ErrorShape string

// The error shapes.
const (
	ErrorsPlain   ErrorShape = ""        // {error, message, character_id, group_id}
	ErrorsDetail  ErrorShape = "detail"  // {detail: text}
	ErrorsList    ErrorShape = "list"    // {detail: [{loc, msg}]}
	ErrorsMessage ErrorShape = "message" // {message}, as a gateway sends it
	ErrorsNested  ErrorShape = "nested"  // {error: {code, message}}
	ErrorsText    ErrorShape = "text"    // plain text
	ErrorsHTML    ErrorShape = "html"    // a page
)

// Background is the reply to a batch that is processed later. The prompts are
// charged and their generations created at once; no reply ever names them.
type Background string

// The replies to a batch that is processed later: a 202 without counts.
const (
	BackgroundNone      Background = ""
	BackgroundNoResults Background = "no-results" // results is empty
	BackgroundNoIDs     Background = "no-ids"     // each result lacks its generation_id
)

// Denial is how the reply to a purchase reports a failure although something
// was bought.
type Denial string

// The denials.
const (
	DenialNone  Denial = ""
	DenialFalse Denial = "false" // success is false
	DenialText  Denial = "text"  // success is "false"
)

// LastIndex is the prompt_index of a batch's last prompt.
type LastIndex string

// The last indices.
const (
	IndexOwn     LastIndex = ""
	IndexDoubled LastIndex = "doubled" // the index of the first prompt
	IndexMissing LastIndex = "missing"
)

// ImageReply is the form of the image endpoint's replies.
type ImageReply string

// The replies of the image endpoint.
const (
	ImagesPlain ImageReply = ""      // {output: [address]}
	ImagesLater ImageReply = "later" // {output: [], status: processing}
	ImagesNull  ImageReply = "null"  // {output: [null]}
)

// TimeStyle is the format of times.
type TimeStyle string

// The styles of times.
const (
	TimesPlain    TimeStyle = ""         // 2031-02-03T04:05:06.000Z
	TimesMissing  TimeStyle = "missing"  // no field at all
	TimesZoneless TimeStyle = "zoneless" // 2031-02-03T04:05:06.000
	TimesEpoch    TimeStyle = "epoch"    // 1927857906
)

// Texts is the service's treatment of names, descriptions, titles and prompts.
type Texts string

// The treatments of texts.
const (
	TextsPlain      Texts = ""           // unchanged
	TextsEscaped    Texts = "escaped"    // Ada &amp; Eve
	TextsCut        Texts = "cut"        // their first hundred characters
	TextsDecomposed Texts = "decomposed" // accents stand behind their letters
)

// of returns a text after the treatment.
func (t Texts) of(text string) string {
	switch t {
	case TextsPlain:
	case TextsEscaped:
		return html.EscapeString(text)
	case TextsCut:
		characters := []rune(text)
		return string(characters[:min(len(characters), 100)])
	case TextsDecomposed:
		return norm.NFD.String(text)
	}
	return text
}

// Pages is how lists are paged.
type Pages string

// The pages of lists.
const (
	PagesPlain      Pages = ""
	PagesOneTooMany Pages = "one-too-many" // a page also has the first element of the next page
	PagesRepeating  Pages = "repeating"    // the last element of a page repeats the one before
)

// IDStyle is the format of ids.
type IDStyle string

// The styles of ids.
const (
	IDsPlain   IDStyle = ""        // gen_000001
	IDsSlash   IDStyle = "slash"   // gen/000001
	IDsPercent IDStyle = "percent" // gen%2F000001
)

// TokenKind is the format of access tokens.
type TokenKind string

// The kinds of tokens.
const (
	TokenJWT        TokenKind = ""
	TokenWithoutExp TokenKind = "without-exp" // a JWT without an expiry
	TokenExpInPast  TokenKind = "exp-in-past" // a JWT that has expired by its own claim, and is accepted
	TokenOpaque     TokenKind = "opaque"      // no JWT
)
