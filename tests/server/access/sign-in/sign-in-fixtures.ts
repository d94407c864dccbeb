import { sendInvitationEmail } from '#server/access/accounts/invitation-emails.ts'
import { hashPassword } from '#server/access/credentials/verify-password.ts'
import { sendResetEmail } from '#server/access/sign-in/password-reset-links.ts'
import { createTokenPair, enabledAccounts } from '#server/access/tokens/token-pair.ts'
import { sendSecurityEmail } from '#server/access/two-factor/security-emails.ts'
import { mailLog } from '#server/adapters/mail-record.ts'
import type { Deps } from '#server/deps.ts'
import type { TestDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'

export const password = 'correct horse battery staple'
const hash = hashPassword(password)

/** Two studios with users in each, an app in front of them, and a fake mail server. */
export const createSignInFixtures = async (database: TestDatabase) => {
  const time = manualClock()
  const { jobs, enqueue } = recordingQueue()
  const mailTexts: string[] = []
  const mail = mailLog({ db: database.db, clock: time.clock }, ({ text }) => mailTexts.push(text))
  const deps: Deps = testDeps(database, { ...time, jobs: { enqueue }, mail })
  const app = await testApp(deps)
  const { studio, user, feature } = given(deps)
  const studioId = await studio({ name: 'Riverside Portraits', account_number: 'R-100' })
  const otherStudioId = await studio({ slug: 'summit', name: 'Summit Sports Photo' })
  const password_hash = await hash
  await user(null, { email: 'admin@fieldproof.test', name: 'Alex', password_hash, is_second_factor_exempt: true })
  await user(studioId, { email: 'owner@riverside.test', name: 'Olive', role: 'owner', password_hash })
  await user(studioId, { email: 'staff@riverside.test', password_hash })
  await user(otherStudioId, { email: 'owner@summit.test', name: 'Dana', role: 'owner', password_hash })
  await feature(studioId, 'reports')

  const request = async (
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
    request('POST', `/api/auth/${path}`, { body, ...(key && { key }) })
  const signIn = async (username: string, usedPassword = password) =>
    await post('login', { username, password: usedPassword })
  /** An access token as signing in returns it, without a slow password check. */
  const tokenOf = async (email: string): Promise<string> => {
    const account = await enabledAccounts(deps.db).where('email', '=', email).executeTakeFirstOrThrow()
    return (await createTokenPair(deps, account, 'none')).token
  }

  /** Sends the queued mail, and returns the links of all messages so far, the newest last. */
  const deliverMail = async (): Promise<string[]> => {
    for (const { name, payload } of jobs.splice(0)) {
      if (name === 'send-password-reset-email') await sendResetEmail(deps, payload)
      if (name === 'send-security-email') await sendSecurityEmail(deps, payload)
      if (name === 'send-invitation-email') await sendInvitationEmail(deps, payload)
    }
    return mailTexts.map((text) => /https:\S+/.exec(text)?.[0] ?? '')
  }
  /** The secret of the newest message's link. */
  const newestToken = async (): Promise<string> =>
    new URL((await deliverMail()).at(-1) ?? '').searchParams.get('token') ?? ''
  const userId = async (email: string): Promise<number> =>
    (await deps.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
  return {
    app,
    deps,
    jobs,
    mailTexts,
    studioId,
    otherStudioId,
    request,
    post,
    signIn,
    tokenOf,
    deliverMail,
    newestToken,
    userId,
    ...time,
  }
}
