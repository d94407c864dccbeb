import type { Selectable, Updateable } from 'kysely'
import type { Generated, Json, Moment } from './columns.ts'

export interface SubjectsImagesTables {
  groups: Groups
  subjects: Subjects
  subject_counts: SubjectCounts
  subject_fields: SubjectFields
  subject_groups: SubjectGroups
  access_codes: AccessCodes
  image_lookups: ImageLookupsTable
  compositions: Compositions
  green_screens: GreenScreens
  year_book_poses: YearBookPoses
  session_grants: SessionGrants
  image_shares: ImageShares
  image_share_items: ImageShareItems
  preview_runs: PreviewRuns
}

type Groups = {
  studio_id: number
  id: Generated<number>
  job_id: number
  name: string
  position: Generated<number>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type Subjects = {
  studio_id: number
  id: Generated<number>
  job_id: number
  first_name: string
  last_name: string
  first_key: string
  last_key: string
  reference: string | null
  state: Generated<'listed' | 'pending' | 'staged'>
  person_id: string | null
  person_session_id: number | null
  primary_image_id: number | null
  hidden_at: Moment | null
  search_words: Generated<string>
  sought_key: Generated<string>
  group_key: string | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type SubjectCounts = {
  studio_id: number
  subject_id: number
  job_id: number
  images: Generated<number>
  orders: Generated<number>
}

type SubjectFields = {
  studio_id: number
  id: Generated<number>
  subject_id: number
  name: string
  value: string
  has_options: Generated<boolean>
  template_id: number | null
  option_id: number | null
  is_answer: Generated<boolean>
}

type SubjectGroups = {
  studio_id: number
  subject_id: number
  group_id: number
}

type AccessCodes = {
  studio_id: number
  code: string
  job_id: number
  subject_id: number | null
  created_at: Generated<Moment>
}

type ImageLookupsTable = {
  studio_id: number
  id: Generated<number>
  job_id: number
  subject_id: number | null
  group_id: number | null
  kind: 'hosted-individual' | 'hosted-group' | 'green-screen-background' | 'replacement'
  file_name: string
  original_key: string
  content_type: string
  byte_size: number
  content_hash: string | null
  width: number | null
  height: number | null
  has_alpha: Generated<boolean>
  cut_out_state: Generated<'none' | 'proposed' | 'accepted'>
  cut_out_key: string | null
  cut_out_hash: string | null
  uploaded_key: string | null
  beside_bytes: Generated<number>
  match_words: Generated<string>
  matched_by: 'code' | 'fileName' | 'shooting' | 'hand' | null
  thumb_hash: string | null
  thumb_width: number | null
  thumb_height: number | null
  thumb_bytes: number | null
  preview_hash: string | null
  preview_width: number | null
  preview_height: number | null
  preview_bytes: number | null
  preview_mark: string | null
  former_preview_hashes: Generated<Json<string[]>>
  state: Generated<'processing' | 'ready' | 'refused'>
  refusal: string | null
  position: Generated<number>
  taken_at: Moment | null
  published_at: Moment | null
  superseded_at: Moment | null
  withdrawn_at: Moment | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

/** An image as it is selected. */
export type ImageRow = Selectable<ImageLookupsTable>

/** The columns of an image that may be updated. */
export type ImageChange = Updateable<ImageLookupsTable>

type Compositions = {
  studio_id: number
  id: Generated<number>
  image_id: number
  background_id: number
  sources: string
  file_key: string
  byte_size: number
  content_hash: string
  width: number
  height: number
  thumb_hash: string
  thumb_width: number
  thumb_height: number
  made_at: Moment
}

type GreenScreens = {
  studio_id: number
  id: Generated<number>
  job_id: number
  image_id: number
  name: string
  is_enabled: Generated<boolean>
  position: Generated<number>
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type YearBookPoses = {
  studio_id: number
  subject_id: number
  image_id: number
  session_id: number | null
  chosen_by: number | null
  chosen_at: Moment
}

type SessionGrants = {
  studio_id: number
  id: Generated<number>
  session_id: number
  job_id: number
  kind: 'job' | 'gallery' | 'subject' | 'order'
  subject_id: number | null
  order_id: number | null
  grant_id: string
  created_at: Generated<Moment>
  expires_at: Moment | null
  revoked_at: Moment | null
}

type PreviewRuns = {
  studio_id: number
  state: Generated<'running' | 'done' | 'cancelled'>
  attempt: Generated<number>
  images_total: number
  images_done: Generated<number>
  images_failed: Generated<number>
  last_image_id: Generated<number>
  started_at: Moment
  moved_at: Moment
  finished_at: Moment | null
}

type ImageShares = {
  studio_id: number
  id: Generated<number>
  job_id: number
  subject_id: number
  session_id: number
  token_hash: string
  view_count: Generated<number>
  created_at: Moment
  expires_at: Moment
  revoked_at: Moment | null
}

type ImageShareItems = {
  studio_id: number
  share_id: number
  image_id: number
}
