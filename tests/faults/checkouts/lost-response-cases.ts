import type { Browser, Page } from 'playwright/test'
import { collectPageErrors, expect } from '#support/journeys/journey-test.ts'
import { type FaultPlan, type NetworkFault, type RequestTarget, seededRandom } from '#support/network/fault-plans.ts'
import { startNetworkProxy } from '#support/network/network-proxy.ts'
import { testSeed } from '#support/seed.ts'

const isLong = process.env.LONG === '1'

/** Where the request that pays breaks off: before a byte of it arrives, in its middle, after the server did what it asks. */
export const faultByMoment = { before: 'refuse', inside: 'cut-request', after: 'cut-answer' } as const satisfies Record<
  string,
  NetworkFault
>
export type DropMoment = keyof typeof faultByMoment

const minuteMs = 60_000
const movedBy = { '1 minute': minuteMs, '5 days': 5 * 24 * 60 * minuteMs } as const
export type ReturnDelay = keyof typeof movedBy

/** All cases in a long run, else a few drawn by the seed that is printed. */
export const drawCases = <Case>(
  every: readonly Case[],
  { count, of }: { count: number; of: string },
): readonly Case[] => {
  if (isLong) return every
  process.stdout.write(`TEST_SEED=${testSeed}: ${count} of ${every.length} ${of}\n`)
  const chance = seededRandom(testSeed)
  return every
    .map((one) => ({ one, place: chance() }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ one }) => one)
}

/** A phone's clock that the test sets forward through the page's own storage. */
const installStoredClock = (): void => {
  const TrueDate = Date
  const now = (): number => TrueDate.now() + Number(localStorage.getItem('moved-by') ?? 0)
  globalThis.Date = class extends TrueDate {
    constructor(...given: [] | [number | string | Date]) {
      super(given.length === 0 ? now() : given[0])
    }
    static override now(): number {
      return now()
    }
  } as DateConstructor // called with parts by nobody here
}

export const advanceStoredClock = async (page: Page, later: ReturnDelay): Promise<void> => {
  await page.evaluate((by) => localStorage.setItem('moved-by', String(by)), movedBy[later])
}

/** The first request that pays meets the fault, and from then on the line is dead. */
export const deadAfterPayment = (fault: NetworkFault, pays: (asked: RequestTarget) => boolean): FaultPlan => {
  let isDead = false
  return (asked) => {
    if (isDead) return 'refuse'
    if (!pays(asked)) return 'none'
    isDead = true
    return fault
  }
}

/** A browser whose only line to the product can be planned. `close` expects that no page complained. */
export const openOnLine = async (browser: Browser, port: number) => {
  const line = await startNetworkProxy(port)
  const context = await browser.newContext({ baseURL: line.url })
  const pageErrors: string[] = []
  collectPageErrors(context, pageErrors)
  await context.addInitScript(installStoredClock)
  const close = async (): Promise<void> => {
    await context.close()
    await line.close()
    expect(pageErrors).toEqual([])
  }
  return { line, context, close }
}
