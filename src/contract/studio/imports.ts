import { array, boolean, enums, type Infer, max, nullable, object, optional, size, string, type } from 'superstruct'
import { importTargets, maxFieldNameLength } from '#domain/imports/import-columns.ts'
import { maxSheetColumns } from '#domain/imports/spreadsheet.ts'
import type { AnyCall } from '../shapes/call.ts'
import { Count, Id, Instant, Nothing } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams, writeProblems } from '../shapes/staff-call.ts'

/** No list of people is larger. */
export const maxImportBytes = 20 * 1024 * 1024

const importStates = ['mapping', 'previewed', 'running', 'done', 'undoing', 'undone'] as const

/** What becomes of a row: what is planned, what was done, and whether that was taken back. */
export const importRowStates = [
  'create',
  'update',
  'unchanged',
  'skipped',
  'refused',
  'created',
  'updated',
  'undone',
  'kept',
] as const
export type ImportRowState = (typeof importRowStates)[number]

/** Asks for the rows that have warnings, among the states of `listImportRows`. */
export const warnedRows = 'warned'

/** What is done with a column of the list. */
const Use = type({ column: Count, target: enums(importTargets), field: nullable(string()) })

/** A list of people that was sent. `counts`: its rows by what becomes of them; all nothing until it is previewed. */
export const Import = type({
  id: Count,
  fileName: string(),
  state: enums(importStates),
  version: Count,
  rowsTotal: Count,
  rowsDone: Count,
  counts: type({
    create: Count,
    update: Count,
    unchanged: Count,
    skipped: Count,
    refused: Count,
    created: Count,
    updated: Count,
    undone: Count,
    kept: Count,
  }),
  /** How many rows hold something that is likely a mistake; they are imported as they are. */
  warned: Count,
  madeBy: nullable(string()),
  createdAt: Instant,
  finishedAt: nullable(Instant),
  undoneAt: nullable(Instant),
})
export type Import = Infer<typeof Import>

/** How its list lies in the file, and what is done with each column: a guess until somebody said. */
export const ImportDetails = type({
  ...Import.schema,
  sheets: array(string()),
  sheet: nullable(string()),
  /** The number of the row with the headings; 0 where there is none. */
  headerRow: Count,
  /** Columns further right than the last one that is read. */
  columnsLeftOut: Count,
  columns: array(type({ index: Count, heading: string(), isNamed: boolean(), samples: array(string()) })),
  uses: array(Use),
  matches: enums(['update', 'skip']),
})
export type ImportDetails = Infer<typeof ImportDetails>

/** A row of the list: who it is of, what becomes of it and why, and what is different of them. */
export const ImportRow = type({
  rowNumber: Count,
  state: enums(importRowStates),
  name: string(),
  groups: array(string()),
  subjectId: nullable(Count),
  message: nullable(string()),
  /** What in its fields is likely a mistake: a birth date that is no date, an e-mail address or a phone number that is none. */
  warnings: array(string()),
  changes: array(type({ what: string(), from: string(), to: string() })),
})
export type ImportRow = Infer<typeof ImportRow>

const needs = { feature: 'dataImport' } as const
const ofImport = object({ ...studioJobParams, importId: Id })
const path = `${jobPath}/imports`
const one = `${path}/:importId`

/**
 * Sends a file (multipart, as the field `File`) and has it read; refused, with what to do, where it is no list we can read. Nothing is
 * imported yet.
 */
export const uploadImport = {
  method: 'POST',
  path,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: Nothing,
  body: Nothing,
  answer: ImportDetails,
  problems: [...readProblems, 'refused', 'too-large', 'unsupported-media'],
} satisfies AnyCall

/** The imports of a job, the newest first. */
export const listImports = {
  method: 'GET',
  path,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: object(listQuery),
  body: Nothing,
  answer: listOf(Import),
  problems: readProblems,
} satisfies AnyCall

export const getImport = {
  method: 'GET',
  path: one,
  who: staff,
  needs,
  params: ofImport,
  query: Nothing,
  body: Nothing,
  answer: ImportDetails,
  problems: readProblems,
} satisfies AnyCall

/** Reads another sheet of the file, or takes another row for the headings (0: there are none), and guesses the columns anew. */
export const patchImport = {
  method: 'PATCH',
  path: one,
  who: staff,
  needs,
  params: ofImport,
  query: Nothing,
  body: object({ version: Count, sheet: optional(size(string(), 1, 100)), headerRow: optional(max(Count, 1_048_576)) }),
  answer: ImportDetails,
  problems: writeProblems,
} satisfies AnyCall

/** Says what the columns are for and what is done with people who are there; each row then says what would become of it. */
export const previewImport = {
  method: 'POST',
  path: `${one}/preview`,
  who: staff,
  needs,
  params: ofImport,
  query: Nothing,
  body: object({
    version: Count,
    uses: size(
      array(
        object({
          column: max(Count, maxSheetColumns),
          target: enums(importTargets),
          field: nullable(size(string(), 0, maxFieldNameLength)),
        }),
      ),
      1,
      maxSheetColumns,
    ),
    matches: enums(['update', 'skip']),
  }),
  answer: ImportDetails,
  problems: writeProblems,
} satisfies AnyCall

/** The rows of an import; `state` seeks those of some states (or `warned`), separated by commas, `filter` names and reasons. */
export const listImportRows = {
  method: 'GET',
  path: `${one}/rows`,
  who: staff,
  needs,
  params: ofImport,
  query: object({ ...listQuery, state: optional(size(string(), 1, 100)) }),
  body: Nothing,
  answer: listOf(ImportRow),
  problems: readProblems,
} satisfies AnyCall

/** Has it done, in the background, as it was previewed. What changed since then is left as it is, and said. */
export const runImport = {
  method: 'POST',
  path: `${one}/run`,
  who: staff,
  needs,
  params: ofImport,
  query: Nothing,
  body: object({ version: Count }),
  answer: ImportDetails,
  problems: writeProblems,
} satisfies AnyCall

/**
 * Takes an import back, in the background: who came by it goes, unless there is a picture, an order or a cart of theirs by now; who was
 * changed is as they were, unless they were changed since. That a group was renamed is no change of the people in it.
 */
export const undoImport = { ...runImport, path: `${one}/undo` } satisfies AnyCall

/** Forgets an import that was not run; one that was stays to be looked at. */
export const deleteImport = {
  method: 'DELETE',
  path: one,
  who: staff,
  needs,
  params: ofImport,
  query: Nothing,
  body: Nothing,
  answer: type({}),
  problems: writeProblems,
} satisfies AnyCall
