import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { type Infer, object, validate } from 'superstruct'
import { Id } from '#contract/shapes/primitives.ts'
import type { getReportFileLink, ReportFile, ReportFileRequest } from '#contract/system/report-files.ts'
import { mapPage, type Page, type PageQuery } from '#domain/shared/paging.ts'
import type { User } from '../access/tokens/access-token.ts'
import { type AuditEntry, recordAudit } from '../audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { deleteReportFiles, statesInProgress } from '../file-responses/made-files.ts'
import { entityTag, type FileResponse } from '../file-responses/send-file.ts'
import { sendSignedDownload, signedRoute } from '../file-responses/signed-download.ts'
import { tableFiles } from '../file-responses/table-files.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { orderBy, paginateQuery } from '../http/paging/paginate-query.ts'
import { Problem, problem } from '../http/problem.ts'
import { signUrl } from '../http/sign-url.ts'
import { chosenColumns, fileName, recordExport } from './export-report.ts'
import { type RequestedReport, readRequestedFile } from './requested-report.ts'

/** The studio whose report it is; null for one of the platform. */
type Owner = number | null
type FileKey = { readonly owner: Owner; readonly id: number }

/** Of a studio or of the platform. More would wait for each other for hours. */
const maxInProgress = 10

type Row = Omit<ReportFile, 'madeAt' | 'expiresAt'> & { madeAt: Date; expiresAt: Date | null }

const columns = sql`f.id, f.file_name as "fileName", coalesce(f.request ->> 'format', 'csv') as format, f.state,
  f.rows_total as "rowsTotal", f.rows_done as "rowsDone", f.error, f.created_at as "madeAt",
  (select w.name from users w where w.id = f.made_by) as "madeBy", f.expires_at as "expiresAt"`

const isOfOwner = (owner: Owner): RawBuilder<boolean> =>
  owner === null ? sql`f.studio_id is null` : sql`f.studio_id = ${owner}`

/** Whether a file that is ready has not expired; the nightly purge deletes expired ones. */
const isKept = ({ clock }: Pick<Deps, 'clock'>): RawBuilder<boolean> =>
  sql`(f.expires_at is null or f.expires_at > ${clock()}::timestamptz)`

const toReportFile = ({ madeAt, expiresAt, ...row }: Row): ReportFile => ({
  ...row,
  madeAt: madeAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
})

/** The files of reports of a studio or of the platform, newest first. */
export const listReportFiles = async (
  deps: Deps,
  owner: Owner,
  query: PageQuery & { sort?: string | undefined },
): Promise<ReportFile[] | Page<ReportFile>> => {
  const order = orderBy({ madeAt: sql`f.created_at` }, query.sort ?? '-madeAt', sql`f.id desc`)
  const from = sql`from report_files f where ${isOfOwner(owner)} and ${isKept(deps)}`
  return mapPage(await paginateQuery<Row>(deps.db, { columns, from, order }, query), toReportFile)
}

