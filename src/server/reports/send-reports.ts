import { type RawBuilder, sql } from 'kysely'
import { formatDate } from '#domain/shared/dates.ts'
import { studioReports } from '#domain/studio/reports.ts'
import {
  nextSending,
  type ReportChoices,
  type ReportSchedule,
  sentDays,
  showsAllDates,
  studioReportOf,
} from '#domain/studio/saved-report.ts'
import { isOpen, isOpenToStaff } from '../access/authorization/open-access.ts'
import { rolesWith } from '../access/authorization/role-permissions.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { emailBodies, singleLine } from '../mail/email-body.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { PayloadOf } from '../queue/queue.ts'
import type { queues } from '../queue/queues.ts'
import type { SavedReportKey } from './saved-reports.ts'

const batchSize = 100

type DueReport = SavedReportKey & { readonly schedule: ReportSchedule; readonly dueAt: Date; readonly timeZone: string }

/** Enqueues the emails of some reports that are due, and computes when they are due next. Returns their number. */
const enqueueBatch = (deps: Deps): Promise<number> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const { rows } = await sql<DueReport>`
      select r.studio_id as "studioId", r.id, r.schedule, r.next_at as "dueAt", s.time_zone as "timeZone"
        from saved_reports r join studios s on s.id = r.studio_id
       where r.next_at <= ${now} order by r.next_at limit ${batchSize} for update of r skip locked`.execute(tx)
    for (const { studioId, id, schedule, dueAt, timeZone } of rows) {
      await tx
        .updateTable('saved_reports')
        .set({ next_at: nextSending(schedule, now.toISOString(), timeZone) })
        .where('studio_id', '=', studioId)
        .where('id', '=', id)
        .execute()
      const [from, to] = sentDays(schedule, now.toISOString(), timeZone)
      const payload = { studioId, savedReportId: id, dueAt: dueAt.toISOString(), from, to }
      await deps.jobs.enqueue(tx, 'send-report-email', payload)
    }
    return rows.length
  })

/** Enqueues an email for each saved report that is due. */
export const enqueueReportEmails = async (deps: Deps): Promise<void> => {
  while ((await enqueueBatch(deps)) === batchSize);
}

type Addressee = {
  readonly name: string
  readonly email: string
  readonly reportName: string
  readonly choices: ReportChoices
  readonly studioName: string
}

const financeRoles = rolesWith(['studio.financials.read'])

/** SQL: whether administrator `u` may see studio `s` now. */
const hasOpenAccess = (now: Date): RawBuilder<boolean> => sql`exists (
  select from support_accesses a where a.studio_id = s.id and a.administrator_id = u.id and ${isOpen(now)})`

/** Reads who gets the email; undefined if the report, its schedule, the user’s access, the studio or the feature is gone. */
const readAddressee = async ({ db, clock }: Deps, { studioId, id }: SavedReportKey): Promise<Addressee | undefined> => {
  const now = clock()
  const { rows } = await sql<Addressee>`
    select u.name, u.email, r.name as "reportName", r.choices, s.name as "studioName"
      from saved_reports r
      join studios s on s.id = r.studio_id
      join users u on u.id = r.recipient_id and u.disabled_at is null and u.role = any(${financeRoles}::text[])
       and (u.studio_id = r.studio_id and ${isOpenToStaff(now)} or u.role = 'administrator' and ${hasOpenAccess(now)})
     where r.studio_id = ${studioId} and r.id = ${id} and r.schedule is not null and exists (
       select from studio_features a join features f on f.id = a.feature_id
        where a.studio_id = r.studio_id and f.identifier = 'reports')`.execute(db)
  return rows[0]
}

/**
 * Emails the link to a report about these days. The email has no amounts: the link asks for a sign-in.
 * A retry has the same key, so the email is sent once.
 */
export const sendReportEmail = async (
  deps: Deps,
  { studioId, savedReportId, dueAt, from, to }: PayloadOf<typeof queues, 'send-report-email'>,
): Promise<void> => {
  const addressee = await readAddressee(deps, { studioId, id: savedReportId })
  if (!addressee) return
  const { name, email, reportName, choices, studioName } = addressee
  const days = showsAllDates(choices) ? undefined : `${formatDate(from)} to ${formatDate(to)}`
  const query = new URLSearchParams({
    ...choices,
    ...(days !== undefined && { period: 'custom', from, to }),
    saved: String(savedReportId),
  })
  const { title } = studioReports[studioReportOf(choices.report)]
  await deps.mail.send({
    key: `report ${studioId} ${savedReportId} ${dueAt}`,
    studioId,
    kind: 'report',
    to: { name: singleLine(name), email },
    subject: singleLine(days === undefined ? reportName : `${reportName}: ${days}`),
    secrets: [],
    ...emailBodies([
      `${name}, the report “${reportName}” (${title}) of ${studioName}${days === undefined ? '' : ` for ${days}`} is ready:`,
      { link: `${deps.address()}/admin/studios/${studioId}/reports?${query}` },
      'To stop these emails, open the report, choose “Edit saved report”, and set “Email” to “Never”.',
    ]),
  })
}

export const startReportEmailWorkers = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('enqueue-report-emails', 1, () => enqueueReportEmails(deps))
  await jobs.work('send-report-email', 2, ({ payload }) => sendReportEmail(deps, payload))
}
