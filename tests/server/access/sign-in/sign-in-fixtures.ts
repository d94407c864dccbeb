import { sendInvitationEmail } from '#server/access/accounts/invitation-emails.ts'
import { hashPassword } from '#server/access/sign-in/hash-password.ts'
import { sendResetEmail } from '#server/access/sign-in/password-reset-links.ts'
import { createTokenPair, enabledAccounts } from '#server/access/sign-in/token-pair.ts'
import { mailLog } from '#server/adapters/mail-log.ts'
import type { Deps } from '#server/deps.ts'
import type { TestDatabase } from '#support/database/test-database.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { addFeature } from '../../discovery/job-fixtures.ts'

export const password = 'correct horse battery staple'
const hash = hashPassword(password)

/** Two studios with users in each, an app in front of them, and a fake mail server. */
export const createSignInFixtures = async (database: TestDatabase) => {
  const time = manualClock()
  const { jobs, enqueue } = recordingQueue()
  const letters: string[] = []
  const mail = mailLog({ db: database.db, clock: time.clock }, ({ text }) => letters.push(text))
  const deps: Deps = testDeps(database, { ...time, jobs: { enqueue }, mail })
  const app = await testApp(deps)
  const studios = [
    { slug: 'riverside', name: 'Riverside Portraits', account_number: 'R-100' },
    { slug: 'summit', name: 'Summit Sports Photo' },
  ]
  const made = await deps.db.insertInto('studios').values(studios).returning('id').execute()
  const [studioId = 0, elsewhereId = 0] = made.map(({ id }) => id)
  const password_hash = await hash
  const people = [
    { email: 'admin@fieldproof.test', name: 'Alex', role: 'administrator', studio_id: null },
    { email: 'owner@riverside.test', name: 'Olive', role: 'owner', studio_id: studioId },
    { email: 'staff@riverside.test', name: 'Sam', role: 'staff', studio_id: studioId },
    { email: 'owner@summit.test', name: 'Dana', role: 'owner', studio_id: elsewhereId },
  ] as const
  await deps.db
    .insertInto('users')
    .values(people.map((one) => ({ ...one, password_hash })))
    .execute()
  await addFeature(deps, studioId, 'reports')

  const ask = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    { body, token, key }: { body?: object; token?: string; key?: string } = {},
  ) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
    }
    const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) })
    return { status: answer.statusCode, ...answer.json() }
  }
  const post = (path: string, body: object, key?: string) =>
    ask('POST', `/api/auth/${path}`, { body, ...(key && { key }) })
  const signIn = async (username: string, by = password) => await post('login', { username, password: by })
  /** An access token as signing in returns it, without the time of a password check. */
  const tokenOf = async (email: string): Promise<string> => {
    const account = await enabledAccounts(deps.db).where('email', '=', email).executeTakeFirstOrThrow()
    return (await createTokenPair(deps, account, 'none')).token
  }

  /** Sends the waiting mail, and returns the links in the messages, the newest last. */
  const carryMail = async (): Promise<string[]> => {
    for (const { name, payload } of jobs.splice(0)) {
      if (name === 'mail-password-reset') await sendResetEmail(deps, payload)
      if (name === 'mail-invitation') await sendInvitationEmail(deps, payload)
    }
    return letters.map((text) => /https:\S+/.exec(text)?.[0] ?? '')
  }
  /** The secret of the newest message's link. */
  const newestToken = async (): Promise<string> =>
    new URL((await carryMail()).at(-1) ?? '').searchParams.get('token') ?? ''
  const userId = async (email: string): Promise<number> =>
    (await deps.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
  return { deps, jobs, studioId, elsewhereId, ask, post, signIn, tokenOf, carryMail, newestToken, userId, ...time }
}
