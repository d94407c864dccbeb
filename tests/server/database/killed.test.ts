import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/server/database/database.ts'
import { quiet } from '../../support/database.ts'

const long = process.env.LONG === '1'
const program = new URL('./in-child.ts', import.meta.url).pathname

let dataDir = ''
let child: ChildProcess | undefined

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'killed-'))
})

afterEach(async () => {
  await kill()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = (mode: 'open' | 'commit'): AsyncIterable<string> => {
  child = spawn(process.execPath, [program, mode, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (!child.stdout) throw new Error('The child has no output')
  return createInterface({ input: child.stdout })
}

const kill = async (): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Resolves once the files of the data folder are so far; looked at whenever one of them changes. */
const untilFiles = async (soFar: () => boolean): Promise<void> => {
  const changes = watch(dataDir, { recursive: true })
  try {
    while (!soFar()) await once(changes, 'change')
  } finally {
    changes.close()
  }
}

const acknowledgedRows = async (): Promise<number[]> => {
  const { db, close } = await openDatabase({ dataDir, log: quiet })
  const { rows } = await sql<{ id: number }>`select id from acks order by id`.execute(db)
  await close()
  return rows.map(({ id }) => id)
}

const unfinished = (path: string): string => join(dataDir, 'database.new', path)

const points: [string, () => boolean][] = [
  // As PGlite is shipped this is where ten of twelve folders never opened again.
  ['when the version file is there, among the last', () => existsSync(unfinished('PG_VERSION'))],
  ['when the whole folder just got its name', () => existsSync(join(dataDir, 'database'))],
  ['before there is a file', () => existsSync(unfinished(''))],
  ['when the first files are there', () => existsSync(unfinished('')) && readdirSync(unfinished('')).length > 0],
]

describe('a killed server', () => {
  it.each(long ? points : points.slice(0, 2))(
    'creates its database anew or finishes it: killed %s',
    async (_, soFar) => {
      start('open')
      await untilFiles(soFar)
      await kill()
      const { db, close } = await openDatabase({ dataDir, log: quiet })
      expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
      await close()
      expect(readdirSync(dataDir).filter((name) => name.endsWith('.new'))).toEqual([])
    },
  )

  it('loses nothing it acknowledged, however often it is killed', async () => {
    let acknowledged = 0
    for (let round = 1; round <= (long ? 20 : 2); round += 1) {
      const target = acknowledged + 37 * round
      for await (const line of start('commit')) {
        if (line !== 'open') acknowledged = Number(line)
        if (acknowledged >= target) break
      }
      await kill()
    }
    const rows = await acknowledgedRows()
    // One more may have been committed and not yet told.
    expect(rows.slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, (_, at) => at + 1))
  })

  it('keeps a second process out with one clear sentence, and lets it in when the first is gone', async () => {
    const first = await openDatabase({ dataDir, log: quiet })
    const lines: string[] = []
    for await (const line of start('open')) lines.push(line)
    expect(lines).toEqual([
      `refused: Another process is using the database in ${join(dataDir, 'database')}: stop it first, or give this one a DATA_DIR of its own.`,
    ])
    await first.close()
    const [line] = await firstLines(start('open'))
    expect(line).toBe('open')
  })
})

const firstLines = async (lines: AsyncIterable<string>): Promise<string[]> => {
  for await (const line of lines) return [line]
  return []
}
