import type { Browser, Page } from 'playwright/test'
import { expect, listen } from '#support/journeys/journey-test.ts'
import { type Asked, chanceFrom, type Fault, type Plan } from '#support/network/fault-plans.ts'
import { startLine } from '#support/network/network-proxy.ts'
import { testSeed } from '#support/seed.ts'

const isLong = process.env.LONG === '1'

/** Where the request that pays breaks off: before a byte of it arrives, in its middle, after the server did what it asks. */
export const faults = { before: 'refuse', inside: 'cut-request', after: 'cut-answer' } as const satisfies Record<
  string,
  Fault
>
export type Dropped = keyof typeof faults

const minuteMs = 60_000
const movedBy = { '1 minute': minuteMs, '5 days': 5 * 24 * 60 * minuteMs } as const
export type Later = keyof typeof movedBy

/** All cases in a long run, else a few drawn by the seed that is printed. */
export const drawn = <Case>(every: readonly Case[], { count, of }: { count: number; of: string }): readonly Case[] => {
  if (isLong) return every
  process.stdout.write(`TEST_SEED=${testSeed}: ${count} of ${every.length} ${of}\n`)
  const chance = chanceFrom(testSeed)
  return every
    .map((one) => ({ one, place: chance() }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ one }) => one)
}

/** A phone's clock that the test sets forward through the page's own storage. */
const clockInStorage = (): void => {
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

export const setForward = async (page: Page, later: Later): Promise<void> => {
  await page.evaluate((by) => localStorage.setItem('moved-by', String(by)), movedBy[later])
}

/** The first request that pays meets the fault, and from then on the line is dead. */
export const deadAfter = (fault: Fault, pays: (asked: Asked) => boolean): Plan => {
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
  const line = await startLine(port)
  const context = await browser.newContext({ baseURL: line.url })
  const complaints: string[] = []
  listen(context, complaints)
  await context.addInitScript(clockInStorage)
  const close = async (): Promise<void> => {
    await context.close()
    await line.close()
    expect(complaints).toEqual([])
  }
  return { line, context, close }
}
