import { array, boolean, enums, type Infer, max, nullable, object, optional, size, string, type } from 'superstruct'
import { importTargets, maxFieldNameLength } from '#domain/imports/import-columns.ts'
import { maxSheetColumns } from '#domain/imports/spreadsheet.ts'
import { call } from '../shapes/call.ts'
import { Count, Id, Instant } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams, writeProblems } from '../shapes/staff-call.ts'

/** Larger than any list of subjects. */
export const maxImportBytes = 20 * 1024 * 1024

const importStates = ['mapping', 'previewed', 'running', 'done', 'undoing', 'undone'] as const

/** The state of a row: planned, imported, or undone. */
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

/** Value of `state` in `listImportRows` for rows with warnings. */
export const warnedRows = 'warned'

/** How a column of the list is used. */
const Use = type({ column: Count, target: enums(importTargets), field: nullable(string()) })

/** An uploaded list of subjects. `counts`: its rows by state; all 0 until it is previewed. */
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
  /** Number of rows that likely contain a mistake; they are imported unchanged. */
  warned: Count,
  madeBy: nullable(string()),
  createdAt: Instant,
  finishedAt: nullable(Instant),
  undoneAt: nullable(Instant),
})
export type Import = Infer<typeof Import>

/** An import with the layout of its sheet and the use of each column; guessed until staff confirm it. */
export const ImportDetails = type({
  ...Import.schema,
  sheets: array(string()),
  sheet: nullable(string()),
  /** The number of the heading row; 0 if there is none. */
  headerRow: Count,
  /** Number of columns beyond the maximum. */
  columnsLeftOut: Count,
  columns: array(type({ index: Count, heading: string(), isNamed: boolean(), samples: array(string()) })),
  uses: array(Use),
  matchPolicy: enums(['update', 'skip']),
})
export type ImportDetails = Infer<typeof ImportDetails>

/** A row of the list: its subject, its state with the reason, and the changes to the subject. */
export const ImportRow = type({
  rowNumber: Count,
  state: enums(importRowStates),
  name: string(),
  groups: array(string()),
  subjectId: nullable(Count),
  message: nullable(string()),
  /** Likely mistakes in its fields: an invalid birth date, e-mail address or phone number. */
  warnings: array(string()),
  changes: array(type({ what: string(), from: string(), to: string() })),
})
export type ImportRow = Infer<typeof ImportRow>

const needs = { feature: 'dataImport' } as const
/** What can contain the codes of a sheet. */
const importCodes = { samples: [], changes: [], message: null }
const importParams = object({ ...studioJobParams, importId: Id })
const path = `${jobPath}/imports`
const importPath = `${path}/:importId`

/**
 * Uploads a file (multipart, form field `File`) and reads it; rejected, with advice, if it is no list that we can read.
 * Nothing is imported yet.
 */
export const uploadImport = call({
  method: 'POST',
  path,
  who: staff,
  needs,
  params: object(studioJobParams),
  answer: ImportDetails,
  codes: importCodes,
  problems: [...readProblems, 'refused', 'too-large', 'unsupported-media'],
})

/** The imports of a job, newest first. */
export const listImports = call({
  method: 'GET',
  path,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: object(listQuery),
  answer: listOf(Import),
  problems: readProblems,
})

export const getImport = call({
  method: 'GET',
  path: importPath,
  who: staff,
  needs,
  params: importParams,
  answer: ImportDetails,
  codes: importCodes,
  problems: readProblems,
})

/** Chooses another sheet of the file or another heading row (0: none), and guesses the columns again. */
export const patchImport = call({
  method: 'PATCH',
  path: importPath,
  who: staff,
  needs,
  params: importParams,
  body: object({ version: Count, sheet: optional(size(string(), 1, 100)), headerRow: optional(max(Count, 1_048_576)) }),
  answer: ImportDetails,
  codes: importCodes,
  problems: writeProblems,
})

/** Sets the use of the columns and what happens to existing subjects; each row then gets its planned state. */
export const previewImport = call({
  method: 'POST',
  path: `${importPath}/preview`,
  who: staff,
  needs,
  params: importParams,
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
    matchPolicy: enums(['update', 'skip']),
  }),
  answer: ImportDetails,
  codes: importCodes,
  problems: writeProblems,
})

/** The rows of an import; `state` selects states (or `warned`), separated by commas, `filter` names and reasons. */
export const listImportRows = call({
  method: 'GET',
  path: `${importPath}/rows`,
  who: staff,
  needs,
  params: importParams,
  query: object({ ...listQuery, state: optional(size(string(), 1, 100)) }),
  answer: listOf(ImportRow),
  codes: importCodes,
  problems: readProblems,
})

/** Runs an import in the background as previewed. Subjects changed since then stay unchanged and are reported. */
export const runImport = call({
  method: 'POST',
  path: `${importPath}/run`,
  who: staff,
  needs,
  params: importParams,
  body: object({ version: Count }),
  answer: ImportDetails,
  codes: importCodes,
  usesCodes: true,
  problems: writeProblems,
})

/**
 * Undoes an import in the background: created subjects are deleted, unless they are used by now (image, upload, order,
 * cart, check-in or other mark) or were hidden or changed since; updated subjects are restored unless they were changed
 * since. Renaming a group does not count as a change of its subjects.
 */
export const undoImport = call({ ...runImport, path: `${importPath}/undo` })

/** Deletes an import that was not run; others stay as a record. */
export const deleteImport = call({
  method: 'DELETE',
  path: importPath,
  who: staff,
  needs,
  params: importParams,
  answer: type({}),
  problems: writeProblems,
})
