import { randomUUID } from 'node:crypto'
import { createAdministrator } from './access/sign-in/create-administrator.ts'
import { publicAddress } from './env.ts'
import { InvalidSetting } from './env-variables.ts'
import { Problem } from './http/problem.ts'
import { type Command, runCommand } from './run-command.ts'

/** Creates an administrator. The link has the base URL of the server's settings. */
const createFromParameters: Command = ({ parameters }) => {
  const [email, ...others] = parameters
  if (email === undefined || others.length > 0) {
    throw new InvalidSetting('Give one email address: npm run administrator -- alex@example.com')
  }
  return async ({ db, settings }) => {
    const address = () => publicAddress(settings, settings.port)
    const deps = { db, clock: () => new Date(), newId: randomUUID, settings, address }
    const link = await createAdministrator(deps, email)
    if (link instanceof Problem) throw new InvalidSetting(link.details.messages.join(' '))
    return `${email} is an administrator, and chooses a password here, once, within the hour:\n${link}\n`
  }
}

await runCommand({ env: process.env, parameters: process.argv.slice(2) }, createFromParameters)
