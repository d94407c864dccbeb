import { createRequire, syncBuiltinESMExports } from 'node:module'
import { sql } from 'kysely'
import { openDatabase } from '#server/database/open-database.ts'

/*
 * A minimal server process for tests that kill it. `open` creates or opens the database and reports it. `commit` then
 * commits numbered rows endlessly and reports each to the parent after its commit. Any other mode names the moment of
 * the creation at which the process kills itself with SIGKILL.
 */

const [mode = 'open', dataDir = ''] = process.argv.slice(2)
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const silent = (): void => {}
const log = { info: silent, warn: silent, error: silent }

type FileOperation = (...args: unknown[]) => unknown

/** The object that the compiled PostgreSQL uses for its files. */
const fs: Record<string, FileOperation> = createRequire(import.meta.url)('node:fs')

const killProcess = (): void => void process.kill(process.pid, 'SIGKILL')

const killAtFileOperation = (
  operation: string,
  killTime: (path: string) => { before?: boolean; after?: boolean },
): void => {
  const original = fs[operation]
  if (!original) throw new Error(`Node has no ${operation}`)
  fs[operation] = (...args) => {
    const { before, after } = killTime(String(args[0]))
    if (before) killProcess()
    const result = original(...args)
    if (after) killProcess()
    return result
  }
}

if (mode === 'after-first-file') killAtFileOperation('writeFileSync', () => ({ after: true }))
if (mode === 'after-version-file')
  killAtFileOperation('writeFileSync', (path) => ({ after: path.endsWith('database.new/PG_VERSION') }))
if (mode === 'before-rename') killAtFileOperation('renameSync', (path) => ({ before: path.endsWith('database.new') }))
if (mode === 'after-rename') killAtFileOperation('renameSync', (path) => ({ after: path.endsWith('database.new') }))
syncBuiltinESMExports()

try {
  const { db, close } = await openDatabase({ dataDir, log })
  print('open')
  if (mode === 'commit') {
    await sql`create table if not exists acks (id int primary key, note text not null)`.execute(db)
    const { rows } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from acks`.execute(db)
    for (let id = (rows[0]?.last ?? 0) + 1; ; id += 1) {
      await sql`insert into acks values (${id}, ${'x'.repeat(500)})`.execute(db)
      print(String(id))
    }
  }
  await close()
} catch (problem) {
  print(`refused: ${problem instanceof Error ? problem.message : String(problem)}`)
  process.exit(1)
}
