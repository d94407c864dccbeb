import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { CommissionPayment } from '#contract/studio/payments/commissions.ts'
import { withoutReservedCharacters } from '#domain/catalogue/downloads.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { emptyAddress, type PostalAddress } from '#domain/shared/postal-address.ts'
import { type CommissionRateDraft, describeRate } from '#domain/studio/commission-rate.ts'
import { daysReversedMessage } from '#domain/studio/report-periods.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Deps } from '../deps.ts'
import { Pdf, type PdfRow } from '../file-responses/pdf-writer.ts'
import { sellerBlock } from '../file-responses/seller-block.ts'
import {
  dateColumn,
  type TableColumn,
  type TableRow,
  tableFiles,
  textColumn,
  toRowTexts,
} from '../file-responses/table-files.ts'
import { CreatedFile, Problem, problem } from '../http/problem.ts'
import { accrueCommissions } from './accrue-commissions.ts'
import { type LockedOrganization, type OrganizationKey, withOrganization } from './commissions.ts'

type Days = { readonly startDay: string; readonly endDay: string }

/** The commission of an order on a day, which is negative after a refund. */
type Entry = Pick<CommissionRateDraft, 'kind' | 'basisPoints' | 'amountCents'> & {
  readonly day: string
  readonly orderNumber: string
  readonly jobId: number
  readonly jobName: string
  readonly rateId: number
  readonly commissionCents: number
}

type Payment = Pick<CommissionPayment, 'paidOn' | 'amountCents' | 'note'>

type Parties = {
  readonly organizationName: string
  readonly name: string
  readonly legalName: string
  readonly address: Partial<PostalAddress> | null
  readonly phone: string | null
  readonly email: string | null
  readonly website: string
}

type Statement = Days & {
  readonly parties: Parties
  /** What was owed before the first day. */
  readonly openingCents: number
  readonly entries: readonly Entry[]
  readonly payments: readonly Payment[]
  /** What was owed after the last day. */
  readonly closingCents: number
}

const readEntries = async ({ tx, key }: LockedOrganization, { startDay, endDay }: Days): Promise<Entry[]> => {
  const { rows } = await sql<Entry>`
    select (e.settled_at at time zone s.time_zone)::date::text as day, o.order_number as "orderNumber", j.id as "jobId",
           j.name as "jobName", r.id as "rateId", r.kind, r.basis_points as "basisPoints", r.amount_cents as "amountCents",
           e.commission_cents as "commissionCents"
      from commission_entries e
      join studios s on s.id = e.studio_id
      join commission_rates r on r.studio_id = e.studio_id and r.id = e.rate_id
      join orders o on o.studio_id = e.studio_id and o.id = e.order_id
      join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
     where e.studio_id = ${key.studioId} and e.organization_id = ${key.organizationId}
       and (e.settled_at at time zone s.time_zone)::date between ${startDay}::date and ${endDay}::date
     order by e.settled_at, e.ledger_id`.execute(tx)
  return rows
}

const readPayments = async ({ tx, key }: LockedOrganization, { startDay, endDay }: Days): Promise<Payment[]> => {
  const { rows } = await sql<Payment>`
    select paid_on::text as "paidOn", amount_cents as "amountCents", note from commission_payments
     where studio_id = ${key.studioId} and organization_id = ${key.organizationId}
       and paid_on between ${startDay}::date and ${endDay}::date
     order by paid_on, id`.execute(tx)
  return rows
}

/** What was owed before a day: the commissions of earlier days without the payments of earlier days. */
const readBalance = async ({ tx, key }: LockedOrganization, day: string): Promise<number> => {
  const { rows } = await sql<{ cents: number }>`
    select (select coalesce(sum(e.commission_cents), 0) from commission_entries e join studios s on s.id = e.studio_id
             where e.studio_id = ${key.studioId} and e.organization_id = ${key.organizationId}
               and (e.settled_at at time zone s.time_zone)::date < ${day}::date)::bigint
         - (select coalesce(sum(amount_cents), 0) from commission_payments
             where studio_id = ${key.studioId} and organization_id = ${key.organizationId} and paid_on < ${day}::date)::bigint
           as cents`.execute(tx)
  return rows[0]?.cents ?? 0
}

const readParties = async ({ tx, key }: LockedOrganization): Promise<Parties> => {
  const { rows } = await sql<Parties>`
    select g.name as "organizationName", s.name, coalesce(s.legal_name, '') as "legalName", s.address, s.contact_phone as phone,
           s.contact_email as email, coalesce(s.website, '') as website
      from organizations g join studios s on s.id = g.studio_id
     where g.studio_id = ${key.studioId} and g.id = ${key.organizationId}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the organization was locked before')
  return row
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, cents) => sum + cents, 0)

/** Reads a statement: what is owed afterwards is what was owed before, and the commissions, without the payments. */
export const readStatement = async (locked: LockedOrganization, days: Days): Promise<Statement> => {
  await accrueCommissions(locked.tx, locked.key)
  const [entries, payments] = [await readEntries(locked, days), await readPayments(locked, days)]
  const openingCents = await readBalance(locked, days.startDay)
  const earnedCents = sumOf(entries.map(({ commissionCents }) => commissionCents))
  const paidCents = sumOf(payments.map(({ amountCents }) => amountCents))
  const closingCents = openingCents + earnedCents - paidCents
  return { ...days, parties: await readParties(locked), openingCents, entries, payments, closingCents }
}

const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`)

