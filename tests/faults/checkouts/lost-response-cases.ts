import type { Browser, Page } from 'playwright/test'
import { collectPageErrors, expect } from '#support/journeys/journey-test.ts'
import { type FaultPlan, type NetworkFault, type RequestTarget, seededRandom } from '#support/network/fault-plans.ts'
import { startNetworkProxy } from '#support/network/network-proxy.ts'
import { testSeed } from '#support/seed.ts'

const isLong = process.env.LONG === '1'

/** Where the paying request breaks: before its first byte arrives, midway, or after the server processed it. */
export const faultByMoment = { before: 'refuse', inside: 'cut-request', after: 'cut-answer' } as const satisfies Record<
  string,
  NetworkFault
>
export type DropMoment = keyof typeof faultByMoment

const minuteMs = 60_000
const movedBy = { '1 minute': minuteMs, '5 days': 5 * 24 * 60 * minuteMs } as const
export type ReturnDelay = keyof typeof movedBy

/** All cases in a long run, else a sample drawn by the logged seed. */
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

/** A clock of the phone that the test advances through localStorage. */
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
  } as DateConstructor // no caller here passes date components
}

export const advanceStoredClock = async (page: Page, later: ReturnDelay): Promise<void> => {
  await page.evaluate((by) => localStorage.setItem('moved-by', String(by)), movedBy[later])
}

/** The first paying request gets the fault, and from then on the network is down. */
export const deadAfterPayment = (fault: NetworkFault, pays: (asked: RequestTarget) => boolean): FaultPlan => {
  let isDead = false
  return (asked) => {
    if (isDead) return 'refuse'
    if (!pays(asked)) return 'none'
    isDead = true
    return fault
  }
}

/** A browser that reaches the product only through a proxy with fault plans. `close` checks that no page reported an error. */
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
