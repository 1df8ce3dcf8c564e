package purchase

import "github.com/hashicorp/terraform-plugin-framework/datasource"

// DataSources are the data sources of this domain.
var DataSources = []func() datasource.DataSource{newPurchasesDataSource}
