import { addDays } from 'date-fns/addDays'
import { addHours } from 'date-fns/addHours'
import { millionthsOfCents, sumCents } from '#domain/pricing/money.ts'
import type { AccountEntry, PaymentStatements, ProviderPayout, StatementPage } from '../port/payment-provider.ts'
import type { TestPaymentSettings } from './payment-test.ts'
import { type ChargeEntry, createPaymentRecord, type RefundEntry } from './payment-test-record.ts'

/** The fee of a charge, as usual for cards in the United States: 2.9 % and 30 cents. */
const feeOf = (amountCents: number): number => millionthsOfCents(amountCents, 29_000) + 30

const pageSize = 100

const chargeEntries = ({ outcome, amountCents, platformFeeCents, at }: ChargeEntry): AccountEntry[] => {
  if (outcome.state !== 'succeeded') return []
  const { reference: source } = outcome
  const entry = { reference: `test_txn_${source}`, source, createdAt: new Date(at) }
  return [
    { ...entry, kind: 'charge', amountCents },
    { ...entry, kind: 'fee', amountCents: -feeOf(amountCents) },
    ...(platformFeeCents > 0 ? [{ ...entry, kind: 'platform-fee' as const, amountCents: -platformFeeCents }] : []),
  ]
}

const refundEntries = ({ refundId: source, amountCents, platformFeeCents, at }: RefundEntry): AccountEntry[] => {
  const entry = { reference: `test_txn_${source}`, source, createdAt: new Date(at) }
  return [
    { ...entry, kind: 'refund', amountCents: -amountCents },
    ...(platformFeeCents > 0 ? [{ ...entry, kind: 'platform-fee' as const, amountCents: platformFeeCents }] : []),
  ]
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

/** The time on the next UTC day at which the payout of a day is made; later than the last entry of that day was stored. */
const payoutTime = (day: string): Date => addHours(addDays(new Date(day), 1), 1)

type PaidDay = { readonly payout: ProviderPayout; readonly entries: readonly AccountEntry[] }

/** Pays out the entries of each day on the next day. A day without a positive sum is paid out with the following one. */
const payOutDays = (account: string, entries: readonly AccountEntry[], now: Date): PaidDay[] => {
  const entriesByDay = Map.groupBy(entries, ({ createdAt }) => dayOf(createdAt))
  const paidDays: PaidDay[] = []
  let unpaid: AccountEntry[] = []
  for (const [day, entriesOfDay] of [...entriesByDay].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const createdAt = payoutTime(day)
    if (createdAt > now) break
    unpaid = [...unpaid, ...entriesOfDay]
    const amountCents = sumCents(unpaid.map((entry) => entry.amountCents))
    if (amountCents <= 0) continue
    const reference = `test_payout_${account}_${day}`
    const payout = {
      reference,
      state: 'paid',
      amountCents,
      arrivesOn: dayOf(createdAt),
      createdAt,
      hasEntries: true,
    } as const
    paidDays.push({ payout, entries: unpaid })
    unpaid = []
  }
  return paidDays
}

const pageOf = <Item>(
  newestFirst: readonly Item[],
  after: string | null,
  keyOf: (item: Item) => string,
): StatementPage<Item> => {
  const start = after === null ? 0 : newestFirst.findIndex((item) => keyOf(item) === after) + 1
  const items = newestFirst.slice(start, start + pageSize)
  const last = items.at(-1)
  return { items, next: last && newestFirst.length > start + pageSize ? keyOf(last) : null }
}

const keyOfEntry = ({ reference, kind }: AccountEntry): string => `${reference} ${kind}`

const newestFirst = <Item extends { createdAt: Date }>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())

/** The books of the built-in provider, derived from its record of charges and refunds: fees, and a payout for each day. */
export const testStatements = ({ clock, ...settings }: TestPaymentSettings): PaymentStatements => {
  const { readAll } = createPaymentRecord(settings)

  const readPaidDays = async (account: string): Promise<{ movements: AccountEntry[]; paidDays: PaidDay[] }> => {
    const { charges, refunds } = await readAll()
    const isOfAccount = (entry: { account: string | null }) => entry.account === account
    const movements = [
      ...charges.filter(isOfAccount).flatMap(chargeEntries),
      ...refunds.filter(isOfAccount).flatMap(refundEntries),
    ].toSorted((a, b) => (keyOfEntry(a) < keyOfEntry(b) ? -1 : 1))
    return { movements, paidDays: payOutDays(account, movements, clock()) }
  }

  return {
    listEntries: async ({ account, since, after }) => {
      const { movements, paidDays } = await readPaidDays(account)
      const payoutEntries = paidDays.map(({ payout: { reference, amountCents, createdAt } }) => ({
        ...{ reference: `test_txn_${reference}`, kind: 'payout' as const, amountCents: -amountCents },
        ...{ source: reference, createdAt },
      }))
      const entries = [...movements, ...payoutEntries].filter(({ createdAt }) => createdAt >= since)
      return pageOf(newestFirst(entries), after, keyOfEntry)
    },
    listPayouts: async ({ account, since, after }) => {
      const { paidDays } = await readPaidDays(account)
      const payouts = paidDays.map(({ payout }) => payout).filter(({ createdAt }) => createdAt >= since)
      return pageOf(newestFirst(payouts), after, ({ reference }) => reference)
    },
    listPayoutEntries: async ({ account, payout, after }) => {
      const { paidDays } = await readPaidDays(account)
      const paidDay = paidDays.find((candidate) => candidate.payout.reference === payout)
      return pageOf(newestFirst(paidDay?.entries ?? []), after, keyOfEntry)
    },
  }
}
