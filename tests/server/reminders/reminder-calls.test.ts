import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { otherVisitor, reminderDriver } from './reminder-driver.ts'

describe.each(enginesFor(import.meta.filename))('opting in to reminders on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const driver = await reminderDriver(database())
    const { app, mails, deps } = driver
    const readOptIns = () =>
      deps.db.selectFrom('reminders').select(['email', 'kinds', 'unsubscribed_at']).orderBy('id').execute()
    const tokenOfMail = () =>
      /unsubscribe\/([\w-]+)/.exec(
        mails()
          .at(-1)
          ?.text.replace(/\r?\n /g, '') ?? '',
      )?.[1] ?? ''
    const unsubscribe = async (token: string) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/customer/reminders/unsubscribe',
        payload: { token },
      })
      return { status: answer.statusCode, data: answer.json().data }
    }
    const oneClick = async (token: string, headers: Record<string, string> = {}) =>
      (
        await app.inject({
          method: 'POST',
          url: `/riverside/unsubscribe/${token}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          payload: 'List-Unsubscribe=One-Click',
        })
      ).statusCode
    return { ...driver, readOptIns, tokenOfMail, unsubscribe, oneClick }
  }

  it('the customer sees where reminders go, changes it, and stops it', async () => {
    const { optIn, request, cartId, setJob, readOptIns } = await setUp()
    await setJob({ order_by: '2027-05-01' })
    const path = `cart/reminder?cartId=${await cartId()}`
    expect((await request('GET', path)).data).toEqual({ offered: ['order-by', 'cart'], reminder: null })
    await optIn(['cart'])
    await optIn(['order-by', 'cart'], { email: 'anne@example.com' })
    const expected = { email: 'anne@example.com', kinds: ['cart', 'order-by'] }
    expect((await request('GET', path)).data.reminder).toEqual(expected)
    expect((await request('DELETE', path)).data).toEqual({ offered: ['order-by', 'cart'], reminder: null })
    expect(await readOptIns()).toEqual([{ ...expected, unsubscribed_at: expect.any(Date) }])
    await optIn(['cart'])
    expect(await readOptIns()).toMatchObject([{ email: 'grace@example.com', unsubscribed_at: null }])
  })

  it('an invalid email address and an empty choice of kinds are refused', async () => {
    const { optIn, readOptIns } = await setUp()
    expect(await optIn(['cart'], { email: 'anne@' })).toMatchObject({
      status: 422,
      fields: { email: expect.anything() },
    })
    expect(await optIn(['cart'], { email: '' })).toMatchObject({ status: 422 })
    expect(await optIn([])).toMatchObject({ status: 400 })
    expect(await readOptIns()).toEqual([])
  })

  it('the cart of another visitor is not found', async () => {
    const { optIn, cartId, fixtures, requestAs, readOptIns, ...driver } = await setUp()
    await optIn(['cart'])
    const before = await readOptIns()
    const { session } = await otherVisitor(driver, fixtures)
    const id = await cartId()
    const request = requestAs(session.headers)
    const body = { cartId: id, email: 'evil@example.com', kinds: ['cart'] }
    expect(await request('PUT', 'cart/reminder', body)).toMatchObject({ status: 404 })
    expect(await request('GET', `cart/reminder?cartId=${id}`)).toMatchObject({ status: 404, data: undefined })
    expect(await request('DELETE', `cart/reminder?cartId=${id}`)).toMatchObject({ status: 404 })
    expect(await requestAs({})('PUT', 'cart/reminder', body)).toMatchObject({ status: 401 })
    expect(await readOptIns()).toEqual(before)
  })

  it('an email address is accepted ten times a day, and a client sixty times in ten minutes', async () => {
    const { fixtures, requestAs, optIn, ...driver } = await setUp()
    const from = async (email: string) => {
      const { session, client } = await otherVisitor(driver, fixtures)
      await client.request('POST', 'carts', { body: { orderMethod: 'gallery' } })
      const { id } = await client.cart()
      return (await requestAs(session.headers)('PUT', 'cart/reminder', { cartId: id, email, kinds: ['cart'] })).status
    }
    for (let count = 0; count < 10; count += 1) expect(await from('anne@example.com')).toBe(200)
    expect(await from('anne@example.com')).toBe(429)
    for (let count = 0; count < 50; count += 1) expect(await from(`bo${count}@example.com`)).toBe(200)
    expect(await from('one-more@example.com')).toBe(429)
    driver.advanceHours(1)
    expect(await from('one-more@example.com')).toBe(200)
  })

  it('parallel opt-ins do not pass the limit of an email address', async () => {
    const { optIn, cartId, deps } = await setUp()
    const id = await cartId()
    const kinds = (index: number) => (index % 2 === 0 ? ['cart'] : ['cart', 'order-by'])
    await Promise.all(Array.from({ length: 40 }, (_, index) => optIn(kinds(index), { id })))
    const counters = await deps.db
      .selectFrom('guess_counters')
      .select('failures')
      .where('kind', '=', 'target')
      .execute()
    expect(counters).toEqual([{ failures: 10 }])
  })

  it('the link in a mail ends all reminders of the studio to the address for good, with one request', async () => {
    const { optIn, run, advanceHours, unsubscribe, tokenOfMail, readOptIns, studioId } = await setUp()
    await optIn(['cart', 'order-by'])
    advanceHours(24)
    await run()
    const token = tokenOfMail()
    expect(await unsubscribe(`${token.slice(0, -22)}${'A'.repeat(22)}`)).toMatchObject({ status: 404 })
    expect(await unsubscribe(token.replace(/^\d+/, String(studioId + 1)))).toMatchObject({ status: 404 })
    expect(await readOptIns()).toMatchObject([{ unsubscribed_at: null }])
    expect(await unsubscribe(token)).toEqual({ status: 200, data: { studioName: 'riverside', wasDone: false } })
    expect(await unsubscribe(token)).toEqual({ status: 200, data: { studioName: 'riverside', wasDone: true } })
    expect(await readOptIns()).toMatchObject([{ unsubscribed_at: expect.any(Date) }])
  })

  it('an address that unsubscribed gets no mail, even if someone opts in with it again', async () => {
    const { optIn, run, advanceHours, unsubscribe, tokenOfMail, fixtures, requestAs, driver, ...rest } = await setUp()
    await optIn(['cart'])
    advanceHours(24)
    expect(await run()).toHaveLength(1)
    await unsubscribe(tokenOfMail())
    const { session, client } = await otherVisitor(rest, fixtures)
    await client.sync([{ ...rest.checkout.line, id: crypto.randomUUID(), lineId: crypto.randomUUID() }])
    const { id } = await client.cart()
    const optInAgain = (email: string) =>
      requestAs(session.headers)('PUT', 'cart/reminder', { cartId: id, email, kinds: ['cart'] })
    expect(await optInAgain('grace@example.com')).toMatchObject({ status: 200 })
    advanceHours(24)
    expect(await run()).toEqual([])
    await optInAgain('anne@example.com')
    advanceHours(24)
    expect(await run()).toHaveLength(1)
  })

  it('a mail program unsubscribes by posting a form to the address in the header; the page of another site cannot', async () => {
    const { optIn, run, advanceHours, oneClick, tokenOfMail, readOptIns } = await setUp()
    await optIn(['cart'])
    advanceHours(24)
    await run()
    expect(await oneClick(tokenOfMail(), { 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await oneClick('nonsense')).toBe(404)
    expect(await readOptIns()).toMatchObject([{ unsubscribed_at: null }])
    expect(await oneClick(tokenOfMail())).toBe(200)
    expect(await readOptIns()).toMatchObject([{ unsubscribed_at: expect.any(Date) }])
  })

  it('staff see how many reminders were sent and ordered from; only those who see money see the amount', async () => {
    const { optIn, run, advanceHours, driver, checkout, deps, app, studioId } = await setUp()
    const { staffRequest } = await staffClient(deps, app, studioId)
    const results = async (options = {}) => (await staffRequest('GET', 'reminders', undefined, options)).data
    expect(await results()).toEqual({ sentCount: 0, orderCount: 0, orderedCents: null })
    await optIn(['cart'])
    advanceHours(24)
    await run()
    await driver.submit(checkout.submitBody())
    const { total_cents: totalCents } = await deps.db
      .selectFrom('orders')
      .select('total_cents')
      .executeTakeFirstOrThrow()
    const finance = { permissions: ['studio.crud', 'studio.financials.read'] as const }
    expect(await results()).toEqual({ sentCount: 1, orderCount: 1, orderedCents: null })
    expect(await results(finance)).toEqual({ sentCount: 1, orderCount: 1, orderedCents: totalCents })
    const setOrder = (columns: object) => deps.db.updateTable('orders').set(columns).execute()
    const sentAt = new Date('2027-04-16T10:00:00Z').getTime()
    await setOrder({ placed_at: new Date(sentAt + 14 * 24 * 60 * 60 * 1000) })
    expect(await results(finance)).toEqual({ sentCount: 1, orderCount: 0, orderedCents: 0 })
    await setOrder({ placed_at: new Date(sentAt - 1) })
    expect(await results(finance)).toEqual({ sentCount: 1, orderCount: 0, orderedCents: 0 })
    await setOrder({ placed_at: new Date(sentAt), state: 'cancelled' })
    expect(await results(finance)).toEqual({ sentCount: 1, orderCount: 0, orderedCents: 0 })
  })

  it('staff switch a kind off and on', async () => {
    const { deps, app, studioId } = await setUp()
    const { staffRequest } = await staffClient(deps, app, studioId)
    const url = `/api/studioadmin/studios/${studioId}`
    const all = { 'order-by': true, 'images-online': true, cart: true }
    expect((await staffRequest('GET', url)).data.reminderPreferences).toEqual(all)
    const reminderPreferences = { ...all, cart: false }
    expect((await staffRequest('PATCH', url, { reminderPreferences })).data).toMatchObject({ reminderPreferences })
    expect((await staffRequest('GET', url)).data.reminderPreferences).toEqual(reminderPreferences)
  })
})
