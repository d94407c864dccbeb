import { randomUUID } from 'node:crypto'
import { createAdministrator } from './access/sign-in/create-administrator.ts'
import { publicAddress } from './env.ts'
import { InvalidSetting } from './env-variables.ts'
import { Problem } from './http/problem.ts'
import { type Command, runCommand } from './run-command.ts'

/** Also removes the second factor of an administrator who lost it. */
const removalFlag = '--remove-two-factor'

/** Creates an administrator. The link has the base URL of the server's settings. */
const createFromParameters: Command = ({ parameters }) => {
  const removesSecondFactor = parameters.includes(removalFlag)
  const [email, ...others] = parameters.filter((parameter) => parameter !== removalFlag)
  if (email === undefined || others.length > 0) {
    throw new InvalidSetting('Give one email address: npm run administrator -- alex@example.com')
  }
  return async ({ db, settings }) => {
    const address = () => publicAddress(settings, settings.port)
    const deps = { db, clock: () => new Date(), newId: randomUUID, settings, address }
    const link = await createAdministrator(deps, email, { removesSecondFactor })
    if (link instanceof Problem) throw new InvalidSetting(link.details.messages.join(' '))
    return `${email} is an administrator, and chooses a password here, once, within the hour:\n${link}\n`
  }
}

await runCommand({ env: process.env, parameters: process.argv.slice(2) }, createFromParameters)
