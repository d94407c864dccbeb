import type { ColumnUse } from '#domain/imports/import-columns.ts'
import type { ReportChoices } from '#domain/studio/saved-report.ts'
import type { SubjectDetails } from '#domain/subjects/subject-details.ts'
import type { AnyJson, Generated, ImportLayout, Json, Moment, UploadPart } from './columns.ts'

export interface StaffWorkTables {
  check_ins: CheckIns
  shoot_marks: ShootMarks
  imports: Imports
  import_rows: ImportRows
  uploads: Uploads
  match_runs: MatchRuns
  subject_edits: SubjectEdits
  subject_edit_rows: SubjectEditRows
  saved_reports: SavedReports
  studio_exports: StudioExports
}

type CheckIns = {
  studio_id: number
  id: Generated<number>
  check_in_key: string
  job_id: number
  subject_id: number
  station: Generated<string>
  first_frame: string | null
  last_frame: string | null
  note: string | null
  checked_in_by: number | null
  checked_in_at: Moment
  undone_at: Moment | null
}

type ShootMarks = {
  studio_id: number
  id: Generated<number>
  mark_key: string
  job_id: number
  subject_id: number
  kind: 'absent' | 'retake'
  station: Generated<string>
  note: string | null
  marked_by: number | null
  marked_at: Moment
  undone_at: Moment | null
}

type Imports = {
  studio_id: number
  id: Generated<number>
  job_id: number
  file_name: string
  file_key: string | null
  byte_size: Generated<number>
  mapping: Generated<Json<ColumnUse[]>>
  state: Generated<'mapping' | 'previewed' | 'running' | 'done' | 'undoing' | 'undone'>
  rows_total: Generated<number>
  rows_done: Generated<number>
  error: string | null
  made_by: number | null
  version: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
  finished_at: Moment | null
  undone_at: Moment | null
  sheet: string | null
  layout: Generated<Json<ImportLayout>>
  match_policy: Generated<'update' | 'skip'>
  previewed_at: Moment | null
  group_ids: Generated<Json<number[]>>
  began_list: Generated<boolean>
  group_by_key: Generated<Json<Record<string, number>>>
}

type ImportRows = {
  studio_id: number
  import_id: number
  row_number: number
  state: 'create' | 'update' | 'unchanged' | 'skipped' | 'refused' | 'created' | 'updated' | 'undone' | 'kept'
  details: Json<SubjectDetails>
  subject_id: number | null
  before: Json<SubjectDetails | null>
  message: string | null
  after: Json<SubjectDetails | null>
  warnings: Generated<Json<string[]>>
}

type Uploads = {
  studio_id: number
  id: Generated<number>
  upload_key: string
  job_id: number | null
  purpose: 'image' | 'background' | 'replacement' | 'import' | 'logo' | 'watermark'
  match_by: 'code' | 'fileName' | 'shooting' | null
  file_name: string
  content_type: string | null
  byte_size: number
  received_bytes: Generated<number>
  state: Generated<'receiving' | 'received' | 'processed' | 'refused' | 'abandoned'>
  refusal: string | null
  file_key: string | null
  parts: Generated<Json<UploadPart[]>>
  subject_id: number | null
  group_id: number | null
  image_id: number | null
  import_id: number | null
  made_by: number | null
  received_at: Moment | null
  turn: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type MatchRuns = {
  studio_id: number
  id: Generated<number>
  job_id: number
  match_by: 'code' | 'fileName' | 'shooting'
  moved_at: Generated<Moment>
  camera_ahead_seconds: Generated<number>
  image_ids: Json<number[] | null>
  state: Generated<'running' | 'done' | 'failed'>
  pictures_total: number
  pictures_done: Generated<number>
  matched: Generated<number>
  unclear: Generated<number>
  unknown: Generated<number>
  last_taken_at: Generated<Moment>
  last_image_id: Generated<number>
  made_by: number | null
  created_at: Moment
  finished_at: Moment | null
}

type SubjectEdits = {
  studio_id: number
  id: Generated<number>
  job_id: number
  does: 'set-field' | 'groups' | 'visibility' | 'give-codes'
  field_name: string | null
  made_by: number | null
  made_at: Moment
  undone_at: Moment | null
}

type SubjectEditRows = {
  studio_id: number
  edit_id: number
  subject_id: number
  version_before: number
  version_after: number
  before: Json<AnyJson>
}

type SavedReports = {
  studio_id: number
  id: Generated<number>
  name: string
  choices: Json<ReportChoices>
  schedule: 'weekly' | 'monthly' | null
  recipient_id: number | null
  next_at: Moment | null
  version: Generated<number>
}

type StudioExports = {
  studio_id: number
  folder: string
  state: 'making' | 'ready' | 'failed'
  made_by: number | null
  created_at: Moment
  expires_at: Moment | null
}
