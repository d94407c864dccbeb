import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startParserThreads } from '#server/file-parsers/file-parsers.ts'
import { threadPool } from '#server/file-parsers/thread-pool.ts'
import { silentLog } from '#support/database/test-database.ts'
import { jpegAt } from '../discovery/job-fixtures.ts'
import { hostileLists, xlsxOf } from './hostile-lists.ts'

/** Returns the longest time in milliseconds that this thread was blocked during the work. */
const measureLongestBlock = async (work: () => Promise<unknown>): Promise<number> => {
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  let longestMs = 0
  while (!isDone) {
    const start = performance.now()
    await pause(5)
    longestMs = Math.max(longestMs, performance.now() - start - 5)
  }
  await working
  return longestMs
}

describe('parsing untrusted files in threads', { timeout: 60_000 }, () => {
  const threads = startParserThreads(silentLog)
  afterAll(threads.stop)
  const find = (bytes: Buffer) => threads.findList({ file: bytes, sheet: null }, 1)

  it('a list is found in its file, and the message for an invalid file names the reason', async () => {
    expect(await find(await xlsxOf({}))).toMatchObject({ sheets: ['List'], rows: 1, headerRow: 1, columnsLeftOut: 0 })
    expect(await find(Buffer.from('%PDF-1.7'))).toEqual({ error: expect.stringContaining('This is a PDF') })
  })

  it('a tag with very many attributes is refused before they are read', async () => {
    const bytes = await hostileLists['one tag of many attributes']?.(1)
    expect(await find(bytes ?? Buffer.of())).toEqual({ error: expect.stringContaining('damaged') })
  })

  it.each([
    'a cell reference of digits',
    'a merged range of digits',
    'a format of brackets',
    'quotes that open each line',
  ])('%s is answered within seconds, while this thread stays responsive', async (name) => {
    const bytes = await hostileLists[name]?.(10)
    if (!bytes) throw new Error(`no list is called ${name}`)
    const start = performance.now()
    let answer: unknown
    const longestMs = await measureLongestBlock(async () => {
      answer = await find(bytes)
    })
    expect(answer).toEqual({ error: expect.any(String) })
    expect(performance.now() - start).toBeLessThan(15_000)
    expect(longestMs).toBeLessThan(250)
  })

  it('nearly the maximum of rows, with twenty distinct cells each, is previewed', async () => {
    const [rows, columns] = [49_000, 20]
    const indexes = Array.from({ length: columns }, (_, column) => column)
    const cellOf = (row: number, column: number): string =>
      column < 3 ? `${['', 'Child ', 'Family '][column]}${row}` : `v${row * columns + column}`
    const lines = Array.from({ length: rows }, (_, row) => indexes.map((column) => cellOf(row, column)).join(','))
    const headings = ['Student ID', 'First name', 'Last name', ...indexes.slice(3).map((column) => `Column ${column}`)]
    const request = { file: Buffer.from([headings.join(','), ...lines].join('\n')), sheet: null }
    const foundList = await threads.findList(request, 1)
    if (!('uses' in foundList)) throw new Error(JSON.stringify(foundList))
    const subjects = { known: [], groups: [], takenCodes: [], matchPolicy: 'update' as const }
    const planned = await threads.planList({ ...request, uses: foundList.uses, ...subjects, rowsPerPart: 500 }, 1)
    if (!('parts' in planned)) throw new Error(JSON.stringify(planned))
    expect([planned.rows, planned.parts.length]).toEqual([rows, rows / 500])
    const plans = planned.parts.flatMap((part) => JSON.parse(part))
    expect(plans.map(({ number, state }) => `${number} ${state}`)).toEqual(lines.map((_, row) => `${row + 2} create`))
    expect(plans.at(-1)).toMatchObject({
      details: { reference: '48999', firstName: 'Child 48999', lastName: 'Family 48999', fields: { length: 17 } },
    })
  })

  it('an image is inspected and made into a logo, and other files are refused', async () => {
    const bytes = await jpegAt(1)
    expect(await threads.inspect(bytes, 1)).toMatchObject({ ok: true, image: { format: 'jpeg', width: 200 } })
    const logo = await threads.makeLogo(bytes, 1)
    expect(logo.ok && Buffer.from(logo.logo.webp).toString('latin1', 8, 12)).toBe('WEBP')
    expect(await threads.inspect(bytes.subarray(0, 300), 1)).toMatchObject({
      ok: false,
      refusal: { problem: 'broken' },
    })
  })
})

