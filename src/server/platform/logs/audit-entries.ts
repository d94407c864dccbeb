import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { type AuditEntryRow, exportAuditEntries, listAuditEntries } from '#contract/system/audit-entries.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/database.ts'
import { isoTimestamp } from '#server/database/timestamps.ts'
import type { Deps } from '#server/deps.ts'
import { type TableRow, tableFiles, textColumn, toRowTexts } from '#server/file-responses/table-files.ts'
import { mount } from '#server/http/mount.ts'
import { CreatedFile } from '#server/http/problem.ts'
import {
  ifGiven,
  type LogDefinition,
  type LogQuery,
  logRows,
  maxLogRows,
  newestFirst,
  readLog,
  studioColumns,
} from './read-log.ts'

type AuditQuery = LogQuery & { readonly userId?: number | undefined; readonly action?: string | undefined }

const nameOf = (column: 'user_id' | 'consented_by'): RawBuilder<unknown> =>
  sql`(select coalesce(nullif(u.name, ''), u.email) from users u where u.id = l.${sql.ref(column)})`

const auditLog: LogDefinition<AuditQuery> = {
  table: sql`audit_log`,
  columns: sql`
    l.id, ${isoTimestamp(sql`l.created_at`)} as "createdAt", ${studioColumns}, l.user_id as "userId", ${nameOf('user_id')} as "userName",
    ${nameOf('consented_by')} as "consentedBy", l.action,
    l.entity_id as "entityId", coalesce(l.detail, '{}') as detail, l.address`,
  conditions: ({ userId, action, filter }) => [
    ...ifGiven(userId, (id) => sql<boolean>`l.user_id = ${id}`),
    ...ifGiven(action, (name) => sql<boolean>`l.action = ${name}`),
    ...ifGiven(filter?.trim(), (entityId) => sql<boolean>`l.entity_id = ${entityId}`),
  ],
}

const fileColumns = [
  textColumn('time', 'Time (UTC)'),
  textColumn('user', 'User'),
  textColumn('consent', 'By consent of'),
  textColumn('studio', 'Studio'),
  textColumn('action', 'Action'),
  textColumn('record', 'Record'),
  textColumn('detail', 'Detail'),
  textColumn('address', 'Address'),
  textColumn('hash', 'Hash'),
]

/** The newest entries that match, as a file. The export is an entry, too. */
const exportEntries = async (deps: Deps, query: AuditQuery, userId: number): Promise<CreatedFile> => {
  const { rows } = await sql<TableRow>`
    select to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as time, ${nameOf('user_id')} as "user",
           ${nameOf('consented_by')} as consent,
           (select s.name from studios s where s.id = l.studio_id) as studio, l.action, l.entity_id as record, l.detail::text as detail,
           l.address, l.hash
      ${logRows(auditLog, query)} order by ${newestFirst} limit ${maxLogRows}`.execute(deps.db)
  const entry = { action: 'audit-log.exported', entityId: String(rows.length), detail: { ...query }, userId } as const
  await inTransaction(deps.db, (tx) => recordAudit(tx, deps, { studioId: null, ...entry }))
  const { contentType, write } = tableFiles.csv
  const batches = toRowTexts(Readable.from([rows]), fileColumns)
  const body = write({ title: 'Audit trail', columns: fileColumns, batches })
  return new CreatedFile({ name: 'Audit trail.csv', contentType, body })
}

/** Mounts the calls that read the audit trail. No call changes it. */
export const mountAuditEntries = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, listAuditEntries, ({ query }) => readLog<AuditEntryRow, AuditQuery>(deps.db, auditLog, query))
  mount(app, deps, exportAuditEntries, ({ body, user }) => exportEntries(deps, body, user.id))
}
