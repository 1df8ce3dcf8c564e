package purchase

import "github.com/hashicorp/terraform-plugin-framework/datasource"

// DataSources are the types of this domain.
var DataSources = []func() datasource.DataSource{newPurchasesDataSource}
