import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { SettingKey } from '#domain/configuration/platform-settings.ts'
import { readMailSender } from '#server/configuration/read-settings.ts'
import { inTransaction } from '#server/database/database.ts'
import { readStorageLimits, reserveStorage } from '#server/images/store/storage-quota.ts'
import { purgeExpiredData } from '#server/workers.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { createConfigurationFixtures } from './configuration-fixtures.ts'

const day = 24 * 60 * 60 * 1000
/** Long enough to be purged by the changed settings, and too short for the initial ones. */
const ageDays = 20

const studioDraft = (slug: string) => ({
  ...{ studioName: slug, slug, timeZone: 'America/Chicago', name: 'Nora' },
  ...{ email: `nora@${slug}.test`, password: 'a long one of her own' },
})

/** For each retention setting: a row that is `ageDays` old, and whether it is still stored. */
const retained: Partial<Record<SettingKey, { insert: string; count: string }>> = {
  'log-months': {
    insert: `insert into tax_log (request, created_at) values ('{}', $at - interval '2 months')`,
    count: 'select from tax_log',
  },
  'mail-text-days': {
    insert: `insert into mail_log (kind, to_email, subject, body_text, created_at) values ('receipt', 'a@b.test', 's', 'Ada', $at)`,
    count: `select from mail_log where body_text <> ''`,
  },
  'import-days': {
    insert: `insert into imports (studio_id, job_id, file_name, created_at) select studio_id, id, 'a.csv', $at from jobs`,
    count: 'select from imports',
  },
  'upload-days': {
    insert: `insert into uploads (studio_id, job_id, upload_key, purpose, file_name, byte_size, state, updated_at)
             select studio_id, id, 'a', 'image', 'a.jpg', 1, 'processed', $at from jobs`,
    count: 'select from uploads',
  },
  'typed-subject-days': {
    insert: `insert into subjects (studio_id, job_id, first_name, last_name, first_key, last_key, state, person_id, updated_at)
             select studio_id, id, 'Bo', '', 'bo', '', 'pending', gen_random_uuid(), $at from jobs`,
    count: 'select from subjects',
  },
  'waitlist-days': {
    insert: `insert into notify_me (studio_id, job_id, order_method, email, notified_at)
             select studio_id, id, 'gallery', 'a@b.test', $at from jobs`,
    count: 'select from notify_me',
  },
}

