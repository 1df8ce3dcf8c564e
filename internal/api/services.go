package api

// The endpoints by area. Each service sends its requests through a Client.
type (
	// CharacterService has the characters of the organization, and their
	// capabilities.
	CharacterService struct{ client *Client }
	// ImageService has the images of a character that trainings learn from.
	ImageService struct{ client *Client }
	// TrainingService has the trainings of a character.
	TrainingService struct{ client *Client }
	// DatasetService has the datasets of characters, and their approvals.
	DatasetService struct{ client *Client }
	// GenerationService has generations, and submits batches of prompts.
	GenerationService struct{ client *Client }
	// GroupService has groups as a whole, where a deployment shows them.
	GroupService struct{ client *Client }
	// ModelService sends questions to models. No endpoint returns an answer again.
	ModelService struct{ client *Client }
)
