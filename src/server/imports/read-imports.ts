import { type RawBuilder, sql } from 'kysely'
import {
  type Import,
  type ImportDetails,
  type ImportRow,
  type ImportRowState,
  importRowStates,
  warnedRows,
} from '#contract/studio/imports.ts'
import type { ColumnUse } from '#domain/imports/import-columns.ts'
import { mapPage, type Page, type PageQuery } from '#domain/shared/paging.ts'
import { detailChanges, type SubjectDetails } from '#domain/subjects/subject-details.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db } from '../database/database.ts'
import type { ImportLayout } from '../database/tables/columns.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'

export type ImportKey = JobKey & { readonly importId: number }

type SelectedImport = Omit<Import, 'createdAt' | 'finishedAt' | 'undoneAt' | 'counts'> & {
  counts: Partial<Import['counts']>
  createdAt: Date
  finishedAt: Date | null
  undoneAt: Date | null
}

const columns = sql`
  i.id, i.file_name as "fileName", i.state, i.version, i.rows_total as "rowsTotal", i.rows_done as "rowsDone",
  (select u.name from users u where u.id = i.made_by) as "madeBy",
  (select coalesce(json_object_agg(c.state, c.rows), '{}')
     from (select r.state, count(*) as rows from import_rows r
            where r.studio_id = i.studio_id and r.import_id = i.id group by r.state) c) as counts,
  (select count(*) from import_rows r
    where r.studio_id = i.studio_id and r.import_id = i.id and r.warnings <> '[]') as warned,
  i.created_at as "createdAt", i.finished_at as "finishedAt", i.undone_at as "undoneAt"`

const zeroCounts = Object.fromEntries(importRowStates.map((state) => [state, 0])) as Import['counts'] // has every state

const toImport = ({ counts, createdAt, finishedAt, undoneAt, ...row }: SelectedImport): Import => ({
  ...row,
  counts: { ...zeroCounts, ...counts },
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
  undoneAt: undoneAt?.toISOString() ?? null,
})

type ListQuery = PageQuery & { readonly sort?: string | undefined }

/** The imports of a job, newest first by default. */
export const readImports = async (
  db: Db,
  { studioId, jobId }: JobKey,
  query: ListQuery,
): Promise<Import[] | Page<Import>> => {
  const nameFilter = query.filter ? sql`and i.file_name ilike ${likePattern(query.filter)}` : sql``
  const sorts = { created: sql`i.created_at`, name: sql`lower(i.file_name)` }
  const rows = await paginateQuery<SelectedImport>(
    db,
    {
      columns,
      from: sql`from imports i where i.studio_id = ${studioId} and i.job_id = ${jobId} ${nameFilter}`,
      order: orderBy(sorts, query.sort ?? '-created', sql`i.id desc`),
    },
    query,
  )
  return mapPage(rows, toImport)
}

type SelectedImportDetails = SelectedImport & {
  sheet: string | null
  layout: ImportLayout
  uses: ColumnUse[]
  matchPolicy: ImportDetails['matchPolicy']
}

/** One import with its layout and column uses. */
export const readImport = async (
  db: Db,
  { studioId, jobId, importId }: ImportKey,
): Promise<ImportDetails | undefined> => {
  const { rows } = await sql<SelectedImportDetails>`
    select ${columns}, i.sheet, i.layout, i.mapping as uses, i.match_policy as "matchPolicy" from imports i
     where i.studio_id = ${studioId} and i.job_id = ${jobId} and i.id = ${importId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { layout, uses, sheet, matchPolicy, ...summary } = row
  const { sheets, headerRow } = layout
  return {
    ...toImport(summary),
    sheets,
    sheet,
    headerRow,
    columnsLeftOut: layout.columnsLeftOut ?? 0,
    columns: layout.columns.map((column) => ({ ...column, samples: [...column.samples] })),
    uses,
    matchPolicy,
  }
}

type SelectedImportRow = {
  rowNumber: number
  state: ImportRowState
  details: SubjectDetails
  subjectId: number | null
  before: SubjectDetails | null
  after: SubjectDetails | null
  message: string | null
  warnings: string[]
}

const toImportRow = ({ details, before, after, ...row }: SelectedImportRow): ImportRow => ({
  ...row,
  name: `${details.firstName} ${details.lastName}`.trim(),
  groups: [...details.groups],
  changes: after ? detailChanges(before, after) : [],
})

const rowSorts = {
  row: sql`r.row_number`,
  name: sql`lower(r.details ->> 'lastName')`,
  state: sql`r.state`,
}

const stateCondition = (list: string | undefined): RawBuilder<unknown> => {
  const states = (list ?? '').split(',').filter((state) => state !== '')
  if (states.length === 0) return sql``
  const hasWarnings = states.includes(warnedRows) ? sql`r.warnings <> '[]'` : sql`false`
  return sql`and (r.state = any(${states}::text[]) or ${hasWarnings})`
}

/** The rows of an existing import. */
export const readImportRows = async (
  db: Db,
  { studioId, importId }: ImportKey,
  { state, ...query }: ListQuery & { readonly state?: string | undefined },
): Promise<ImportRow[] | Page<ImportRow>> => {
  const searchText = sql`concat_ws(' ', r.details ->> 'firstName', r.details ->> 'lastName', r.details ->> 'reference', r.message, r.warnings::text)`
  const search = query.filter ? sql`and ${searchText} ilike ${likePattern(query.filter)}` : sql``
  const rows = await paginateQuery<SelectedImportRow>(
    db,
    {
      columns: sql`r.row_number as "rowNumber", r.state, r.details, r.subject_id as "subjectId", r.before, r.after, r.message, r.warnings`,
      from: sql`from import_rows r where r.studio_id = ${studioId} and r.import_id = ${importId} ${stateCondition(state)} ${search}`,
      order: orderBy(rowSorts, query.sort, sql`r.row_number`),
    },
    query,
  )
  return mapPage(rows, toImportRow)
}
