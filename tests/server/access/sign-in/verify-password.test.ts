import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createSignInFixtures, password } from './sign-in-fixtures.ts'

type Desk = Awaited<ReturnType<typeof createSignInFixtures>>
type Way = (desk: Desk) => Promise<{ email: string; attempt: (password: string) => Promise<{ status: number }> }>

const owner = 'owner@riverside.test'

/** Each call that reveals in some form whether a password is right. */
const ways: Record<string, Way> = {
  'signing in': async ({ signIn }) => ({ email: owner, attempt: (guess) => signIn(owner, guess) }),
  'a link to choose a password that was used': async ({ post, newestToken }) => {
    await post('forgot-password', { email: owner })
    const token = await newestToken()
    await post('reset-password', { token, password: 'another good long one' })
    return { email: owner, attempt: (guess) => post('reset-password', { token, password: guess }) }
  },
  'an invitation that was accepted': async ({ ask, post, tokenOf, newestToken, studioId }) => {
    const ira = { name: 'Ira', email: 'ira@riverside.test', role: 'staff' }
    const token = await tokenOf(owner)
    await ask('POST', `/api/studioadmin/studios/${studioId}/users`, { token, body: ira })
    const link = await newestToken()
    const accept = (chosen: string) => post('invitation/accept', { token: link, name: 'Ira', password: chosen })
    await accept(password)
    return { email: ira.email, attempt: accept }
  },
  'a studio that was begun': async ({ post }) => {
    const email = 'nora@northlight.test'
    const studio = { studioName: 'Northlight Photo', slug: 'northlight', name: 'Nora', email }
    const begin = (chosen: string) => post('setup', { ...studio, password: chosen })
    await begin(password)
    return { email, attempt: begin }
  },
  'exchanging a password': async ({ ask, tokenOf }) => {
    const token = await tokenOf(owner)
    const body = { newPassword: 'another good long one', refreshToken: 'A'.repeat(43) }
    return {
      email: owner,
      attempt: (currentPassword) => ask('POST', '/api/account/password', { token, body: { ...body, currentPassword } }),
    }
  },
}

describe.each(enginesFor(import.meta.filename))('password attempts on $name', (engine) => {
  const database = freshDatabase(engine)

  it.each(Object.entries(ways))('attempts count against one limit, by %s', async (_, prepare) => {
    const desk = await createSignInFixtures(database())
    const { email, attempt } = await prepare(desk)
    for (let guess = 0; guess < 10; guess += 1) {
      expect([401, 422]).toContain((await attempt(`a long guess, number ${guess}`)).status)
    }
    const before = desk.clock().getTime()
    expect((await desk.signIn(email, 'the eleventh guess')).status).toBe(401)
    expect(desk.clock().getTime() - before).toBe(2_000)
  })
})
