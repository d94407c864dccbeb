import type { WorkflowStep } from '#domain/studio/workflow.ts'
import type { FieldOption, Generated, Json, Moment, ProductNodes } from './columns.ts'

export interface PlatformCatalogueTables {
  products: Products
  tags: Tags
  product_tags: ProductTags
  shipping_options: ShippingOptions
  order_services: OrderServices
  watermarks: Watermarks
  defined_fields: DefinedFields
  features: Features
  workflows: Workflows
  tax_rates: TaxRates
}

type Products = {
  id: Generated<number>
  code: string
  name: string
  description: Generated<string>
  width_inches: number | null
  height_inches: number | null
  is_digital: Generated<boolean>
  tax_class: Generated<string>
  allow_crop: Generated<boolean>
  lab_sku: Generated<string>
  cost_cents: Generated<number>
  suggested_price_cents: number | null
  nodes: Generated<Json<ProductNodes>>
  /** Names the file of its image. */
  image_file: string | null
  archived_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type Tags = {
  id: Generated<number>
  name: string
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type ProductTags = {
  product_id: number
  tag_id: number
}

type ShippingOptions = {
  id: Generated<number>
  code: string
  label: string
  description: Generated<string>
  ships_to: Generated<'home' | 'studio'>
  price_cents: number
  each_more_cents: Generated<number>
  minimum_days: number | null
  maximum_days: number | null
  for_military: Generated<boolean>
  tax_class: Generated<string>
  position: Generated<number>
  archived_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type OrderServices = {
  id: Generated<number>
  kind: 'service' | 'retouch' | 'personalization'
  name: string
  description: Generated<string>
  level: 'basic' | 'premium' | null
  price_cents: number
  tax_class: Generated<string>
  position: Generated<number>
  archived_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type Watermarks = {
  id: Generated<number>
  studio_id: number | null
  name: string
  kind: 'text' | 'image'
  text: string | null
  image_hash: string | null
  opacity_percent: Generated<number>
  placement: Generated<'tile' | 'center'>
  is_default: Generated<boolean>
  archived_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type DefinedFields = {
  id: Generated<number>
  name: string
  label: string
  input_type: Generated<'text' | 'textarea' | 'alphanumeric'>
  has_options: Generated<boolean>
  options: Generated<Json<FieldOption[]>>
  aliases: Generated<Json<string[]>>
  data_class: Generated<'ordinary' | 'contact' | 'sensitive'>
  retention_months: number | null
  position: Generated<number>
  archived_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type Features = {
  id: Generated<number>
  identifier: string
  name: string
  description: Generated<string>
  is_default: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type Workflows = {
  id: Generated<number>
  name: string
  steps: Generated<Json<WorkflowStep[]>>
  archived_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type TaxRates = {
  id: Generated<number>
  country: Generated<string>
  region: string
  postal_prefix: Generated<string>
  tax_class: Generated<string>
  rate_millionths: number
  valid_from: Generated<string>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}
