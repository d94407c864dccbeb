import { formatCount } from '#client/staff/kit/screen/format.ts'
import type { Import, ImportRowState } from '#contract/studio/imports.ts'
import type { ImportTarget } from '#domain/imports/import-columns.ts'

/** Labels of the row states. */
export const rowStateLabels: Readonly<Record<ImportRowState, string>> = {
  create: 'New',
  update: 'Changes',
  unchanged: 'Unchanged',
  skipped: 'Skipped',
  refused: 'Refused',
  created: 'Added',
  updated: 'Changed',
  undone: 'Undone',
  kept: 'Kept',
}

/** Row states in display order. */
export const orderedRowStates: readonly ImportRowState[] = [
  ...(['created', 'updated', 'create', 'update', 'undone', 'kept'] as const),
  ...(['unchanged', 'skipped', 'refused'] as const),
]

/** Labels of the column targets. */
export const importTargetLabels: Readonly<Record<ImportTarget, string>> = {
  ignore: 'Leave out',
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Full name',
  reference: 'Student id',
  code: 'Access code',
  group: 'Group',
  field: 'A field',
}

/** Labels of the import states. */
export const importStateLabels: Readonly<Record<Import['state'], string>> = {
  mapping: 'Columns to choose',
  previewed: 'Ready to import',
  running: 'Importing',
  done: 'Done',
  undoing: 'Undoing',
  undone: 'Undone',
}

/** Summary of an import's effects: "298 new, 2 changes". */
export const importSummary = ({ counts }: Pick<Import, 'counts'>): string =>
  orderedRowStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatCount(counts[state])} ${rowStateLabels[state].toLowerCase()}`)
    .join(', ')

/** Formats an instant in the studio's time zone. */
export const formatImportTime = (timeZone: string, instant: string): string =>
  new Date(instant).toLocaleString('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' })