describe.each(enginesFor(import.meta.filename))('the effects of settings on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const fixtures = await createConfigurationFixtures(database())
    const { app, clock } = fixtures
    const register = async (slug: string) =>
      (await app.inject({ method: 'POST', url: '/api/auth/setup', payload: studioDraft(slug) })).json()
    const at = new Date(clock().getTime() - ageDays * day).toISOString()
    return { ...fixtures, register, at }
  }

  it.each(Object.entries(retained) as [SettingKey, { insert: string; count: string }][])(
    'the retention %s applies to the next purge',
    async (key, { insert, count }) => {
      const { deps, studioId, change, at } = await setUp()
      await given(deps).job(studioId)
      await sql.raw(insert.replace('$at', `'${at}'::timestamptz`)).execute(deps.db)
      const remaining = async () => (await sql.raw(count).execute(deps.db)).rows.length
      await purgeExpiredData(deps, undefined)
      expect(await remaining()).toBe(1)
      await change(key, key === 'log-months' ? 2 : ageDays - 1)
      await purgeExpiredData(deps, undefined)
      expect(await remaining()).toBe(0)
    },
  )

  it('studios register only while registration is open, up to the limit, and with the fee of that time', async () => {
    const { deps, register, change } = await setUp()
    await change('registration-open', false)
    expect(await register('north')).toMatchObject({
      problem: 'refused',
      errors: ['New studios cannot register here at the moment. Please ask us for one'],
    })
    await change('registration-open', null)
    await change('registration-fee', 250)
    await change('registrations-per-hour', 2)
    expect(await register('north')).toHaveProperty('data.token')
    await change('registration-fee', null)
    expect(await register('south')).toHaveProperty('data.token')
    expect(await register('west')).toMatchObject({ problem: 'slow-down' })
    const fees = deps.db.selectFrom('studios').select(['slug', 'platform_fee_basis_points as fee'])
    expect(await fees.where('slug', 'in', ['north', 'south']).orderBy('slug').execute()).toEqual([
      { slug: 'north', fee: 250 },
      { slug: 'south', fee: 0 },
    ])
  })

  it('the storage limits apply to the next upload', async () => {
    const { deps, studioId, change } = await setUp()
    const reserve = (bytes: number) => inTransaction(deps.db, (tx) => reserveStorage(tx, deps, { studioId, bytes }))
    expect(await reserve(2e9)).toBeUndefined()
    await change('studio-storage', 1)
    expect(await reserve(2e9)).toMatchObject({ name: 'refused' })
    expect(await readStorageLimits(deps.db, deps)).toEqual({ verified: 1e9, unverified: 1e9 })
    await change('studio-storage', 5)
    await change('unverified-storage', 3)
    expect(await readStorageLimits(deps.db, deps)).toEqual({ verified: 5e9, unverified: 3e9 })
  })

  it('the limit on open invitations applies to the next invitation', async () => {
    const { deps, app, studioId, change } = await setUp()
    await change('open-invitations', 1)
    const { staffRequest } = await staffClient(deps, app, studioId, { permissions: ['studio.users.crud'] })
    const invite = (email: string) => staffRequest('POST', 'users', { name: 'Quinn', email, role: 'staff' })
    expect((await invite('a@b.test')).status).toBe(200)
    expect(await invite('c@d.test')).toMatchObject({
      errors: ['An invitation waits for an answer. Take one back first'],
    })
    await change('open-invitations', 2)
    expect((await invite('c@d.test')).status).toBe(200)
  })

  it('a sign-in after the change lasts as many days as set', async () => {
    const { app, register, change, advance } = await setUp()
    const refresh = async (refreshToken: string) =>
      await app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refreshToken } })
    await change('sign-in-days', 2)
    const [first, second] = [(await register('north')).data, (await register('south')).data]
    advance(2 * day - 60_000)
    expect((await refresh(first.refreshToken)).statusCode).toBe(200)
    advance(60_000)
    expect((await refresh(second.refreshToken)).statusCode).toBe(401)
  })

  it('the limit on requests of an address applies within two seconds', async () => {
    const { app, change, advance } = await setUp()
    const statuses = async (count: number) => {
      const found = new Set<number>()
      for (let n = 0; n < count; n += 1) {
        found.add((await app.inject({ url: '/api/customer/session', remoteAddress: '203.0.113.7' })).statusCode)
      }
      return found
    }
    expect(await statuses(301)).not.toContain(429)
    await change('requests-per-minute', 300)
    advance(2_000)
    await expect.poll(() => statuses(1)).toContain(429)
    await change('requests-per-minute', 400)
    advance(2_000)
    await expect.poll(() => statuses(1)).not.toContain(429)
  })

  it('emails come from the sender that is set, and replies go where it says', async () => {
    const { deps, change } = await setUp()
    const environment = { 'mail-sender-name': 'Fieldproof', 'mail-sender-address': 'orders@fieldproof.test' }
    const settings = { ...deps.settings, fromEnvironment: environment }
    const sender = () => readMailSender(deps.db, { settings })
    expect(await sender()).toEqual({ name: 'Fieldproof', address: 'orders@fieldproof.test', replyTo: '' })
    await change('mail-sender-name', '')
    await change('mail-sender-address', 'shop@pictures.test')
    await change('mail-reply-to', 'help@pictures.test')
    expect(await sender()).toEqual({ name: '', address: 'shop@pictures.test', replyTo: 'help@pictures.test' })
  })
})
