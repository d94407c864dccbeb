import type { ExportField } from '#domain/image-exports/export-fields.ts'
import type { ExportFormat, ExportImageChoice, ExportSettings } from '#domain/image-exports/export-settings.ts'

/** The server's errors by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** What the parts of the form share. */
export type SettingsProps = {
  settings: ExportSettings
  errors: FieldErrors
  change: (changes: Partial<ExportSettings>) => void
}

export const formatLabels: Readonly<Record<ExportFormat, string>> = {
  pspa: 'Yearbook publisher (PSPA)',
  zip: 'Images and a table',
  'id-photos': 'ID-card photos',
  administration: 'School administration (PowerSchool, Infinite Campus)',
}

export const imageChoiceLabels: Readonly<Record<ExportImageChoice, string>> = {
  yearbook: 'Only those chosen for the yearbook',
  'yearbook-or-main': 'Chosen for the yearbook, or else the main image',
  main: 'Main image',
}

export const fieldLabels: Readonly<Record<ExportField, string>> = {
  studentId: 'Student id',
  grade: 'Grade',
  homeroom: 'Homeroom',
  period: 'Period',
  teacher: 'Teacher',
  track: 'Track',
}
