import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import {
  listMails,
  listTaxCalls,
  type MailRow,
  repeatTaxCall,
  resendMail,
  type TaxCallRow,
} from '#contract/system/call-logs.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/database.ts'
import { isoTimestamp } from '#server/database/timestamps.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { maskEmails, maskPersonalData } from './mask-personal-data.ts'
import { ifGiven, type LogDefinition, type LogQuery, readLog, studioColumns } from './read-log.ts'
import { repeatTaxCall as repeat, type TaxOfCheckout } from './repeat-tax-call.ts'

type StateQuery = LogQuery & { readonly state?: string | undefined }

const rowColumns = sql`l.id, ${isoTimestamp(sql`l.created_at`)} as "createdAt", ${studioColumns}`

/** SQL: the columns of the order `o` of an entry, by the condition that finds it in the entry's studio. */
const orderColumns = (isOrder: RawBuilder<boolean>) => {
  const columnOf = (column: RawBuilder<unknown>) =>
    sql`(select ${column} from orders o where o.studio_id = l.studio_id and ${isOrder})`
  return sql`${columnOf(sql`o.order_number`)} as "orderNumber", ${columnOf(sql`o.job_id`)} as "jobId"`
}

const taxLog: LogDefinition<StateQuery> = {
  table: sql`tax_log`,
  columns: sql`
    ${rowColumns}, ${orderColumns(sql`o.checkout_id = l.checkout_id`)}, l.status, l.error, l.duration_ms as "durationMs",
    l.repeats_id as "repeatsId", l.error is not null and l.checkout_id is not null as "canRepeat", l.request, l.answer`,
  conditions: ({ state, filter }) => [
    ...ifGiven(state, (name) =>
      name === 'failed' ? sql<boolean>`l.error is not null` : sql<boolean>`l.error is null`,
    ),
    ...ifGiven(
      filter?.trim().toUpperCase(),
      (number) => sql<boolean>`l.checkout_id in (select o.checkout_id from orders o where o.order_number = ${number})`,
    ),
  ],
}

const isAddressedToOrAbout = (text: string): RawBuilder<boolean> =>
  text.includes('@')
    ? sql<boolean>`lower(l.to_email) = ${text.toLowerCase()}`
    : sql<boolean>`(l.studio_id, l.order_id) in (
        select o.studio_id, o.id from orders o where o.order_number = ${text.toUpperCase()})`

const mailLog: LogDefinition<StateQuery> = {
  table: sql`mail_log`,
  columns: sql`
    ${rowColumns}, ${orderColumns(sql`o.id = l.order_id`)}, l.kind, l.to_email as "to", l.state, l.attempts, l.error, ${isoTimestamp(sql`l.sent_at`)} as "sentAt",
    l.body_text <> '' and not l.has_secrets as "canResend"`,
  conditions: ({ state, filter }) => [
    ...ifGiven(state, (name) => sql<boolean>`l.state = ${name}`),
    ...ifGiven(filter?.trim(), isAddressedToOrAbout),
  ],
}

const withoutPersonalData = ({ request, answer, ...row }: TaxCallRow): TaxCallRow => ({
  ...row,
  request: maskPersonalData(request),
  answer: maskPersonalData(answer),
})

const readTaxCalls = async ({ db }: Deps, query: StateQuery) => {
  const page = await readLog<TaxCallRow, StateQuery>(db, taxLog, query)
  return { ...page, resultItems: page.resultItems.map(withoutPersonalData) }
}

const readTaxCall = async ({ db }: Deps, id: number): Promise<TaxCallRow | undefined> => {
  const { rows } = await sql<TaxCallRow>`select ${taxLog.columns} from ${taxLog.table} l where l.id = ${id}`.execute(db)
  return rows[0] && withoutPersonalData(rows[0])
}

const readMails = async ({ db }: Deps, query: StateQuery) => {
  const page = await readLog<MailRow, StateQuery>(db, mailLog, query)
  const masked = page.resultItems.map((row) => ({
    ...row,
    to: maskEmails(row.to),
    error: row.error === null ? null : maskEmails(row.error),
  }))
  return { ...page, resultItems: masked }
}

/** Sends a logged email again. It is a new email with a new key, because one with the same key is sent once. */
const resend = async (
  deps: Deps,
  { id, user }: { id: number; user: User },
): Promise<Problem<'not-found' | 'refused'> | Record<string, never>> => {
  const mail = await deps.db.selectFrom('mail_log').selectAll().where('id', '=', id).executeTakeFirst()
  if (!mail) return problem('not-found')
  const { studio_id: studioId, kind, to_name: name, to_email: email, subject, body_text: text, body_html: html } = mail
  const about = { studioId, orderId: mail.order_id ?? undefined, kind }
  if (mail.has_secrets) return problem('refused', 'The link of this email was secret and is not stored')
  if (text === '') return problem('refused', 'The text of this email is no longer stored')
  const key = `${mail.provider_reference ?? id} resent ${deps.newId()}`
  try {
    await deps.mail.send({ key, ...about, to: { name, email }, subject, text, html: html ?? '', secrets: [] })
  } catch (error) {
    deps.log.warn({ err: error }, 'a logged email could not be sent again')
    return problem('refused', 'The mail server did not accept this email. Please try again later')
  }
  const entry = { studioId, action: 'mail.resent', entityId: String(id), detail: { kind }, userId: user.id } as const
  await inTransaction(deps.db, (tx) => recordAudit(tx, deps, entry))
  return {}
}

/** Mounts the calls for the logs of the tax service and of emails (section 2, system admin). */
export const mountCallLogs = (app: FastifyInstance, deps: Deps, checkout: TaxOfCheckout): void => {
  mount(app, deps, listTaxCalls, ({ query }) => readTaxCalls(deps, query))
  mount(app, deps, repeatTaxCall, ({ params: { id }, user }) =>
    repeat(deps, { id, user, checkout, read: (entryId) => readTaxCall(deps, entryId) }),
  )
  mount(app, deps, listMails, ({ query }) => readMails(deps, query))
  mount(app, deps, resendMail, ({ params: { id }, user }) => resend(deps, { id, user }))
}