describe('an untrusted file', { timeout: 60_000 }, () => {
  const threads = startParserThreads(silentLog)
  afterAll(threads.stop)

  it('a thread reads a file by its path, and bytes that are passed stay usable for the caller', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fieldproof-files-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'sent')
    for (const bytes of [await jpegAt(1), Buffer.from('First name,Last name\nAda,Lovelace')]) {
      await writeFile(path, bytes)
      const isImage = bytes[0] === 0xff
      const read = (file: Buffer | string): Promise<object> =>
        isImage ? threads.inspect(file, 1) : threads.findList({ file, sheet: null }, 1)
      expect(await read(path)).toEqual(await read(bytes))
      expect(bytes).toEqual(await readFile(path))
    }
  })
})

describe('a thread pool', { timeout: 60_000 }, () => {
  const file = new URL('./misbehaving-thread.ts', import.meta.url)
  const limits = {
    heapMegabytes: 32,
    processorMs: 1_000,
    taskMs: 30_000,
    queueMs: 500,
    maxWaiting: 3,
  }

  it('a task that exceeds its time is ended, and the next task runs in another thread', async () => {
    const pool = threadPool(file, silentLog, limits)
    expect(await pool.run('runForEver', 1, () => ({ input: null }))).toBe('too-slow')
    expect(await pool.run('answer', 1, () => ({ input: 7 }))).toEqual({ answer: 7 })
    await pool.stop()
  })

  it('a task is also ended by the clock, even if it uses no processor time', async () => {
    const pool = threadPool(file, silentLog, { ...limits, processorMs: 60_000, taskMs: 500 })
    expect(await pool.run('rest', 1, () => ({ input: 20_000 }))).toBe('too-slow')
    await pool.stop()
  })

  it('only processor time counts against the limit, not waiting time', async () => {
    const pool = threadPool(file, silentLog, { ...limits, processorMs: 500 })
    expect(await pool.run('rest', 1, () => ({ input: 1_500 }))).toBe('rested')
    await pool.stop()
  })

  it('a task that exceeds its memory is ended, and the next task runs', async () => {
    const pool = threadPool(file, silentLog, { ...limits, processorMs: 20_000, taskMs: 40_000 })
    expect(await pool.run('takeMemory', 1, () => ({ input: null }))).toBe('too-large')
    expect(await pool.run('answer', 1, () => ({ input: 8 }))).toEqual({ answer: 8 })
    await pool.stop()
  })

  it('a thread is reused for the next task unless it holds much memory', async () => {
    const pool = threadPool(file, silentLog, { ...limits, heapMegabytes: 128 })
    const hold = (times: number) => pool.run<number>('hold', 1, () => ({ input: times }))
    expect([await hold(0), await hold(0), await hold(8), await hold(0)]).toEqual([1, 2, 3, 1])
    await pool.stop()
  })

  it('a task that waits too long resolves to “busy”, and later tasks run', async () => {
    const pool = threadPool(file, silentLog, limits)
    const first = pool.run('runForEver', 1, () => ({ input: null }))
    const second = pool.run('answer', 1, () => ({ input: 9 }))
    expect(await second).toBe('busy')
    expect(await first).toBe('too-slow')
    expect(await pool.run('answer', 1, () => ({ input: 10 }))).toEqual({ answer: 10 })
    await pool.stop()
  })

  it('studios take turns, and a task of a studio with too many waiting files resolves to “busy”', async () => {
    const pool = threadPool(file, silentLog, { ...limits, queueMs: 20_000 })
    const ended: string[] = []
    const run = async (studioId: number, name: string): Promise<void> => {
      const answer = await pool.run('answer', studioId, () => ({ input: 1 }))
      ended.push(answer === 'busy' ? `${name} busy` : name)
    }
    const runs = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => run(1, name))
    runs.push(run(2, 'b1'), run(2, 'b2'), run(3, 'c1'))
    await Promise.all(runs)
    expect(ended).toEqual(['a5 busy', 'a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4'])
    await pool.stop()
  })

  it('an error of the function is thrown', async () => {
    const pool = threadPool(file, silentLog, limits)
    await expect(pool.run('fail', 1, () => ({ input: null }))).rejects.toThrow('an internal error')
    await pool.stop()
  })
})
