import { isFullRun, testSeed } from '../seed.ts'
import { testDatabasePrefix, withAdminConnection } from './admin-connection.ts'

const drop = async (): Promise<void> => {
  const server = process.env.TEST_DATABASE_URL
  if (!server) return
  await withAdminConnection(server)(async (administrator) => {
    const remaining = await administrator.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [testDatabasePrefix()],
    )
    for (const { name } of remaining.rows) await administrator.query(`drop database ${name} with (force)`)
  })
}

/** Logs the run's seed. After the run, drops the databases that its threads used. */
// biome-ignore lint/style/noDefaultExport: Vitest takes a global set-up by its default export
export default () => {
  process.stdout.write(`TEST_SEED=${testSeed}${isFullRun ? ', each server test on every database' : ''}\n`)
  return drop
}
