import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { fileThreads } from '../../../src/server/foreign-files/foreign-files.ts'
import { threadPool } from '../../../src/server/foreign-files/thread-pool.ts'
import { quiet } from '../../support/database.ts'
import { jpegAt } from '../find/small-event.ts'
import { hostileLists, xlsxOf } from './hostile-lists.ts'

/** The longest that this thread was busy while something was done, in milliseconds. */
const longestPause = async (work: () => Promise<unknown>): Promise<number> => {
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  let longest = 0
  while (!isDone) {
    const start = performance.now()
    await pause(5)
    longest = Math.max(longest, performance.now() - start - 5)
  }
  await working
  return longest
}

describe('files from outside are read in threads', { timeout: 60_000 }, () => {
  const threads = fileThreads(quiet)
  afterAll(threads.stop)
  const find = (bytes: Buffer) => threads.findList({ bytes, sheet: null })

  it('finds the list of a file as it is, and says what to do about a file that is none', async () => {
    expect(await find(await xlsxOf({}))).toMatchObject({ sheets: ['List'], rows: 1, headerRow: 1, columnsLeftOut: 0 })
    expect(await find(Buffer.from('%PDF-1.7'))).toEqual({ refused: expect.stringContaining('This is a PDF') })
  })

  it.each([
    'a cell reference of digits',
    'a merged range of digits',
    'a format of brackets',
    'quotes that open each line',
  ])('answers %s within seconds, while this thread goes on', async (name) => {
    const bytes = await hostileLists[name]?.(10)
    if (!bytes) throw new Error(`no list is called ${name}`)
    const start = performance.now()
    let answer: unknown
    const longest = await longestPause(async () => {
      answer = await find(bytes)
    })
    expect(answer).toEqual({ refused: expect.any(String) })
    expect(performance.now() - start).toBeLessThan(15_000)
    expect(longest).toBeLessThan(250)
  })

  it('looks at a picture, makes a logo of it, and refuses what is none', async () => {
    const bytes = await jpegAt(1)
    expect(await threads.inspect(bytes)).toMatchObject({ ok: true, picture: { format: 'jpeg', width: 200 } })
    const logo = await threads.makeLogo(bytes)
    expect(logo.ok && Buffer.from(logo.logo.webp).toString('latin1', 8, 12)).toBe('WEBP')
    expect(await threads.inspect(bytes.subarray(0, 300))).toMatchObject({ ok: false, refusal: { problem: 'broken' } })
  })
})

describe('a pool of threads', { timeout: 60_000 }, () => {
  const file = new URL('./busy-thread.ts', import.meta.url)
  const limits = { threads: 1, heapMegabytes: 32, taskMilliseconds: 2_000, queueMilliseconds: 500 }

  it('ends a task past its time, and goes on with the next in another thread', async () => {
    const pool = threadPool(file, quiet, limits)
    expect(await pool.run('runForEver', null)).toBe('too-slow')
    expect(await pool.run('answer', 7)).toEqual({ answer: 7 })
    await pool.stop()
  })

  it('ends a task past its memory, and goes on', async () => {
    const pool = threadPool(file, quiet, { ...limits, taskMilliseconds: 20_000 })
    expect(await pool.run('takeMemory', null)).toBe('too-large')
    expect(await pool.run('answer', 8)).toEqual({ answer: 8 })
    await pool.stop()
  })

  it('says that it is busy to who waited for a thread too long, and serves the others in order', async () => {
    const pool = threadPool(file, quiet, limits)
    const first = pool.run('runForEver', null)
    const second = pool.run('answer', 9)
    expect(await second).toBe('busy')
    expect(await first).toBe('too-slow')
    expect(await pool.run('answer', 10)).toEqual({ answer: 10 })
    await pool.stop()
  })

  it('throws what the function throws', async () => {
    const pool = threadPool(file, quiet, limits)
    await expect(pool.run('fail', null)).rejects.toThrow('a fault of ours')
    await pool.stop()
  })
})
