import type { Import, ImportRowState } from '#contract/studio/imports.ts'
import type { ImportTarget } from '#domain/imports/import-columns.ts'

/** Labels of the row states, alone and with a count. */
export const rowStateLabels: Readonly<Record<ImportRowState, string>> = {
  create: 'New',
  update: 'Changes',
  unchanged: 'As they are',
  skipped: 'Skipped',
  refused: 'Refused',
  created: 'Added',
  updated: 'Changed',
  undone: 'Taken back',
  kept: 'Kept',
}

/** Row states in display order. */
export const orderedRowStates: readonly ImportRowState[] = [
  ...(['created', 'updated', 'create', 'update', 'undone', 'kept'] as const),
  ...(['unchanged', 'skipped', 'refused'] as const),
]

/** Labels of the column targets. */
export const importTargetLabels: Readonly<Record<ImportTarget, string>> = {
  leave: 'Leave out',
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Whole name',
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
  undoing: 'Being taken back',
  undone: 'Taken back',
}

export const formatCount = (of: number): string => of.toLocaleString('en-US')

/** "1 person", "300 people". */
export const formatSubjectCount = (of: number): string => `${formatCount(of)} ${of === 1 ? 'person' : 'people'}`

/** Summary of an import's effects: "298 new, 2 changes". */
export const importSummary = ({ counts }: Pick<Import, 'counts'>): string =>
  orderedRowStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatCount(counts[state])} ${rowStateLabels[state].toLowerCase()}`)
    .join(', ')

/** Formats an instant in the studio's time zone. */
export const formatImportTime = (timeZone: string, at: string): string =>
  new Date(at).toLocaleString('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' })
