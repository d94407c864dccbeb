import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createSignInFixtures, password } from '../sign-in/sign-in-fixtures.ts'

type SignInFixtures = Awaited<ReturnType<typeof createSignInFixtures>>
type PreparePasswordCall = (
  fixtures: SignInFixtures,
) => Promise<{ email: string; attempt: (password: string) => Promise<{ status: number }> }>

const owner = 'owner@riverside.test'

/** Every call whose answer reveals whether a password is right. */
const passwordCalls: Record<string, PreparePasswordCall> = {
  'signing in': async ({ signIn }) => ({ email: owner, attempt: (guess) => signIn(owner, guess) }),
  'a used reset link': async ({ post, newestToken }) => {
    await post('forgot-password', { email: owner })
    const token = await newestToken()
    await post('reset-password', { token, password: 'another good long one' })
    return { email: owner, attempt: (guess) => post('reset-password', { token, password: guess }) }
  },
  'an accepted invitation': async ({ request, post, tokenOf, newestToken, studioId }) => {
    const ira = { name: 'Ira', email: 'ira@riverside.test', role: 'staff' }
    const token = await tokenOf(owner)
    await request('POST', `/api/studioadmin/studios/${studioId}/users`, { token, body: ira })
    const link = await newestToken()
    const accept = (chosen: string) => post('invitation/accept', { token: link, name: 'Ira', password: chosen })
    await accept(password)
    return { email: ira.email, attempt: accept }
  },
  'the setup of a studio': async ({ post }) => {
    const email = 'nora@northlight.test'
    const studio = { studioName: 'Northlight Photo', slug: 'northlight', name: 'Nora', email }
    const setUp = (chosen: string) => post('setup', { ...studio, password: chosen })
    await setUp(password)
    return { email, attempt: setUp }
  },
  'changing the password': async ({ request, tokenOf }) => {
    const token = await tokenOf(owner)
    const body = { newPassword: 'another good long one', refreshToken: 'A'.repeat(43) }
    return {
      email: owner,
      attempt: (currentPassword) =>
        request('POST', '/api/account/password', { token, body: { ...body, currentPassword } }),
    }
  },
}

describe.each(enginesFor(import.meta.filename))('password attempts on $name', (engine) => {
  const database = freshDatabase(engine)

  it.each(Object.entries(passwordCalls))(
    'wrong passwords count against the limit of signing in: %s',
    async (_, prepare) => {
      const fixtures = await createSignInFixtures(database())
      const { email, attempt } = await prepare(fixtures)
      for (let guess = 0; guess < 10; guess += 1) {
        expect([401, 422]).toContain((await attempt(`a long guess, number ${guess}`)).status)
      }
      const startedAt = fixtures.clock().getTime()
      expect((await fixtures.signIn(email, 'the eleventh guess')).status).toBe(401)
      expect(fixtures.clock().getTime() - startedAt).toBe(2_000)
    },
  )
})