/** A row for each job and rate, and another one for its refunds. */
const jobRows = (entries: readonly Entry[]): PdfRow[] => {
  const groups = Map.groupBy(entries, ({ jobId, rateId, commissionCents }) =>
    [jobId, rateId, commissionCents < 0].join(' '),
  )
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const noun = first.commissionCents < 0 ? 'refunded order' : 'order'
    const orderCount = new Set(group.map(({ orderNumber }) => orderNumber)).size
    const amount = formatMoney(sumOf(group.map(({ commissionCents }) => commissionCents)))
    return [{ label: `${first.jobName}: ${counted(orderCount, noun)}, ${describeRate(first)}`, amount }]
  })
}

const paymentText = ({ paidOn, note }: Payment): string => `Paid on ${formatDate(paidOn)}${note && `: ${note}`}`

const writePdf = async (statement: Statement, createdAt: Date): Promise<Buffer> => {
  const { parties, startDay, endDay, openingCents, entries, payments, closingCents } = statement
  const { organizationName, address, ...seller } = parties
  const title = 'Commission statement'
  const pdf = await Pdf.start({ title, footer: `${title} · ${organizationName}`, createdAt })
  const period = `${formatDate(startDay)} to ${formatDate(endDay)}`
  pdf.writeColumns([sellerBlock({ ...seller, address: { ...emptyAddress, ...address } }), { title, lines: [period] }], {
    isHeading: true,
  })
  pdf.writeColumns([{ title: 'For', lines: [organizationName] }])
  pdf.drawLine()
  pdf.writeRow({ label: `Owed before ${formatDate(startDay)}`, amount: formatMoney(openingCents) })
  const rows = jobRows(entries)
  if (rows.length === 0) pdf.writeRow({ label: 'No orders were paid in this period' })
  for (const row of rows) pdf.writeRow(row)
  for (const payment of payments)
    pdf.writeRow({ label: paymentText(payment), amount: formatMoney(-payment.amountCents) })
  pdf.drawLine()
  pdf.writeRow({ label: `Owed after ${formatDate(endDay)}`, amount: formatMoney(closingCents), isStrong: true })
  return await pdf.finish()
}

/** Without a sum of the amounts: the last row says what is owed. */
const csvColumns: readonly TableColumn[] = [
  dateColumn('day', 'Date'),
  textColumn('text', 'Description'),
  textColumn('orderNumber', 'Order'),
  textColumn('rate', 'Rate'),
  { key: 'cents', heading: 'Amount', type: 'money' },
]

const csvRows = ({ startDay, endDay, openingCents, entries, payments, closingCents }: Statement): TableRow[] => {
  const entryRows = entries.map((entry) => {
    const { day, jobName, orderNumber, commissionCents } = entry
    return { day, text: jobName, orderNumber, rate: describeRate(entry), cents: commissionCents }
  })
  const paymentRows = payments.map((payment) => ({
    day: payment.paidOn,
    text: payment.note === '' ? 'Paid' : `Paid: ${payment.note}`,
    cents: -payment.amountCents,
  }))
  const movements = [...entryRows, ...paymentRows].toSorted((one, other) => one.day.localeCompare(other.day))
  return [
    { text: `Owed before ${formatDate(startDay)}`, cents: openingCents },
    ...movements,
    { text: `Owed after ${formatDate(endDay)}`, cents: closingCents },
  ]
}

const fileName = ({ parties: { organizationName }, startDay, endDay }: Statement, extension: string): string => {
  const name = withoutReservedCharacters(`${organizationName} – Commissions from ${startDay} to ${endDay}`)
  return `${name.slice(0, 150)}.${extension}`
}

const toFile = async (statement: Statement, format: 'pdf' | 'csv', createdAt: Date): Promise<CreatedFile> => {
  const name = fileName(statement, format)
  if (format === 'pdf') {
    const body = Readable.from([await writePdf(statement, createdAt)])
    return new CreatedFile({ name, contentType: 'application/pdf', body })
  }
  const { contentType, write } = tableFiles.csv
  const batches = toRowTexts(Readable.from([csvRows(statement)]), csvColumns)
  return new CreatedFile({ name, contentType, body: write({ title: 'Commissions', columns: csvColumns, batches }) })
}

type StatementRequest = Days & { readonly format: 'pdf' | 'csv'; readonly user: User }

/** Creates the statement of an organization as a file. */
export const exportStatement = async (
  deps: Deps,
  key: OrganizationKey,
  { startDay, endDay, format, user }: StatementRequest,
): Promise<CreatedFile | Problem<'not-found' | 'refused'>> => {
  if (startDay > endDay) return problem('refused', daysReversedMessage, { fields: { endDay: [daysReversedMessage] } })
  const statement = await withOrganization(deps, key, async (locked) => {
    await recordAudit(locked.tx, deps, {
      studioId: key.studioId,
      action: 'report.exported',
      entityId: 'commission-statement',
      detail: { organizationId: key.organizationId, format, startDay, endDay },
      userId: user.id,
    })
    return await readStatement(locked, { startDay, endDay })
  })
  return statement instanceof Problem ? statement : await toFile(statement, format, deps.clock())
}
