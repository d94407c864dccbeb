import { sql } from 'kysely'
import { openDatabase } from '#server/database/open-database.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { testQueues } from './test-queues.ts'

/*
 * A child process for the tests of the job queue. `enqueue` enqueues in a transaction immediately. `hang` takes a job
 * and never finishes it, until the parent kills it.
 */

const [mode, dataDir = '', databaseUrl] = process.argv.slice(2)
const silent = (): void => {}
const log = { info: silent, warn: silent, error: silent }

const database = await openDatabase({ dataDir, databaseUrl, log })
const jobs = await startBackgroundJobs({ database, log, queues: testQueues })
if (mode === 'enqueue') {
  await database.db.transaction().execute(async (tx) => {
    await jobs.enqueue(tx, 'greet', { name: 'Ada' })
    await sql`select 1`.execute(tx)
  })
  await jobs.stop()
  await database.close()
  process.stdout.write('done\n')
} else {
  await jobs.work('greet', 1, () => {
    process.stdout.write('taken\n')
    return new Promise(() => {})
  })
}
