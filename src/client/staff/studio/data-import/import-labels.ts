import type { Import, ImportRowState } from '#contract/studio/imports.ts'
import type { ImportTarget } from '#domain/imports/import-columns.ts'

/** What a row's state is called, alone and where rows are counted. */
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

/** The states of rows as they are counted: what is done or to be done first. */
export const orderedRowStates: readonly ImportRowState[] = [
  ...(['created', 'updated', 'create', 'update', 'undone', 'kept'] as const),
  ...(['unchanged', 'skipped', 'refused'] as const),
]

/** What can be done with a column, in the words of the screen. */
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

/** Where an import stands. */
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

/** What an import did, or would do, in a few words: "298 new, 2 changes". */
export const importSummary = ({ counts }: Pick<Import, 'counts'>): string =>
  orderedRowStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatCount(counts[state])} ${rowStateLabels[state].toLowerCase()}`)
    .join(', ')

/** A moment as the studio's clock shows it. */
export const formatImportTime = (timeZone: string, at: string): string =>
  new Date(at).toLocaleString('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' })
