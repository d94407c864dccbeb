import type { Package, PackageAddonType } from '#domain/catalogue/catalogue.ts'
import type { Generated, Json, Moment } from './columns.ts'

export interface CatalogueTables {
  packages: Packages
  package_versions: PackageVersions
  promotions: Promotions
  promotion_codes: PromotionCodes
}

type Packages = {
  studio_id: number
  id: Generated<number>
  package_set_id: number
  current_version: Generated<number>
  position: Generated<number>
  offered_prepay: Generated<boolean>
  offered_gallery: Generated<boolean>
  is_recommended: Generated<boolean>
  sold_count: Generated<number>
  tax_class: Generated<string>
  picture_key: string | null
  picture_hash: string | null
  archived_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type PackageVersions = {
  studio_id: number
  package_id: number
  version: number
  name: string
  retail_cost_cents: number
  addon_type: PackageAddonType
  content: Json<Package>
  created_by: number | null
  created_at: Generated<Moment>
}

type Promotions = {
  studio_id: number
  id: Generated<number>
  job_id: number | null
  code: string
  name: Generated<string>
  kind: 'percent' | 'amount'
  basis_points: number | null
  amount_cents: number | null
  minimum_cents: Generated<number>
  package_ids: number[] | null
  starts_at: Moment | null
  ends_at: Moment | null
  maximum_uses: number | null
  maximum_uses_per_customer: number | null
  has_single_use_codes: Generated<boolean>
  is_automatic: Generated<boolean>
  is_stackable: Generated<boolean>
  is_enabled: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type PromotionCodes = {
  studio_id: number
  id: Generated<number>
  promotion_id: number
  code: string
  created_at: Generated<Moment>
}
