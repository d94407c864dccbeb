import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../../../src/server/database/database.ts'
import { enginesFor, freshDatabase, prepareFolder, quiet } from '../../support/database.ts'
import { mostResidentBytes, residentBytes } from '../../support/memory.ts'
import { office } from './office.ts'

const long = process.env.LONG === '1'
const people = long ? 20_000 : 1_000

const list = [
  'Student ID,First name,Last name,Homeroom,Grade,Teacher,Email,Access code',
  ...Array.from({ length: people }, (_, at) =>
    [at, `Child${at % 700}`, `Family${at}`, `Room ${at % 80}`, at % 9, 'Ms. Lee', 'a@b.test', `C${100_000 + at}`].join(
      ',',
    ),
  ),
].join('\n')

/**
 * The embedded database as the product has it: on a disk that syncs, with its upkeep. In memory its files would be counted as the
 * import's, and nobody would wait for a checkpoint.
 */
const onDisk = async (): Promise<Database> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldproof-large-'))
  await prepareFolder(dataDir, 'migrated')
  const database = await openDatabase({ dataDir, databaseUrl: undefined, log: quiet })
  onTestFinished(async () => {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return database
}

describe.each(enginesFor(import.meta.filename))('a large list on $name', { timeout: 600_000 }, (engine) => {
  const isOnDisk = long && engine.name === 'embedded'
  const database = isOnDisk ? onDisk : freshDatabase(engine)

  it('comes in and goes again while others are answered, within its memory', async () => {
    const kept = await database()
    const clock = () => new Date()
    const { preview, tell, work, get } = await office(kept, { clock, wait: async (ms) => void (await pause(ms)) })
    /** Makes other calls until the work is done: how many were answered, and the longest that one waited. */
    const besides = async (doing: Promise<unknown>) => {
      let isOver = false
      const over = doing.finally(() => {
        isOver = true
      })
      let answered = 0
      let longestMs = 0
      while (!isOver) {
        const start = performance.now()
        await tell('GET', 'imports?currentPage=1')
        longestMs = Math.max(longestMs, performance.now() - start)
        answered += 1
        await pause(1)
      }
      await over
      return { answered, longestMs }
    }
    const before = residentBytes(process.pid)
    const most = await mostResidentBytes(process.pid, async () => {
      const sending = preview(list)
      const previewing = await besides(sending)
      const seen = await sending
      expect(seen.counts.create).toBe(people)
      await tell('POST', `imports/${seen.id}/run`, { version: seen.version })
      const running = await besides(work())
      const done = await get(seen.id)
      expect(done).toMatchObject({ state: 'done', counts: { created: people } })
      await tell('POST', `imports/${seen.id}/undo`, { version: done.version })
      const undoing = await besides(work())
      expect(await get(seen.id)).toMatchObject({ state: 'undone', counts: { undone: people } })
      // A list of a thousand is done in five steps, and between two of them everybody has a turn.
      for (const { answered } of [running, undoing]) expect(answered).toBeGreaterThan(people / 500)
      // Times mean something where nothing else runs beside.
      if (!long) return
      const waits = [previewing, running, undoing].map(({ longestMs }) => Math.round(longestMs))
      // While it was previewed, run, and taken back.
      expect(Math.max(...waits), `waited for ${waits.join(', ')} ms`).toBeLessThan(2000)
    })
    // Other tests of this process have memory of their own in the short run.
    if (long) expect(most - before).toBeLessThan(400 * 1024 * 1024)
  })
})
