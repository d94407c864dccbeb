import type { ExportSettings } from '#domain/image-exports/export-settings.ts'
import type { PlacedCrop } from '#domain/image-exports/head-crop.ts'
import type { Generated, Json, Moment } from './columns.ts'

export interface ImageExportTables {
  image_exports: ImageExports
  image_export_files: ImageExportFiles
}

type ImageExports = {
  studio_id: number
  id: Generated<number>
  job_id: number
  format: 'pspa' | 'zip' | 'id-photos' | 'administration'
  state: Generated<'waiting' | 'making' | 'ready' | 'failed' | 'expired'>
  settings: Json<ExportSettings>
  files_total: number | null
  error: string | null
  made_by: number | null
  created_at: Moment
  updated_at: Moment
  expires_at: Moment | null
}

type ImageExportFiles = {
  studio_id: number
  export_id: number
  subject_id: number
  image_id: number
  position: number
  file_name: string
  placed: Json<PlacedCrop>
  byte_size: number | null
  content_hash: string | null
}
