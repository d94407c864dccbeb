import { addDays } from 'date-fns/addDays'
import { addMinutes } from 'date-fns/addMinutes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDate } from '#domain/shared/dates.ts'
import { wallClock } from '#domain/shared/wall-clock.ts'
import { mergeLedgerDays, readPaymentSummary } from '#server/payments/ledger/read-payment-summary.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createLedger } from './ledger-fixtures.ts'

const isLong = process.env.LONG === '1'
const runs = isLong ? 400 : 8

/** Time zones whose clocks change at night, at midnight, by half an hour, or never. */
const timeZones = [
  ...['America/New_York', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Auckland', 'Asia/Kolkata'],
] as const

/** Around the changes of the clocks of these zones, and around the ends of months and years. */
const turningPoints = [
  ...['2026-11-01T06:00Z', '2027-03-14T07:00Z', '2027-09-05T04:00Z', '2027-04-04T03:00Z', '2027-04-03T15:00Z'],
  ...['2026-09-26T14:00Z', '2027-10-02T15:30Z', '2027-01-01T00:00Z', '2026-12-31T11:00Z', '2027-03-01T05:00Z'],
]

const instants = fc
  .tuple(fc.constantFrom(...turningPoints), fc.integer({ min: -2 * 24 * 60, max: 2 * 24 * 60 }))
  .map(([point, minutes]) => addMinutes(new Date(point), minutes).toISOString())

const payments = fc.record({
  provider: fc.constantFrom('stripe', 'cash', 'check'),
  cents: fc.integer({ min: 100, max: 90_000 }),
  at: instants,
  refunds: fc.array(
    fc.record({
      share: fc.integer({ min: 1, max: 40 }),
      at: instants,
      state: fc.constantFrom('done', 'pending', 'failed'),
    }),
    { maxLength: 2 },
  ),
})

type Payment = typeof payments extends fc.Arbitrary<infer Value> ? Value : never

type Movement = { at: string; provider: string; cents: number }

const sumOf = (movements: readonly Movement[], isIncluded: (wallTime: string) => boolean, timeZone: string) => {
  const included = movements.filter(({ at }) => isIncluded(wallClock(at, timeZone)))
  const sum = (rows: readonly Movement[]): number => rows.reduce((total, { cents }) => total + cents, 0)
  const ofProvider = (name: string) => sum(included.filter(({ provider }) => provider === name))
  return {
    ...{ earnedCents: sum(included), cardCents: ofProvider('stripe'), cashCents: ofProvider('cash') },
    ...{ checkCents: ofProvider('check'), chargedCents: sum(included.filter(({ cents }) => cents > 0)) },
    refundedCents: -sum(included.filter(({ cents }) => cents < 0)) + 0,
  }
}

const nextDay = (day: string, days = 1): string => addDays(new Date(day), days).toISOString().slice(0, 10)

describe.each(enginesFor(import.meta.filename))(
  'the summary of payments on $name',
  { timeout: isLong ? 3_600_000 : 120_000 },
  (engine) => {
    const database = freshDatabase(engine)

    it('equals the sum of the ledger for any days, on days when clocks change and at the ends of years', async () => {
      const deps = testDeps(database())
      let studios = 0
      const check = async (history: readonly Payment[], timeZone: string, firstDay: string) => {
        studios += 1
        const { studioId, charge, refund } = await createLedger(deps, `studio-${studios}`, timeZone)
        const movements: Movement[] = []
        for (const { provider, cents, at, refunds } of history) {
          const chargeId = await charge({ provider, cents, at })
          movements.push({ at, provider, cents })
          for (const { share, at: refundedAt, state } of refunds) {
            const refundCents = Math.floor((cents * share) / 100)
            await refund({ chargeId, cents: refundCents, at: refundedAt, state })
            if (state === 'done') movements.push({ at: refundedAt, provider, cents: -refundCents })
          }
          if (cents % 3 === 0) await mergeLedgerDays(deps)
        }
        const read = (startDate?: string, endDate?: string) =>
          readPaymentSummary(deps, studioId, {
            startDate: startDate && formatDate(startDate),
            endDate: endDate && formatDate(endDate),
          })
        const all = sumOf(movements, () => true, timeZone)
        expect((await read()).total).toEqual({ ...all, before: null })
        const lastDay = nextDay(firstDay, 3)
        const isBetween = (from: string, until: string) => (wallTime: string) =>
          wallTime.slice(0, 10) >= from && wallTime.slice(0, 10) <= until
        const middle = await read(firstDay, lastDay)
        expect(middle.total).toEqual({
          ...sumOf(movements, isBetween(firstDay, lastDay), timeZone),
          before: sumOf(movements, isBetween(nextDay(firstDay, -4), nextDay(firstDay, -1)), timeZone),
        })
        const parts = [await read(undefined, nextDay(firstDay, -1)), middle, await read(nextDay(lastDay))]
        for (let days = 0; days <= 3; days += 1) {
          const day = nextDay(firstDay, days)
          expect((await read(day, day)).total).toMatchObject(sumOf(movements, isBetween(day, day), timeZone))
        }
        expect(parts.reduce((sum, { total }) => sum + total.earnedCents, 0)).toBe(all.earnedCents)
        // A changed row makes the sums differ.
        if (history.length === 0) return
        await deps.db
          .updateTable('ledger')
          .set('amount_cents', 99_999)
          .where('studio_id', '=', studioId)
          .where('kind', '=', 'charge')
          .execute()
        expect((await read()).total.chargedCents).toBe(99_999 * history.length)
      }
      await fc.assert(
        fc.asyncProperty(
          fc.array(payments, { maxLength: 12 }),
          fc.constantFrom(...timeZones),
          instants.map((instant) => instant.slice(0, 10)),
          check,
        ),
        { numRuns: runs },
      )
    })

    it.each(timeZones)(
      'this week and this month are compared with the last ones up to the same time in %s',
      async (timeZone) => {
        const now = new Date('2027-03-31T16:20:00Z')
        const deps = testDeps(database(), { clock: () => now })
        const { studioId, charge } = await createLedger(deps, 'riverside', timeZone)
        const wallNow = wallClock(now.toISOString(), timeZone)
        const times = [
          ...['2027-02-01T00:30Z', '2027-02-28T12:00Z', '2027-02-28T23:59Z', '2027-03-01T00:10Z', '2027-03-21T05:00Z'],
          ...['2027-03-24T16:19Z', '2027-03-24T16:21Z', '2027-03-27T23:00Z', '2027-03-28T03:00Z', '2027-03-28T12:00Z'],
          '2027-03-31T16:20Z',
        ].map((time) => new Date(time).toISOString())
        const movements = times.map((at, index) => ({ at, provider: 'stripe', cents: 100 * 2 ** index }))
        for (const movement of movements) await charge(movement)
        const { thisMonth, thisWeek } = await readPaymentSummary(deps, studioId, {})
        const time = wallNow.slice(10)
        // The local day is March 31 or April 1.
        const isApril = wallNow.startsWith('2027-04')
        const between = (from: string, until: string) =>
          sumOf(movements, (wallTime) => wallTime >= from && wallTime < until, timeZone)
        expect(thisMonth).toEqual(
          isApril
            ? { ...between('2027-04-01', '2027-05-01'), before: between('2027-03-01', `2027-03-01${time}`) }
            : { ...between('2027-03-01', '2027-04-01'), before: between('2027-02-01', `2027-02-28${time}`) },
        )
        expect(thisWeek).toEqual({
          ...between('2027-03-28', '2027-04-04'),
          before: between('2027-03-21', `${nextDay(wallNow.slice(0, 10), -7)}${time}`),
        })
      },
    )

    it('a refund that fails after it was made no longer counts', async () => {
      const deps = testDeps(database())
      const { studioId, charge, refund } = await createLedger(deps, 'riverside')
      const chargeId = await charge({ cents: 2500, at: '2027-04-10T12:00:00Z' })
      const id = await refund({ chargeId, cents: 1000, at: '2027-04-11T12:00:00Z' })
      expect((await readPaymentSummary(deps, studioId, {})).total).toMatchObject({
        earnedCents: 1500,
        refundedCents: 1000,
      })
      await deps.db
        .updateTable('ledger')
        .set({ state: 'failed', settled_at: '2027-04-14T12:00:00Z' })
        .where('id', '=', id)
        .execute()
      expect((await readPaymentSummary(deps, studioId, {})).total).toMatchObject({
        earnedCents: 2500,
        refundedCents: 0,
      })
      await deps.db.deleteFrom('ledger').where('kind', '=', 'refund').execute()
      await mergeLedgerDays(deps)
      expect((await readPaymentSummary(deps, studioId, {})).total).toMatchObject({
        earnedCents: 2500,
        refundedCents: 0,
      })
    })

    it('the call answers owners for the requested days, and refuses staff without the permission, other formats of dates and studios without reports', async () => {
      const deps = testDeps(database())
      const app = await testApp(deps)
      const { studioId, charge } = await createLedger(deps, 'riverside')
      await charge({ cents: 2500, at: '2027-04-11T03:59:00Z', provider: 'cash' })
      await charge({ cents: 1200, at: '2027-04-11T04:00:00Z' })
      const permissions = ['studio.crud', 'studio.financials.read'] as const
      const { staffRequest } = await staffClient(deps, app, studioId, { permissions })
      const path = 'reports/payments/summary'
      const day = await staffRequest('GET', `${path}?startDate=04/10/2027&endDate=04/10/2027`)
      expect(day).toMatchObject({ status: 200, data: { total: { earnedCents: 2500, cashCents: 2500, cardCents: 0 } } })
      expect(day.data).toMatchObject({ thisMonth: null, thisWeek: null })
      const now = await staffRequest('GET', path)
      expect(now.data).toMatchObject({ thisMonth: { earnedCents: 3700 }, thisWeek: { earnedCents: 1200 } })
      expect(await staffRequest('GET', `${path}?startDate=2027-04-10`)).toMatchObject({ status: 400 })
      expect(await staffRequest('GET', `${path}?startDate=02/30/2027`)).toMatchObject({ status: 400 })
      expect(await staffRequest('GET', path, undefined, { permissions: ['studio.crud'] })).toMatchObject({
        status: 403,
      })
      await deps.db.deleteFrom('studio_features').where('studio_id', '=', studioId).execute()
      expect(await staffRequest('GET', path)).toMatchObject({
        status: 403,
        errors: ['Reports are not switched on for this studio'],
      })
    })
  },
)
