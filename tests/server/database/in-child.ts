import { sql } from 'kysely'
import { openDatabase } from '../../../src/server/database/database.ts'

/*
 * A server process in small, for tests that kill one: `open` opens the database (creating it) and says so; `commit` then commits
 * numbered rows without end, each told to the parent only after it was acknowledged.
 */

const [mode, dataDir = ''] = process.argv.slice(2)
const tell = (line: string): void => void process.stdout.write(`${line}\n`)
const silent = (): void => {}
const log = { info: silent, warn: silent, error: silent }

try {
  const { db } = await openDatabase({ dataDir, log })
  tell('open')
  if (mode === 'commit') {
    await sql`create table if not exists acks (id int primary key, note text not null)`.execute(db)
    const { rows } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from acks`.execute(db)
    for (let id = (rows[0]?.last ?? 0) + 1; ; id += 1) {
      await sql`insert into acks values (${id}, ${'x'.repeat(500)})`.execute(db)
      tell(String(id))
    }
  }
} catch (problem) {
  tell(`refused: ${problem instanceof Error ? problem.message : String(problem)}`)
  process.exit(1)
}
