import { randomUUID } from 'node:crypto'
import { subHours } from 'date-fns/subHours'
import { describe, expect, it } from 'vitest'
import type {
  AccountEntry,
  Charge,
  Payment,
  PaymentStatements,
  StatementPage,
} from '#server/payments/port/payment-provider.ts'

/** An adapter under test, and what the contract needs to control it. */
export type StatementsUnderTest = {
  readonly payment: Payment
  readonly statements: PaymentStatements
  /** A payment token of a new card that pays. */
  readonly token: () => string
  /** An account without payments. */
  readonly account: string
  readonly clock: () => Date
  /** Makes the provider pay out what it has, and send it to the bank. */
  readonly payOut: () => void
}

const readAll = async <Item>(read: (after: string | null) => Promise<StatementPage<Item>>): Promise<Item[]> => {
  const items: Item[] = []
  let after: string | null = null
  do {
    const page: StatementPage<Item> = await read(after)
    items.push(...page.items)
    after = page.next
  } while (after !== null)
  return items
}

const sumOf = (entries: readonly AccountEntry[], kind?: AccountEntry['kind']): number =>
  entries
    .filter((entry) => kind === undefined || entry.kind === kind)
    .reduce((sum, entry) => sum + entry.amountCents, 0)

/** The contract of the port of statements, which every adapter fulfils. */
export const statementContract = (name: string, open: () => StatementsUnderTest): void => {
  describe(`statement contract of ${name}`, () => {
    const setUp = () => {
      const underTest = open()
      const { payment, statements, token, account, clock } = underTest
      const since = subHours(clock(), 1)
      const charge = async (amountCents: number, platformFeeCents: number): Promise<string> => {
        const attempt: Charge = {
          ...{
            attemptId: randomUUID(),
            amountCents,
            currency: 'usd',
            paymentToken: token(),
            account,
            platformFeeCents,
          },
          beganAt: clock(),
        }
        const outcome = await payment.charge(attempt)
        if (outcome.state !== 'succeeded') throw new Error(`the charge is ${outcome.state}`)
        return outcome.reference
      }
      return {
        ...{ ...underTest, charge },
        readEntries: () => readAll((after) => statements.listEntries({ account, since, after })),
        readPayouts: () => readAll((after) => statements.listPayouts({ account, since, after })),
        readPayoutEntries: (payout: string) =>
          readAll((after) => statements.listPayoutEntries({ account, payout, after })),
      }
    }

    it('charges and refunds are entries about our charges and refunds, with fees of 2.9 % and 30 cents', async () => {
      const { payment, account, charge, readEntries } = setUp()
      const reference = await charge(10_000, 500)
      const refundId = randomUUID()
      await payment.refund({ refundId, reference, account, amountCents: 4000, platformFeeCents: 200 })
      const entries = await readEntries()
      const summaries = entries.map(({ kind, source, amountCents }) => [kind, amountCents, source])
      expect(summaries).toEqual(
        expect.arrayContaining([
          ['charge', 10_000, reference],
          ['fee', -320, reference],
          ['platform-fee', -500, reference],
          ['refund', -4000, refundId],
        ]),
      )
      expect(sumOf(entries, 'platform-fee')).toBe(-300)
      expect(sumOf(entries)).toBe(10_000 - 320 - 300 - 4000)
      expect(new Set(entries.map(({ reference: id, kind }) => `${id} ${kind}`)).size).toBe(entries.length)
    })

    it('a payout pays out entries whose sum is its amount, and takes it from the balance', async () => {
      const { charge, payOut, readEntries, readPayouts, readPayoutEntries } = setUp()
      await charge(2500, 125)
      await charge(1800, 0)
      payOut()
      const [payout, ...others] = await readPayouts()
      expect(others).toEqual([])
      expect(payout).toMatchObject({ state: 'paid', hasEntries: true, amountCents: 2500 - 103 - 125 + 1800 - 82 })
      const paidOut = await readPayoutEntries(payout?.reference ?? '')
      expect(sumOf(paidOut)).toBe(payout?.amountCents)
      const entries = await readEntries()
      expect(sumOf(entries)).toBe(0)
      const withoutPayout = entries.filter(({ kind }) => kind !== 'payout')
      const byKey = (a: AccountEntry, b: AccountEntry) =>
        `${a.reference} ${a.kind}` < `${b.reference} ${b.kind}` ? -1 : 1
      expect(paidOut.toSorted(byKey)).toEqual(withoutPayout.toSorted(byKey))
      expect(entries.find(({ kind }) => kind === 'payout')).toMatchObject({
        ...{ amountCents: -(payout?.amountCents ?? 0), source: payout?.reference },
      })
    })

    it('lists that are longer than a page are read whole, and contain nothing of another account', async () => {
      const { statements, charge, readEntries, clock } = setUp()
      for (let count = 0; count < 102; count += 1) await charge(1000 + count, 0)
      const entries = await readEntries()
      expect(entries.filter(({ kind }) => kind === 'charge')).toHaveLength(102)
      expect(new Set(entries.map(({ reference, kind }) => `${reference} ${kind}`)).size).toBe(entries.length)
      const other = open()
      const query = { account: other.account, since: subHours(clock(), 1), after: null }
      expect((await statements.listEntries(query)).items).toEqual([])
    })
  })
}
