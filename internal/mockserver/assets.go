package mockserver

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

const (
	faceImage  = "face_image"
	bodyImage  = "body_image"
	frontImage = "body_image_front"
	backImage  = "body_image_back"
)

// Asset is a file that belongs to a character.
type Asset struct {
	ID     string `json:"id"`      // in the upload's reply
	ListID string `json:"list_id"` // in the asset list; equal to ID except in a variant
	Type   string `json:"type"`    // face_image or body_image
	// ImageType is body_image_front or body_image_back, which the API never
	// tells; "" for other images.
	ImageType   string    `json:"image_type,omitempty"`
	Filename    string    `json:"filename"`
	ContentType string    `json:"content_type"` // of the form's part, as sent
	SHA256      string    `json:"sha256"`       // of the bytes, in hex
	Size        int64     `json:"size"`
	CreatedAt   time.Time `json:"created_at"`
}

type asset struct {
	Asset
	content []byte // nil if the file was too large to keep
	caption span
	late    later
}

// Assets returns a character's files, oldest first.
func (s *Server) Assets(characterID string) []Asset {
	var found []Asset
	s.of(characterID, func(owner *character) {
		for _, a := range owner.assets {
			found = append(found, a.Asset)
		}
	})
	return found
}

// AddAsset adds a file without a request and returns its asset. The type is
// "face_image", "body_image" or any other; an image of one side of a body is
// also a "body_image". The character must exist.
func (s *Server) AddAsset(characterID, assetType, filename string, content []byte) Asset {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addAsset(s.world.byID[characterID], assetType, newUpload(filename, "image/png", content), s.now()).Asset
}

// RemoveAsset deletes a file without a request.
func (s *Server) RemoveAsset(characterID, assetID string) {
	s.of(characterID, func(owner *character) {
		owner.assets = slices.DeleteFunc(owner.assets, func(a *asset) bool { return a.ID == assetID })
	})
}

func (s *Server) addAsset(owner *character, assetType string, from *upload, now time.Time) *asset {
	added := &asset{
		Asset: Asset{
			ID:          s.world.nextID("asset"),
			Type:        assetType,
			Filename:    from.filename,
			ContentType: from.contentType,
			SHA256:      from.sha256,
			Size:        from.size,
			CreatedAt:   now,
		},
		content: from.content,
		caption: span{now, s.opts.CaptionTime},
	}
	if assetType == frontImage || assetType == backImage {
		added.Type = bodyImage
		added.ImageType = assetType
	}
	added.ListID = added.ID
	if s.opts.Variant.AssetIDsDiffer {
		added.ListID = s.world.nextID("file")
	}
	owner.assets = append(owner.assets, added)
	return added
}

func (c *character) count(assetType string) int {
	count := 0
	for _, a := range c.assets {
		if a.Type == assetType {
			count++
		}
	}
	return count
}

// showsBody reports whether there are images of the body from both sides.
func (c *character) showsBody() bool {
	sides := map[string]bool{}
	for _, a := range c.assets {
		sides[a.ImageType] = true
	}
	return sides[frontImage] && sides[backImage]
}

// captionsPending reports whether a face image has no caption yet.
func (c *character) captionsPending(now time.Time) bool {
	return slices.ContainsFunc(c.assets, func(a *asset) bool {
		return a.Type == faceImage && !a.caption.over(now)
	})
}

// listAssets is endpoint 11.
func (s *Server) listAssets(c *call) (any, error) {
	owner := c.owner
	wanted := c.entry.Query.Get("asset_type")
	if s.opts.Variant.RefuseFilters && wanted != "" {
		return nil, unknownParameter("asset_type")
	}
	if s.opts.Variant.IgnoreFilters {
		wanted = ""
	}
	list := assetsBody{Assets: []assetBody{}}
	for _, a := range owner.assets {
		if a.late.visible() && (wanted == "" || a.Type == wanted) {
			list.Assets = append(list.Assets, c.assetBody(a))
		}
	}
	list.Total = len(list.Assets)
	return list, nil
}

func (c *call) assetBody(a *asset) assetBody {
	caption, status := a.describe(c.now)
	return assetBody{
		AssetID:       a.ListID,
		AssetType:     a.Type,
		Filename:      a.Filename,
		ContentType:   a.ContentType,
		Size:          a.Size,
		ViewURL:       c.viewURL(a),
		StorageURL:    c.storageURL(a),
		Caption:       caption,
		CaptionStatus: status,
		CreatedAt:     stamp(a.CreatedAt),
	}
}

func (a *asset) describe(now time.Time) (caption *string, status string) {
	if !a.caption.over(now) {
		return nil, wordPending
	}
	text := "a photograph of a face, number " + a.SHA256[:6]
	return &text, wordCompleted
}

func (c *call) viewURL(a *asset) string    { return c.origin + "/media/assets/" + a.mediaName() }
func (c *call) storageURL(a *asset) string { return c.origin + "/media/storage/" + a.mediaName() }

func (a *asset) mediaName() string { return url.PathEscape(a.ID) + path.Ext(a.safeName()) }

// safeName is the filename without characters that an address must escape.
func (a *asset) safeName() string {
	extension := path.Ext(a.Filename)
	for _, r := range extension {
		if r != '.' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return ""
		}
	}
	return extension
}

// uploadImage is endpoint 12, and also serves body images. The content was
// received before.
func uploadImage(assetType string) handler {
	return func(s *Server, c *call) (any, error) {
		owner := c.owner
		most := map[string]int{faceImage: s.opts.MaxFaceImages, bodyImage: maxBodyImages}[assetType]
		noun := strings.ReplaceAll(assetType, "_", " ")
		switch {
		case c.upload.size == 0:
			return nil, owner.refuse(http.StatusBadRequest, "invalid_file", "the file is empty")
		case owner.count(assetType) >= most:
			return nil, owner.refuse(
				http.StatusBadRequest,
				"too_many_images",
				"the character has as many "+noun+"s as it may have",
			)
		}
		side, _ := c.upload.fields["image_type"].(string)
		added := s.addAsset(owner, cmp.Or(side, assetType), c.upload, c.now)
		if s.opts.Variant.FilesRenamed {
			added.Filename = added.ID + added.safeName()
		}
		added.late = s.opts.Variant.later()
		caption, status := added.describe(c.now)
		return uploadBody{
			Success:       true,
			Message:       noun + " uploaded",
			AssetID:       added.ID,
			StorageURL:    c.storageURL(added),
			ViewURL:       c.viewURL(added),
			Filename:      added.Filename,
			Caption:       caption,
			CaptionStatus: status,
		}, nil
	}
}

func fingerprint(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
