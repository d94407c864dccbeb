import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { hashOf } from '#server/http/hash.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createSignInFixtures, password } from './sign-in-fixtures.ts'

const nora = {
  studioName: 'Northlight Photo',
  slug: 'northlight',
  accountNumber: 'NL-7',
  timeZone: 'America/Chicago',
  name: 'Nora',
  email: 'nora@northlight.test',
  password: 'a long one of her own',
}

describe.each(enginesFor(import.meta.filename))('setting up a studio on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const fixtures = await createSignInFixtures(database())
    const setUpStudio = (overrides: object = {}) => fixtures.post('setup', { ...nora, ...overrides })
    const listSlugs = () => fixtures.deps.db.selectFrom('studios').select('slug').orderBy('id').execute()
    return { ...fixtures, setUpStudio, listSlugs }
  }

  it('a new studio has its slug, a signed-in owner and the default features', async () => {
    const { deps, setUpStudio, signIn } = await setUp()
    await deps.db.updateTable('features').set({ is_default: true }).execute()
    await deps.db.insertInto('features').values({ identifier: 'studioVerification', name: 'Verification' }).execute()
    const { status, data } = await setUpStudio({ email: ' Nora@Northlight.test ' })
    expect(status).toBe(200)
    const studio = await deps.db
      .selectFrom('studios')
      .selectAll()
      .where('slug', '=', 'northlight')
      .executeTakeFirstOrThrow()
    expect(studio).toMatchObject({
      ...{ name: 'Northlight Photo', account_number: 'NL-7', time_zone: 'America/Chicago', is_millers_verified: false },
      ...{ rspo_enabled: true, contact_email: null },
    })
    expect(decodeJwt(data.token)).toMatchObject({
      name: 'Nora',
      email: 'nora@northlight.test',
      permission: ['studio.crud', 'studio.users.crud', 'studio.financials.read'],
      studio_id: studio.id,
    })
    const enabledFeatures = deps.db
      .selectFrom('studio_features as s')
      .innerJoin('features as f', 'f.id', 's.feature_id')
    expect(await enabledFeatures.select('f.identifier').where('s.studio_id', '=', studio.id).execute()).toEqual([
      { identifier: 'reports' },
    ])
    const slug = deps.db.selectFrom('studio_slugs').select('studio_id').where('slug', '=', 'northlight')
    expect(await slug.executeTakeFirst()).toEqual({ studio_id: studio.id })
    expect((await signIn('nora@northlight.test', nora.password)).status).toBe(200)
  })

  it('the account number is optional, and an unknown time zone falls back to the product’s', async () => {
    const { deps, setUpStudio } = await setUp()
    expect((await setUpStudio({ accountNumber: ' ', timeZone: 'Mars/Olympus' })).status).toBe(200)
    const studio = deps.db
      .selectFrom('studios')
      .select(['account_number', 'time_zone'])
      .where('slug', '=', 'northlight')
    expect(await studio.executeTakeFirst()).toEqual({ account_number: null, time_zone: 'America/New_York' })
  })

  it.each([
    [{ studioName: ' ' }, { studioName: ['This field is required'] }],
    [{ slug: 'login' }, { slug: ['This address is used by a page of ours. Please choose another'] }],
    [{ slug: 'North Light' }, { slug: ['Please use small letters, digits and single dashes between them'] }],
    [{ slug: 'riverside' }, { slug: ['This address is taken. Please choose another'] }],
    [
      { accountNumber: 'R-100' },
      {
        accountNumber: ['Another studio uses this account number. Please check it, or leave it out for now'],
      },
    ],
    [
      { accountNumber: 'R 100' },
      { accountNumber: ['Please use 2 to 40 letters, digits and dashes, starting with a letter or digit'] },
    ],
    [{ name: ' ' }, { name: ['This field is required'] }],
    [{ email: 'nora' }, { email: ['This value is not a valid email address'] }],
    [{ email: 'OWNER@summit.test' }, { email: ['Someone already signs in with this address. Log in, or use another'] }],
    [{ password: 'short' }, { password: ['Please use at least 10 characters'] }],
  ])('a studio with %j is refused with a message at the field', async (change, fields) => {
    const { setUpStudio, listSlugs } = await setUp()
    expect(await setUpStudio(change)).toEqual({
      ...{ status: 422, problem: 'refused', errors: ['Please fix the fields marked below'] },
      fields,
    })
    expect(await listSlugs()).toHaveLength(2)
  })

  it('the form checks whether a slug is free while it is typed', async () => {
    const { request } = await setUp()
    const checkSlug = async (slug: string) => (await request('GET', `/api/auth/setup/valid?slug=${slug}`)).data
    expect(await checkSlug('northlight')).toEqual({ valid: true, message: null })
    expect(await checkSlug('riverside')).toEqual({
      valid: false,
      message: 'This address is taken. Please choose another',
    })
    expect(await checkSlug('admin')).toMatchObject({ valid: false })
  })

  it('a repeated or concurrent request creates one studio', async () => {
    const { setUpStudio, listSlugs } = await setUp()
    const answers = await Promise.all([setUpStudio(), setUpStudio()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await setUpStudio()).status).toBe(200)
    expect(await listSlugs()).toHaveLength(3)
    // A caller with the same values but another password is not signed in.
    expect((await setUpStudio({ password: 'somebody else’s own' })).fields).toMatchObject({
      email: [expect.any(String)],
    })
  })

  it('setting up is slow after many refusals, and limited to ten studios per hour and address', async () => {
    const { deps, setUpStudio, listSlugs, clock, advance } = await setUp()
    const insertFailures = (target: string, failures: number) =>
      deps.db
        .insertInto('guess_counters')
        .values({ kind: 'target', key: hashOf(target), failures, window_started_at: deps.clock() })
        .execute()
    await insertFailures('setup:from 127.0.0.1', 9)
    expect((await setUpStudio({ email: 'owner@riverside.test' })).status).toBe(422)
    const startedAt = clock().getTime()
    expect((await setUpStudio()).status).toBe(200)
    expect(clock().getTime() - startedAt).toBeGreaterThanOrEqual(2_000)
    await deps.db.deleteFrom('guess_counters').execute()
    await insertFailures('begun:127.0.0.1', 9)
    const setUpAnother = (count: number) =>
      setUpStudio({ slug: `n-${count}`, email: `n${count}@northlight.test`, accountNumber: '' })
    expect((await setUpAnother(1)).status).toBe(200)
    expect(await setUpAnother(2)).toMatchObject({
      status: 429,
      errors: ['Many studios began here just now. Please try again in an hour'],
    })
    expect(await listSlugs()).toHaveLength(4)
    advance(61 * 60 * 1000)
    expect((await setUpAnother(2)).status).toBe(200)
  })

  it('the address of a user removed from another studio can be used', async () => {
    const { deps, setUpStudio, signIn } = await setUp()
    const removal = { disabled_at: deps.clock(), removed_at: deps.clock() }
    await deps.db.updateTable('users').set(removal).where('email', '=', 'staff@riverside.test').execute()
    expect((await setUpStudio({ email: 'staff@riverside.test' })).status).toBe(200)
    expect((await signIn('staff@riverside.test', password)).status).toBe(401)
    expect((await signIn('staff@riverside.test', nora.password)).status).toBe(200)
  })
})
