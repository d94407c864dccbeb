import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { createAdministrator } from './access/sign-in/create-administrator.ts'
import { migrate, migrations } from './database/migrate.ts'
import { openDatabase } from './database/open-database.ts'
import { publicAddress, readSettings } from './env.ts'
import { InvalidSetting } from './env-variables.ts'
import { Problem } from './http/problem.ts'
import { describeStartFailure } from './start-failure.ts'
import { storedSecret } from './stored-secret.ts'

/**
 * Creates an administrator with the server's own settings (database, base URL of links). Returns the text to print;
 * throws `InvalidSetting`.
 */
const createFromArguments = async ([email, ...otherArguments]: readonly string[]): Promise<string> => {
  if (email === undefined || otherArguments.length > 0) {
    throw new InvalidSetting('Give one email address: npm run administrator -- alex@example.com')
  }
  const settings = readSettings(process.env, storedSecret)
  const log = pino({ level: 'silent' })
  const { db, close } = await openDatabase({ dataDir: settings.dataDir, databaseUrl: settings.databaseUrl, log })
  try {
    await migrate(db, migrations)
    const address = () => publicAddress(settings, settings.port)
    const link = await createAdministrator({ db, clock: () => new Date(), newId: randomUUID, settings, address }, email)
    if (link instanceof Problem) throw new InvalidSetting(link.details.messages.join(' '))
    return `${email} is an administrator, and chooses a password here, once, within the hour:\n${link}\n`
  } finally {
    await close()
  }
}

try {
  process.stdout.write(await createFromArguments(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(describeStartFailure(error))
  process.exitCode = 1
}