const countInProgress = async (tx: Transaction, owner: Owner): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from report_files f
     where ${isOfOwner(owner)} and f.state = any(${statesInProgress}::text[])`.execute(tx)
  return rows[0]?.count ?? 0
}

type StartRequest = {
  readonly owner: Owner
  readonly body: ReportFileRequest
  readonly user: User
  readonly recordResponse: RecordResponse
}

/** Starts the file of a report in the background. The rows are those of the moment at which it is made. */
export const startReportFile = async (
  deps: Deps,
  requested: RequestedReport,
  { owner, body, user, recordResponse }: StartRequest,
): Promise<ReportFile | Problem<'refused' | 'not-found'>> => {
  const content = await readRequestedFile(deps, requested, body)
  if (content instanceof Problem) return content
  const chosen = chosenColumns(content)
  if (chosen instanceof Problem) return chosen
  return await inTransaction(deps.db, async (tx) => {
    if ((await countInProgress(tx, owner)) >= maxInProgress)
      return problem('refused', 'Other files are being made. Please wait until some of them are ready')
    const now = deps.clock()
    const { id } = await tx
      .insertInto('report_files')
      .values({
        ...{ studio_id: owner, report: content.report, request: JSON.stringify(body) },
        ...{ file_name: fileName(content), made_by: user.id, created_at: now, updated_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await deps.jobs.enqueue(tx, 'make-report-file', { reportFileId: id })
    await recordExport(tx, deps, { ...content, user })
    const { rows } = await sql<Row>`select ${columns} from report_files f where f.id = ${id}`.execute(tx)
    const started = rows.map(toReportFile)[0]
    if (!started) return problem('not-found')
    await recordResponse(tx, started)
    return started
  })
}

const record = (
  tx: Transaction,
  deps: Deps,
  { owner: studioId, id, ...entry }: FileKey & Pick<AuditEntry, 'action' | 'detail' | 'userId'>,
): Promise<void> => recordAudit(tx, deps, { ...entry, studioId, entityId: String(id) })

const signedName = (id: number): string => `report-file:${id}`

/** The signed URL of a file. Who requests it is recorded. */
export const linkToReportFile = (
  deps: Deps,
  key: FileKey,
  user: User,
): Promise<Infer<(typeof getReportFileLink)['answer']> | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const { rows } = await sql<{ fileName: string; bytes: number | null }>`
      select f.file_name as "fileName", f.byte_size as bytes from report_files f
       where f.id = ${key.id} and ${isOfOwner(key.owner)} and ${isKept(deps)}`.execute(tx)
    const [row] = rows
    if (!row) return problem('not-found')
    const { fileName: file, bytes } = row
    if (bytes === null) return problem('refused', 'This file is not ready')
    await record(tx, deps, { ...key, action: 'report-file.opened', detail: { file }, userId: user.id })
    return { url: `/api/report-files/${key.id}?${signUrl({ ...deps, user }, signedName(key.id))}`, bytes }
  })

/** Deletes a file, also one that is being made. */
export const deleteReportFile = (
  deps: Deps,
  key: FileKey,
  user: User,
): Promise<Record<string, never> | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const count = await deleteReportFiles(tx, deps, sql`f.id = ${key.id} and ${isOfOwner(key.owner)}`)
    if (count === 0) return problem('not-found')
    await record(tx, deps, { ...key, action: 'report-file.removed', detail: {}, userId: user.id })
    return {}
  })

type StoredFile = {
  readonly owner: Owner
  readonly name: string
  readonly format: keyof typeof tableFiles
  readonly key: string
  readonly size: number
}

const readStoredFile = async (deps: Deps & { readonly db: Db }, id: number): Promise<StoredFile | undefined> => {
  const { rows } = await sql<StoredFile>`
    select f.studio_id as owner, f.file_name as name, coalesce(f.request ->> 'format', 'csv') as format,
           f.file_key as key, f.byte_size as size
      from report_files f where f.id = ${id} and f.state = 'ready' and ${isKept(deps)}`.execute(deps.db)
  return rows[0]
}

const toResponse = ({ files }: Deps, { name, format, key, size }: StoredFile): FileResponse => ({
  ...{ name, size, contentType: tableFiles[format].contentType, tag: entityTag([key]) },
  read: async (range) => {
    const opened = await files.read(key, range)
    if (opened.outcome !== 'opened') throw new Error('the stored file of a report is missing')
    return opened.body
  },
})

const UrlParams = object({ id: Id })

/** Mounts the files at signed URLs, for users who may still see the report. */
export const mountReportDownloads = (app: FastifyInstance, deps: Deps): void => {
  app.route({
    ...signedRoute,
    url: '/api/report-files/:id',
    handler: async (request, reply) => {
      const [, params] = validate(request.params, UrlParams, { coerce: true })
      const file = params && (await readStoredFile(deps, params.id))
      const download = file && {
        text: signedName(params.id),
        studioId: file.owner,
        permission: file.owner === null ? ('studio.admin.crud' as const) : ('studio.financials.read' as const),
        open: async () => toResponse(deps, file),
      }
      return await sendSignedDownload(deps, { request, reply }, download)
    },
  })
}
