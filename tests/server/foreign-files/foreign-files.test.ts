import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
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
  const find = (bytes: Buffer) => threads.findList({ file: bytes, sheet: null })

  it('finds the list of a file as it is, and says what to do about a file that is none', async () => {
    expect(await find(await xlsxOf({}))).toMatchObject({ sheets: ['List'], rows: 1, headerRow: 1, columnsLeftOut: 0 })
    expect(await find(Buffer.from('%PDF-1.7'))).toEqual({ refused: expect.stringContaining('This is a PDF') })
  })

  it('refuses a tag of more attributes than any program writes before it has read them', async () => {
    const bytes = await hostileLists['one tag of a million attributes']?.(1)
    expect(await find(bytes ?? Buffer.of())).toEqual({ refused: expect.stringContaining('damaged') })
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

describe('a file from outside', { timeout: 60_000 }, () => {
  const threads = fileThreads(quiet)
  afterAll(threads.stop)

  it('is read by its thread where it lies, and is left to its sender where it was sent as bytes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fieldproof-files-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'sent')
    for (const bytes of [await jpegAt(1), Buffer.from('First name,Last name\nAda,Lovelace')]) {
      await writeFile(path, bytes)
      const isPicture = bytes[0] === 0xff
      const read = (file: Buffer | string): Promise<object> =>
        isPicture ? threads.inspect(file) : threads.findList({ file, sheet: null })
      expect(await read(path)).toEqual(await read(bytes))
      expect(bytes).toEqual(await readFile(path))
    }
  })
})

describe('a pool of threads', { timeout: 60_000 }, () => {
  const file = new URL('./busy-thread.ts', import.meta.url)
  const limits = { heapMegabytes: 32, processorMilliseconds: 1_000, taskMilliseconds: 30_000, queueMilliseconds: 500 }

  it('ends a task past its time, and goes on with the next in another thread', async () => {
    const pool = threadPool(file, quiet, limits)
    expect(await pool.run('runForEver', () => ({ input: null }))).toBe('too-slow')
    expect(await pool.run('answer', () => ({ input: 7 }))).toEqual({ answer: 7 })
    await pool.stop()
  })

  it('ends a task by the clock too, which may take no processor time at all', async () => {
    const pool = threadPool(file, quiet, { ...limits, processorMilliseconds: 60_000, taskMilliseconds: 500 })
    expect(await pool.run('rest', () => ({ input: 20_000 }))).toBe('too-slow')
    await pool.stop()
  })

  it('counts the time of the processor, not that of a task that waits for it', async () => {
    const pool = threadPool(file, quiet, { ...limits, processorMilliseconds: 500 })
    expect(await pool.run('rest', () => ({ input: 1_500 }))).toBe('rested')
    await pool.stop()
  })

  it('ends a task past its memory, and goes on', async () => {
    const pool = threadPool(file, quiet, { ...limits, processorMilliseconds: 20_000, taskMilliseconds: 40_000 })
    expect(await pool.run('takeMemory', () => ({ input: null }))).toBe('too-large')
    expect(await pool.run('answer', () => ({ input: 8 }))).toEqual({ answer: 8 })
    await pool.stop()
  })

  it('keeps its thread for the next task, unless a task left it large', async () => {
    const pool = threadPool(file, quiet, { ...limits, heapMegabytes: 128 })
    const hold = (times: number) => pool.run<number>('hold', () => ({ input: times }))
    expect([await hold(0), await hold(0), await hold(8), await hold(0)]).toEqual([1, 2, 3, 1])
    await pool.stop()
  })

  it('says that it is busy to who waited for a thread too long, and serves the others in order', async () => {
    const pool = threadPool(file, quiet, limits)
    const first = pool.run('runForEver', () => ({ input: null }))
    const second = pool.run('answer', () => ({ input: 9 }))
    expect(await second).toBe('busy')
    expect(await first).toBe('too-slow')
    expect(await pool.run('answer', () => ({ input: 10 }))).toEqual({ answer: 10 })
    await pool.stop()
  })

  it('throws what the function throws', async () => {
    const pool = threadPool(file, quiet, limits)
    await expect(pool.run('fail', () => ({ input: null }))).rejects.toThrow('a fault of ours')
    await pool.stop()
  })
})
