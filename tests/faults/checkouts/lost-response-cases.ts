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
/** For test titles. */
export const momentLabels = {
  before: 'before the request arrived',
  inside: 'during the request',
  after: 'after the request was processed',
} as const satisfies Record<keyof typeof faultByMoment, string>
export type DropMoment = keyof typeof faultByMoment

const minuteMs = 60_000
const delayMs = { '1 minute': minuteMs, '5 days': 5 * 24 * 60 * minuteMs } as const
export type ReturnDelay = keyof typeof delayMs

/** All cases in a long run, otherwise a sample drawn by the logged seed. */
export const drawCases = <Case>(
  allCases: readonly Case[],
  { count, name }: { count: number; name: string },
): readonly Case[] => {
  if (isLong) return allCases
  process.stdout.write(`TEST_SEED=${testSeed}: ${count} of ${allCases.length} ${name}\n`)
  const random = seededRandom(testSeed)
  return allCases
    .map((testCase) => ({ testCase, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ testCase }) => testCase)
}

/** Replaces the page's clock by one that the test advances through localStorage. */
const installStoredClock = (): void => {
  const TrueDate = Date
  const now = (): number => TrueDate.now() + Number(localStorage.getItem('moved-by') ?? 0)
  globalThis.Date = class extends TrueDate {
    constructor(...values: [] | [number | string | Date]) {
      super(values.length === 0 ? now() : values[0])
    }
    static override now(): number {
      return now()
    }
  } as DateConstructor // no caller here passes date components
}

export const advanceStoredClock = async (page: Page, delay: ReturnDelay): Promise<void> => {
  await page.evaluate((ms) => localStorage.setItem('moved-by', String(ms)), delayMs[delay])
}

/** The first paying request gets the fault, and from then on the network is down. */
export const loseNetworkAfterPayment = (
  fault: NetworkFault,
  isPayment: (target: RequestTarget) => boolean,
): FaultPlan => {
  let isDown = false
  return (target) => {
    if (isDown) return 'refuse'
    if (!isPayment(target)) return 'none'
    isDown = true
    return fault
  }
}

/** A browser that reaches the product only through a proxy with fault plans. `close` checks that no page reported an error. */
export const openBehindProxy = async (browser: Browser, port: number) => {
  const proxy = await startNetworkProxy(port)
  const context = await browser.newContext({ baseURL: proxy.url })
  const pageErrors: string[] = []
  collectPageErrors(context, pageErrors)
  await context.addInitScript(installStoredClock)
  const close = async (): Promise<void> => {
    await context.close()
    await proxy.close()
    expect(pageErrors).toEqual([])
  }
  return { proxy, context, close }
}
