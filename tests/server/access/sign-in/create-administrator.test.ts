import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { createAdministrator } from '#server/access/sign-in/create-administrator.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createSignInFixtures, password } from './sign-in-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('creating an administrator on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createSignInFixtures(database())
    const choose = (link: unknown, chosen = password) => {
      const { pathname, searchParams } = new URL(String(link))
      expect(pathname).toBe('/reset-password')
      return fixtures.post('reset-password', { token: searchParams.get('token') ?? '', password: chosen })
    }
    return { ...fixtures, choose }
  }

  it('a new administrator chooses a password once with the link and has every permission', async () => {
    const { deps, choose, signIn, tokenOf, jobs } = await setUp()
    const link = await createAdministrator(deps, ' First@Platform.test ')
    expect((await signIn('first@platform.test')).status).toBe(401)
    expect((await choose(link)).status).toBe(200)
    expect((await choose(link, 'another good long one')).status).toBe(422)
    expect((await signIn('first@platform.test')).data).toMatchObject({ step: 'set-up' })
    expect(decodeJwt(await tokenOf('first@platform.test')).permission).toEqual([
      ...['studio.crud', 'studio.admin.crud', 'studio.users.crud', 'studio.financials.read'],
    ])
    expect(jobs).toEqual([])
    const auditEntries = await deps.db.selectFrom('audit_log').select(['action', 'studio_id']).orderBy('id').execute()
    expect(auditEntries[0]).toEqual({ action: 'administrator.link-created', studio_id: null })
  })

  it('an existing administrator is enabled, gets a new link, and signs in with the old password until they choose another', async () => {
    const { deps, choose, signIn, userId } = await setUp()
    const id = await userId('admin@fieldproof.test')
    await deps.db.updateTable('users').set({ disabled_at: deps.clock() }).where('id', '=', id).execute()
    const link = await createAdministrator(deps, 'admin@fieldproof.test')
    expect((await signIn('admin@fieldproof.test')).status).toBe(200)
    expect((await choose(link, 'another good long one')).status).toBe(200)
    expect((await signIn('admin@fieldproof.test', 'another good long one')).status).toBe(200)
    expect(await userId('admin@fieldproof.test')).toBe(id)
  })

  it.each([
    [
      'owner@riverside.test',
      'owner@riverside.test belongs to a user of a studio. Please use another email for the administrator',
    ],
    ['nobody', 'This value is not a valid email address'],
  ])('no administrator is created for %s', async (email, message) => {
    const { deps } = await setUp()
    const listUsers = () => deps.db.selectFrom('users').select('id').execute()
    const before = await listUsers()
    expect(await createAdministrator(deps, email)).toMatchObject({
      name: 'refused',
      details: { messages: [message] },
    })
    expect(await listUsers()).toEqual(before)
  })
})
