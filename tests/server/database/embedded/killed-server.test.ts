import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/database/open-database.ts'
import { prepareDatabaseFolder, silentLog } from '#support/database/test-database.ts'
import { casesOfRun } from '#support/seed.ts'

const isLong = process.env.LONG === '1'
const program = new URL('./database-in-child.ts', import.meta.url).pathname

let dataDir = ''
let child: ChildProcess | undefined

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'killed-'))
})

afterEach(async () => {
  await kill()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = (mode: string): AsyncIterable<string> => {
  child = spawn(process.execPath, [program, mode, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (!child.stdout) throw new Error('The child has no output')
  return createInterface({ input: child.stdout })
}

const kill = async (): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const readLines = async (lines: AsyncIterable<string>): Promise<string[]> => {
  const output: string[] = []
  for await (const line of lines) output.push(line)
  return output
}

const folders = (): string[] => readdirSync(dataDir).filter((name) => !name.startsWith('database.lock'))

const moments = [
  // With unmodified PGlite, ten of twelve folders could not be opened after this interruption.
  ['after-version-file', 'database.new'],
  ['after-rename', 'database'],
  ['after-first-file', 'database.new'],
  ['before-rename', 'database.new'],
] as const

describe('a killed server', () => {
  it.each(isLong ? moments : casesOfRun(moments.slice(0, 2)))(
    'the database can be opened after its creation was interrupted (%s)',
    async (moment, remainingFolder) => {
      expect(await readLines(start(moment))).toEqual([])
      if (child?.signalCode === null) await once(child, 'exit')
      expect(child?.signalCode).toBe('SIGKILL')
      expect(folders()).toEqual([remainingFolder])

      const { db, close } = await openDatabase({ dataDir, log: silentLog })
      expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
      await close()
      expect(folders()).toEqual(['database'])
    },
  )

  it('no acknowledged commit is lost even if the server is killed repeatedly', { timeout: 600_000 }, async () => {
    await prepareDatabaseFolder(dataDir)
    let acknowledged = 0
    for (let round = 1; round <= (isLong ? 20 : 2); round += 1) {
      const target = acknowledged + 37 * round
      for await (const line of start('commit')) {
        if (line !== 'open') acknowledged = Number(line)
        if (acknowledged >= target) break
      }
      await kill()
    }
    const { db, close } = await openDatabase({ dataDir, log: silentLog })
    const { rows } = await sql<{ id: number }>`select id from acks order by id`.execute(db)
    await close()
    // More may have been committed than was reported.
    expect(rows.slice(0, acknowledged).map(({ id }) => id)).toEqual(
      Array.from({ length: acknowledged }, (_, index) => index + 1),
    )
  })

  it('a second process is refused with one clear message, and can start after the first has closed the database', async () => {
    await prepareDatabaseFolder(dataDir)
    const first = await openDatabase({ dataDir, log: silentLog })
    expect(await readLines(start('open'))).toEqual([
      `refused: Another process is using the database in ${join(dataDir, 'database')}: stop it first, or give this one a DATA_DIR of its own.`,
    ])
    await first.close()
    expect(await readLines(start('open'))).toEqual(['open'])
  })
})
