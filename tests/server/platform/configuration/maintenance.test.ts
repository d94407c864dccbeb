import { describe, expect, it } from 'vitest'
import { noMaintenance } from '#domain/configuration/maintenance.ts'
import { signUrl } from '#server/http/sign-url.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testDeps } from '#support/server/test-app.ts'
import { createSignInFixtures, password } from '#tests/server/access/sign-in/sign-in-fixtures.ts'
import { createTwoFactorFixtures } from '#tests/server/access/two-factor/two-factor-fixtures.ts'
import { createCartFixtures } from '#tests/server/carts/cart-fixtures.ts'
import { configurationUrl, createConfigurationFixtures } from './configuration-fixtures.ts'

/** The fixtures' clock starts at ten. */
const evening = { from: '2027-04-15T20:00:00.000Z', until: '2027-04-15T22:00:00.000Z', noticeHours: 6 }
const customerUrl = '/api/customer/studios/riverside'

describe.each(enginesFor(import.meta.filename))('maintenance on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const fixtures = await createConfigurationFixtures(database())
    const { app, studioId, send, clock, advance } = fixtures
    const goTo = (instant: string) => advance(Date.parse(instant) - clock().getTime())
    const customerAnswer = async () => await app.inject(customerUrl)
    const customerStatus = async () => (await customerAnswer()).statusCode
    const staffUrl = `/api/studioadmin/studios/${studioId}`
    const staffStatus = async (caller: 'administrator' | 'staff') =>
      (await send('GET', staffUrl, undefined, caller)).statusCode
    const notice = async () => (await app.inject('/api/maintenance')).json()
    return { ...fixtures, goTo, customerAnswer, customerStatus, staffStatus, notice }
  }

  it('switched on it answers customers and staff with the message, and administrators as usual', async () => {
    const { app, plan, read, advance, customerAnswer, customerStatus, staffStatus } = await setUp()
    expect(await customerStatus()).toBe(200)
    await plan({ isOn: true, message: ' New servers until ten. ' })
    advance(2_000)
    const closed = await customerAnswer()
    expect(closed.statusCode).toBe(503)
    expect(closed.json()).toEqual({ errors: ['New servers until ten'], problem: 'maintenance' })
    expect(closed.headers['retry-after']).toBe('30')
    expect(await staffStatus('staff')).toBe(503)
    expect(await staffStatus('administrator')).toBe(200)
    expect((await app.inject('/api/health')).json().data.maintenance).toBe('New servers until ten.')
    expect((await read()).maintenance).toMatchObject({ state: 'closed', isOn: true, changedBy: 'Alex', version: 1 })
    expect((await plan({}, 1)).data.maintenance).toMatchObject({ state: 'open', version: 2 })
    advance(2_000)
    expect([await customerStatus(), await staffStatus('staff')]).toEqual([200, 200])
  })

  it('a planned window is announced, closes and opens by itself', async () => {
    const { plan, goTo, customerStatus, staffStatus, notice } = await setUp()
    await plan({ ...evening, message: 'New servers' })
    const announced = { from: evening.from, until: evening.until, message: 'New servers' }
    const observed = async (instant: string) => {
      goTo(instant)
      const announcement = await notice()
      return [await customerStatus(), await staffStatus('staff'), announcement.data?.announced ?? null]
    }
    expect(await observed('2027-04-15T13:59:59.999Z')).toEqual([200, 200, null])
    expect(await observed('2027-04-15T14:00:00.000Z')).toEqual([200, 200, announced])
    expect(await observed('2027-04-15T19:59:59.999Z')).toEqual([200, 200, announced])
    expect(await observed('2027-04-15T20:00:00.000Z')).toEqual([503, 503, null])
    expect(await observed('2027-04-15T21:59:59.999Z')).toEqual([503, 503, null])
    expect(await observed('2027-04-15T22:00:00.000Z')).toEqual([200, 200, null])
  })

  it('parents read the announcement with the dates of their order, in the time zone of the studio', async () => {
    const { deps, app, plan, goTo } = await setUp()
    const fixtures = await createCartFixtures(deps, 'summit')
    const { headers } = await fixtures.enter()
    const url = `/api/customer/studios/${fixtures.studioId}/jobs/${fixtures.jobId}`
    const notes = async () => (await app.inject({ url, headers })).json().data.orderNotes
    await plan(evening)
    expect(await notes()).toEqual([])
    goTo('2027-04-15T14:00:00.000Z')
    const [note] = await notes()
    expect(note.replace(/\s/g, ' ')).toBe(
      'Ordering is closed for maintenance from Apr 15, 4:00 PM EDT to Apr 15, 6:00 PM EDT',
    )
  })

  it('an administrator ends a window before its time', async () => {
    const { plan, goTo, advance, customerStatus } = await setUp()
    await plan(evening)
    goTo('2027-04-15T21:00:00.000Z')
    expect(await customerStatus()).toBe(503)
    await plan({ ...evening, from: null, until: null })
    advance(2_000)
    expect(await customerStatus()).toBe(200)
  })

  it('a plan with errors or of an older version is refused, and so is a window that is over', async () => {
    const { plan, goTo } = await setUp()
    expect(await plan({ ...evening, until: null })).toMatchObject({
      status: 422,
      fields: { until: ['Enter both times, or neither'] },
    })
    expect((await plan(evening, 0)).status).toBe(200)
    expect(await plan(evening, 0)).toMatchObject({ status: 409, problem: 'conflict' })
    goTo('2027-04-15T23:00:00.000Z')
    expect((await plan({ ...evening, message: 'Over' })).status).toBe(200)
    expect(await plan({ ...evening, until: '2027-04-15T22:30:00.000Z' })).toMatchObject({
      fields: { until: ['This time is over'] },
    })
  })

  it('the environment closes the product, which no administrator opens', async () => {
    const { settings } = testDeps(database())
    const { app, plan } = await createConfigurationFixtures(database(), {
      settings: { ...settings, maintenance: true },
    })
    expect((await plan({ message: 'New servers' })).data.maintenance).toMatchObject({ state: 'closed', isForced: true })
    expect((await app.inject(customerUrl)).json().errors).toEqual(['New servers'])
  })

  it('without a token the administrators’ calls are refused as usual, and a forged token opens nothing', async () => {
    const { app, plan, advance } = await setUp()
    await plan({ isOn: true })
    advance(2_000)
    expect((await app.inject(configurationUrl)).statusCode).toBe(401)
    const headers = { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJwZXJtaXNzaW9uIjoic3R1ZGlvLmFkbWluLmNydWQifQ.x' }
    expect((await app.inject({ url: customerUrl, headers })).statusCode).toBe(503)
  })

  it('during maintenance administrators sign in, staff get the message, and no studio is set up', async () => {
    const { deps, signIn, post, tokenOf, request, advance } = await createSignInFixtures(database())
    const { refreshToken } = (await signIn('staff@riverside.test')).data
    const plan = { ...noMaintenance, isOn: true, message: 'New servers' }
    const token = await tokenOf('admin@fieldproof.test')
    expect((await request('PUT', `${configurationUrl}/maintenance`, { token, body: plan })).status).toBe(200)
    advance(2_000)
    expect((await signIn('admin@fieldproof.test')).status).toBe(200)
    expect(await signIn('staff@riverside.test')).toMatchObject({ status: 503, errors: ['New servers'] })
    expect(await signIn('staff@riverside.test', 'wrong password')).toMatchObject({ status: 401 })
    expect(await signIn('owner@riverside.test', password)).toMatchObject({ status: 503 })
    expect((await post('setup', {})).status).toBe(503)
    const refreshed = await post('refresh', { refreshToken })
    expect(refreshed.status).toBe(200)
    expect((await request('GET', '/api/account', { token: refreshed.data.token })).status).toBe(503)
    const signedIn = deps.db.selectFrom('refresh_tokens').select('user_id').distinct()
    expect(await signedIn.execute()).toHaveLength(2)
  })

  it('during maintenance neither a passkey nor a code after the password signs staff in, and both sign administrators in', async () => {
    const fixtures = await createTwoFactorFixtures(database())
    const { deps, tokenOf, userWithApp, codeOf, passwordStep, proveCode, setUpPasskey, signInWithPasskey } = fixtures
    const closed = { status: 503, problem: 'maintenance', errors: ['New servers'] }
    const people = ['staff@riverside.test', 'admin@fieldproof.test'] as const
    const prepare = async (email: string) => {
      const { key, tokens } = await userWithApp(email)
      const token = await tokenOf(email)
      const { authenticator } = await setUpPasskey(await fixtures.authorize(token))
      return { key, tokens, authenticator, step: (await passwordStep(email)).stepToken }
    }
    const [staff, administrator] = [await prepare(people[0]), await prepare(people[1])]
    const plan = { ...noMaintenance, isOn: true, message: 'New servers' }
    const token = await tokenOf('admin@fieldproof.test')
    await fixtures.request('PUT', `${configurationUrl}/maintenance`, { token, body: plan })
    fixtures.advance(30_000)
    const before = await deps.db.selectFrom('refresh_tokens').select('id').execute()
    expect(await proveCode(staff.step, codeOf(staff.key))).toMatchObject(closed)
    expect(await signInWithPasskey(staff.authenticator)).toMatchObject(closed)
    expect(await deps.db.selectFrom('refresh_tokens').select('id').execute()).toEqual(before)
    expect((await proveCode(administrator.step, codeOf(administrator.key))).status).toBe(200)
    expect((await signInWithPasskey(administrator.authenticator)).status).toBe(200)
  })

  it('during maintenance the signed URL of a file works for administrators, and not for staff', async () => {
    const { deps, app, administrator, staff, plan, advance } = await setUp()
    const download = async (user: { id: number }, seal?: string) => {
      const query = new URLSearchParams(signUrl({ ...deps, user }, 'report-file:1'))
      if (seal !== undefined) query.set('seal', seal)
      return (await app.inject(`/api/report-files/1?${query}`)).statusCode
    }
    await plan({ isOn: true })
    advance(2_000)
    // There is no such file.
    expect(await download(administrator)).toBe(404)
    expect(await download(staff)).toBe(503)
    expect((await app.inject(`${customerUrl}?by=${administrator.id}&until=9999999999&seal=x`)).statusCode).toBe(503)
  })
})
