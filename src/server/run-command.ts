import { pino } from 'pino'
import type { Db } from './database/database.ts'
import { migrate, migrations } from './database/migrate.ts'
import { openDatabase } from './database/open-database.ts'
import { readSettings, type Settings } from './env.ts'
import { describeStartFailure } from './start-failure.ts'
import { storedSecret } from './stored-secret.ts'

/** Checks the parameters, and returns the work on the database, whose text is printed. */
export type Command = (context: {
  readonly parameters: readonly string[]
}) => (context: { readonly db: Db; readonly settings: Settings }) => Promise<string>

/**
 * Runs a command with the server's own settings and database, and prints its text. If it throws, for example `InvalidSetting`, prints why
 * and ends with a failure.
 */
export const runCommand = async (
  { env, parameters }: { env: NodeJS.ProcessEnv; parameters: readonly string[] },
  command: Command,
): Promise<void> => {
  try {
    const work = command({ parameters })
    const settings = readSettings(env, storedSecret)
    const log = pino({ level: 'silent' })
    const { db, close } = await openDatabase({ dataDir: settings.dataDir, databaseUrl: settings.databaseUrl, log })
    try {
      await migrate(db, migrations)
      process.stdout.write(await work({ db, settings }))
    } finally {
      await close()
    }
  } catch (error) {
    process.stderr.write(describeStartFailure(error))
    process.exitCode = 1
  }
}
