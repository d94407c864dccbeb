import type { PackagePreferences } from '#domain/catalogue/package-preferences.ts'
import type { ApiScope } from '#domain/developers/api-scopes.ts'
import type { ReminderPreferences } from '#domain/reminders/reminder-kinds.ts'
import type { AnyJson, Generated, Json, Moment, PostalAddress } from './columns.ts'

export interface PlatformTables {
  studios: Studios
  studio_slugs: StudioSlugs
  studio_hosts: StudioHosts
  job_links: JobLinks
  order_links: OrderLinks
  download_links: DownloadLinks
  grant_links: GrantLinks
  users: Users
  user_preferences: UserPreferences
  refresh_tokens: RefreshTokens
  api_tokens: ApiTokens
  password_resets: PasswordResets
  invitations: Invitations
  customer_sessions: CustomerSessions
  session_keys: SessionKeys
  hand_overs: HandOvers
  guess_counters: GuessCounters
  idempotency_keys: IdempotencyKeys
  settings: Settings
}

type Studios = {
  id: Generated<number>
  slug: string
  name: string
  legal_name: string | null
  account_number: string | null
  tax_id: string | null
  contact_email: string | null
  contact_phone: string | null
  website: string | null
  address: Json<PostalAddress | null>
  logo_key: string | null
  logo_hash: string | null
  logo_width: number | null
  logo_height: number | null
  logo_bytes: Generated<number>
  accent_color: string | null
  time_zone: Generated<string>
  rspo_enabled: Generated<boolean>
  deletes_at: Moment | null
  is_open_until_deletion: Generated<boolean>
  has_legacy_jobs: Generated<boolean>
  has_rspo_jobs: Generated<boolean>
  is_millers_verified: Generated<boolean>
  requires_second_factor: Generated<boolean>
  host_checked_at: Moment | null
  maintenance_until: Moment | null
  payment_account_id: string | null
  payment_connected_at: Moment | null
  platform_fee_basis_points: Generated<number>
  package_preferences: Generated<Json<Partial<PackagePreferences>>>
  reminder_preferences: Generated<Json<Partial<ReminderPreferences>>>
  is_sharing_enabled: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type StudioSlugs = {
  slug: string
  studio_id: number
  created_at: Generated<Moment>
}

type StudioHosts = {
  host_name: string
  studio_id: number
  token: string
  state: Generated<'waiting' | 'proved'>
  waiting_since: Generated<Moment>
  proved_at: Moment | null
  failing_since: Moment | null
  checked_at: Moment | null
  finding: 'record' | 'file' | 'other' | 'missing' | 'private' | 'no-answer' | 'taken' | null
  created_at: Generated<Moment>
}

type JobLinks = {
  job_id: number
  studio_id: number
}

type OrderLinks = {
  order_number: string
  studio_id: number
  order_id: number
}

type DownloadLinks = {
  link_id: string
  studio_id: number
}

type GrantLinks = {
  grant_id: string
  studio_id: number
}

type Users = {
  id: Generated<number>
  email: string
  name: string
  password_hash: string | null
  role: 'administrator' | 'owner' | 'staff'
  studio_id: number | null
  disabled_at: Moment | null
  signed_in_at: Moment | null
  sessions_ended_at: Moment | null
  is_second_factor_exempt: Generated<boolean>
  removed_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type UserPreferences = {
  id: Generated<number>
  user_id: number
  build_maximum_cropper_size: Generated<number>
  build_images_per_row: Generated<number>
  use_dark_mode: Generated<boolean>
  updated_at: Generated<Moment>
}

type RefreshTokens = {
  id: Generated<number>
  user_id: number
  family: string
  token_hash: string
  expires_at: Moment
  spent_at: Moment | null
  revoked_at: Moment | null
  created_at: Generated<Moment>
}

type ApiTokens = {
  id: Generated<number>
  studio_id: number
  user_id: number
  name: string
  token_hash: string
  hint: string
  scopes: Json<ApiScope[]>
  expires_at: Moment
  last_used_at: Moment | null
  revoked_at: Moment | null
  created_at: Generated<Moment>
}

type PasswordResets = {
  id: Generated<number>
  user_id: number
  token_hash: string
  expires_at: Moment
  used_at: Moment | null
  created_at: Generated<Moment>
}

type Invitations = {
  id: Generated<number>
  studio_id: number | null
  email: string
  name: string
  role: 'administrator' | 'owner' | 'staff'
  token_hash: string
  invited_by: number | null
  expires_at: Moment
  accepted_at: Moment | null
  revoked_at: Moment | null
  created_at: Generated<Moment>
}

type CustomerSessions = {
  id: Generated<number>
  created_at: Generated<Moment>
  seen_at: Generated<Moment>
  expires_at: Moment
  finished_at: Moment | null
}

type SessionKeys = {
  id: Generated<number>
  session_id: number
  token_hash: string
  created_at: Generated<Moment>
  ended_at: Moment | null
}

type HandOvers = {
  session_id: number
  id: string
  job_id: number
  order_method: 'prepay' | 'gallery'
  token_hash: string
  made_by: number
  expires_at: Moment
  taken_by: number | null
  taker_hash: string | null
}

type GuessCounters = {
  kind: 'session' | 'target' | 'address'
  key: string
  window_started_at: Moment
  failures: Generated<number>
  failed_at: Generated<Moment>
}

type IdempotencyKeys = {
  owner: string
  key: string
  method: string
  path: string
  body_hash: string
  state: Generated<'in-flight' | 'recorded'>
  status: number | null
  response: Json<AnyJson | null>
  created_at: Generated<Moment>
  recorded_at: Moment | null
}

type Settings = {
  key: string
  value: Json<AnyJson>
  version: Generated<number>
  updated_by: number | null
  updated_at: Generated<Moment>
}
