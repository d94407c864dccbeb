import { sql } from 'kysely'
import { migrate, migrations } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { workUnlessPaused } from '#server/queue/pausable-work.ts'
import { galleryQueues, testQueues } from './test-queues.ts'

/*
 * A child process for the tests of the job queue. `enqueue` enqueues in a transaction immediately. `hang` takes a job
 * and never finishes it, until the parent kills it; `hang-in-gallery` enqueues and takes one that makes files of images.
 */

const [mode, dataDir = '', databaseUrl] = process.argv.slice(2)
const silent = (): void => {}
const log = { info: silent, warn: silent, error: silent }

const database = await openDatabase({ dataDir, databaseUrl, log })
const hang = () => {
  process.stdout.write('taken\n')
  return new Promise<never>(() => {})
}
if (mode === 'hang-in-gallery') {
  await migrate(database.db, migrations)
  const jobs = await startBackgroundJobs({ database, log, queues: galleryQueues })
  const deps = { db: database.db, clock: () => new Date() }
  await workUnlessPaused(jobs, deps, { queue: 'make-variants', concurrency: 2 }, hang)
  await database.db.transaction().execute((tx) => jobs.enqueue(tx, 'make-variants', { studioId: 1, imageId: 1 }))
} else {
  const jobs = await startBackgroundJobs({ database, log, queues: testQueues })
  if (mode === 'hang') await jobs.work('greet', 1, hang)
  else {
    await database.db.transaction().execute(async (tx) => {
      await jobs.enqueue(tx, 'greet', { name: 'Ada' })
      await sql`select 1`.execute(tx)
    })
    await jobs.stop()
    await database.close()
    process.stdout.write('done\n')
  }
}
