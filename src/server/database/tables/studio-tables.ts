import type { JobPreferences } from '#contract/shapes/job-structs.ts'
import type { OrderMethod, OrganizationType } from '#domain/catalogue/catalogue.ts'
import type { JobStep } from '#domain/studio/workflow.ts'
import type { CheckoutContact, FieldOption, Generated, Json, Moment, PostalAddress } from './columns.ts'

export interface StudioTables {
  studio_features: StudioFeatures
  verification_requests: VerificationRequests
  organizations: Organizations
  organization_contacts: OrganizationContacts
  package_sets: PackageSets
  jobs: Jobs
  job_counts: JobCounts
  job_fields: JobFields
  job_order_services: JobOrderServices
  job_workflows: JobWorkflows
  notify_me: NotifyMe
  unusual_searches: UnusualSearches
  support_accesses: SupportAccesses
}

type StudioFeatures = {
  studio_id: number
  feature_id: number
  created_at: Generated<Moment>
}

type VerificationRequests = {
  studio_id: number
  id: Generated<number>
  account_number: string
  state: Generated<'waiting' | 'verified' | 'refused'>
  reason: string | null
  requested_by: number | null
  decided_by: number | null
  created_at: Generated<Moment>
  decided_at: Moment | null
}

type Organizations = {
  studio_id: number
  id: Generated<number>
  name: string
  type: OrganizationType
  phone: string | null
  email: string | null
  website: string | null
  note: string | null
  archived_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type OrganizationContacts = {
  studio_id: number
  id: Generated<number>
  organization_id: number
  first_name: Generated<string>
  last_name: Generated<string>
  title: Generated<string>
  email: Generated<string>
  phone: Generated<string>
  address: Json<PostalAddress | null>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type PackageSets = {
  studio_id: number
  id: Generated<number>
  name: string
  description: Generated<string>
  archived_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type Jobs = {
  studio_id: number
  id: Generated<number>
  organization_id: number | null
  package_set_id: number | null
  name: string
  name_key: Generated<string>
  description: Generated<string>
  event_date: string | null
  version_major: Generated<number>
  version_minor: Generated<number>
  rspo_job: Generated<boolean>
  published_at: Moment | null
  archived_at: Moment | null
  prepay_enabled: Generated<boolean>
  prepay_opens_at: Moment | null
  prepay_closes_at: Moment | null
  gallery_enabled: Generated<boolean>
  gallery_opens_at: Moment | null
  gallery_closes_at: Moment | null
  gallery_expires_on: string | null
  gallery_is_public: Generated<boolean>
  own_code_only: Generated<boolean>
  order_by: string | null
  late_basis_points: number | null
  late_cents: number | null
  imported_data: Generated<boolean>
  prepay_imported_data: Generated<boolean>
  enable_year_book_pose_selection: Generated<boolean>
  year_book_pose_expires_at: Moment | null
  allow_retouch: Generated<boolean>
  allow_name_on_all_prints: Generated<boolean>
  allow_name_on_wallets: Generated<boolean>
  image_level_service: Generated<boolean>
  ships_home: Generated<boolean>
  ships_batch: Generated<boolean>
  batch_closes_at: Moment | null
  free_shipping_until: string | null
  delivery_days_from: number | null
  delivery_days_to: number | null
  handed_out_on: string | null
  preferences: Generated<Json<JobPreferences>>
  checkout_contact: Json<CheckoutContact | null>
  watermark_id: number | null
  photos_version: Generated<number>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

/** The sum of a job's rows are its counts. `transaction`: '0' for rows that were merged. */
type JobCounts = {
  studio_id: number
  job_id: number
  transaction: string
  subjects: Generated<number>
  with_images: Generated<number>
  ordered: Generated<number>
  images: Generated<number>
  unmatched_images: Generated<number>
  orders: Generated<number>
  order_cents: Generated<number>
  placed_orders: Generated<number>
  batched_orders: Generated<number>
  awaiting_poses: Generated<number>
  prepay_orders: Generated<number>
  gallery_orders: Generated<number>
  in_batch_orders: Generated<number>
  unbatched_orders: Generated<number>
  submitted_orders: Generated<number>
}

type JobFields = {
  studio_id: number
  id: Generated<number>
  job_id: number
  name: string
  label: string
  input_type: Generated<'text' | 'textarea' | 'alphanumeric'>
  is_required: Generated<boolean>
  has_options: Generated<boolean>
  options: Generated<Json<FieldOption[]>>
  template_id: number | null
  position: Generated<number>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type JobOrderServices = {
  studio_id: number
  id: Generated<number>
  job_id: number
  order_service_id: number
  price_cents: number
  is_enabled: Generated<boolean>
  position: Generated<number>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type JobWorkflows = {
  studio_id: number
  id: Generated<number>
  job_id: number
  workflow_id: number | null
  name: string
  steps: Json<JobStep[]>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type NotifyMe = {
  studio_id: number
  id: Generated<number>
  job_id: number
  order_method: OrderMethod | null
  subject_id: number | null
  email: string
  created_at: Generated<Moment>
  notified_at: Moment | null
}

type UnusualSearches = {
  studio_id: number
  job_id: number
  day: string
  misses: Generated<number>
  people: Generated<number>
  first_at: Moment
  last_at: Moment
}

type SupportAccesses = {
  studio_id: number
  id: Generated<number>
  administrator_id: number
  reason: Generated<string>
  asked_at: Moment
  granted_by: number | null
  starts_at: Moment | null
  ends_at: Moment | null
  may_change: Generated<boolean>
  sharp_photos: Generated<boolean>
  ended_at: Moment | null
  ended_by: number | null
}
