import { describe, expect, it } from 'vitest'
import { purgeReminderAddresses } from '#server/reminders/reminder-workers.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { setQuantity } from '../carts/cart-fixtures.ts'
import { reminderDriver } from './reminder-driver.ts'

const midnight = (day: string) => new Date(`${day}T04:00:00Z`)

describe.each(enginesFor(import.meta.filename))('reminders by email on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => reminderDriver(database())

  /** A prepaid cart of a job whose images are not published yet, opened on April 15. */
  const setUpPrepay = async () => {
    const driver = await setUp()
    const setImages = (published_at: Date | null) =>
      driver.deps.db.updateTable('image_lookups').set({ published_at }).execute()
    await setImages(null)
    await driver.driver.request('POST', 'carts', { body: { orderMethod: 'prepay' } })
    const id = await driver.cartId('prepay')
    return { ...driver, setImages, optIn: (kinds: readonly string[]) => driver.optIn(kinds, { id }) }
  }

  it('a cart that was left is mailed once, a day after its last change, with a link and a way out', async () => {
    const { optIn, run, advanceHours, driver, checkout, mails, jobId, studioId, deps } = await setUp()
    expect(await optIn(['cart'], { email: ' Grace@Example.com ' })).toMatchObject({
      status: 200,
      data: { reminder: { email: 'grace@example.com', kinds: ['cart'] } },
    })
    advanceHours(20)
    await driver.sync([setQuantity(checkout.line.lineId, 3)])
    advanceHours(23)
    expect(await run()).toEqual([])
    advanceHours(1)
    expect(await run()).toEqual(['Your cart is waiting: Spring Portraits'])
    expect(await run()).toEqual([])
    advanceHours(24 * 30)
    expect(await run()).toEqual([])
    const [mail] = mails()
    expect(mail?.to).toBe('grace@example.com')
    expect(mail?.text).toContain('Your cart for Spring Portraits by riverside is saved, and not ordered yet.')
    expect(mail?.text).toContain(`https://fieldproof.test/riverside/${jobId}/cart`)
    expect(mail?.text).not.toMatch(/Ada|Lovelace/)
    const link = `https://fieldproof\\.test/riverside/unsubscribe/${studioId}-[\\da-f]{64}-[\\w-]{22}`
    expect(mail?.text.replace(/\r?\n /g, ' ')).toMatch(new RegExp(`List-Unsubscribe: <${link}>`))
    expect(mail?.text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(mail?.text).toMatch(new RegExp(`open this link:\\s+${link}`))
    // Who reads the log must not be able to unsubscribe customers.
    const logged = await deps.db.selectFrom('mail_log').select(['body_text', 'kind', 'state']).execute()
    expect(logged).toEqual([{ kind: 'reminder', state: 'sent', body_text: expect.stringMatching(/unsubscribe\/…$/) }])
  })

  it('a cart is mailed before orders close, two days before, and the last day is named in the studio’s time zone', async () => {
    const { optIn, run, advanceHours, setJob, setStudio, mails } = await setUp()
    await setStudio({ time_zone: 'America/New_York' })
    // The gallery closes at the end of April 29.
    await setJob({ gallery_closes_at: midnight('2027-04-30') })
    await optIn(['cart'])
    advanceHours(24)
    expect(await run()).toEqual(['Your cart is waiting: Spring Portraits'])
    advanceHours(24 * 11 + 1)
    expect(await run()).toEqual([])
    advanceHours(1)
    expect(await run()).toEqual(['Your cart is waiting until 04/29/2027: Spring Portraits'])
    expect(mails().at(-1)?.text).toContain('The last day to order is 04/29/2027')
  })

  it('the last day to order is mailed even with an empty cart, and replaces the mail that orders close', async () => {
    const { optIn, run, advanceHours, setJob, driver, mails, jobId } = await setUp()
    await setJob({ order_by: '2027-04-29' })
    await optIn(['order-by', 'cart'])
    await driver.request('DELETE', 'cart?orderMethod=gallery')
    advanceHours(24 * 12 + 2)
    expect(await run()).toEqual(['Order by 04/29/2027: Spring Portraits'])
    expect(mails()[0]?.text).toContain(`https://fieldproof.test/riverside/${jobId}\r\n`)
    advanceHours(30)
    expect(await run()).toEqual([])
  })

  it('a prepaid customer is mailed once when the images of the job are online', async () => {
    const { optIn, run, advanceHours, setImages } = await setUpPrepay()
    expect((await optIn(['images-online'])).data.offered).toEqual(['images-online', 'cart'])
    advanceHours(48)
    expect(await run()).toEqual([])
    await setImages(new Date('2027-04-17T00:00:00Z'))
    expect(await run()).toEqual(['New photos: Spring Portraits'])
    advanceHours(48)
    expect(await run()).toEqual([])
  })

  it('no mail is sent after an order from the cart, even one that was enqueued before', async () => {
    const { optIn, run, enqueueDue, sendEnqueued, due, advanceHours, driver, checkout, mails } = await setUp()
    await optIn(['cart', 'order-by'])
    advanceHours(24)
    await enqueueDue()
    expect(due).toHaveLength(1)
    expect(await driver.submit(checkout.submitBody())).toMatchObject({ status: 200 })
    await sendEnqueued()
    advanceHours(24 * 30)
    expect(await run()).toEqual([])
    expect(mails()).toEqual([])
  })

  it('a reminder skipped because the cart was frozen is sent once the cart is open again', async () => {
    const { optIn, run, enqueueDue, sendEnqueued, advanceHours, deps } = await setUp()
    const setState = (state: 'open' | 'frozen') => deps.db.updateTable('carts').set({ state }).execute()
    await optIn(['cart'])
    advanceHours(24)
    await enqueueDue()
    await setState('frozen')
    await sendEnqueued()
    await setState('open')
    expect(await run()).toEqual(['Your cart is waiting: Spring Portraits'])
    expect(await run()).toEqual([])
  })

  it('addresses are deleted a month after the cart was ordered or the opt-in stopped, and no sooner', async () => {
    const { optIn, advanceHours, checkout, driver, deps, request, cartId } = await setUp()
    const addresses = async () =>
      (await deps.db.selectFrom('reminders').select('email').execute()).map(({ email }) => email)
    await optIn(['cart'])
    await purgeReminderAddresses(deps)
    expect(await addresses()).toEqual(['grace@example.com'])
    await request('DELETE', `cart/reminder?cartId=${await cartId()}`)
    advanceHours(24 * 29)
    await purgeReminderAddresses(deps)
    expect(await addresses()).toEqual(['grace@example.com'])
    advanceHours(24 * 2)
    await purgeReminderAddresses(deps)
    expect(await addresses()).toEqual([''])
    await optIn(['cart'])
    expect(await driver.submit(checkout.submitBody())).toMatchObject({ status: 200 })
    advanceHours(24 * 31)
    await purgeReminderAddresses(deps)
    expect(await addresses()).toEqual([''])
  })

  it('no mail is sent while the cart is being paid', async () => {
    const { optIn, run, advanceHours, deps } = await setUp()
    await optIn(['cart'])
    await deps.db.updateTable('carts').set({ state: 'frozen' }).execute()
    advanceHours(48)
    expect(await run()).toEqual([])
  })

  it.each([
    ['is archived', { archived_at: new Date('2027-04-15T11:00:00Z') }],
    ['is taken offline', { published_at: null }],
    ['has closed its orders', { gallery_closes_at: new Date('2027-04-15T12:00:00Z') }],
    ['has closed its gallery', { gallery_expires_on: '2027-04-15' }],
  ])('no mail is sent once the job %s', async (_, columns) => {
    const { optIn, run, advanceHours, setJob } = await setUp()
    await optIn(['cart', 'order-by'])
    await setJob(columns)
    advanceHours(30)
    expect(await run()).toEqual([])
  })

  it('no mail is sent of a kind that the studio has switched off', async () => {
    const { optIn, run, advanceHours, setStudio, request, cartId } = await setUp()
    await optIn(['cart'])
    await setStudio({ reminder_preferences: JSON.stringify({ cart: false }) })
    expect((await request('GET', `cart/reminder?cartId=${await cartId()}`)).data.offered).toEqual([])
    advanceHours(30)
    expect(await run()).toEqual([])
    await setStudio({ reminder_preferences: '{}' })
    expect(await run()).toHaveLength(1)
  })

  it('no mail is sent to a customer who left the session', async () => {
    const { optIn, run, advanceHours, deps, clock } = await setUp()
    await optIn(['cart'])
    await deps.db.updateTable('customer_sessions').set({ finished_at: clock() }).execute()
    advanceHours(30)
    expect(await run()).toEqual([])
  })

  it('two runs at a time and repeated jobs send one mail', async () => {
    const { optIn, enqueueDue, sendEnqueued, due, advanceHours, mails } = await setUp()
    await optIn(['cart'])
    advanceHours(24)
    await Promise.all([enqueueDue(), enqueueDue()])
    expect(due).toHaveLength(1)
    due.push(...due)
    await sendEnqueued()
    expect(mails()).toHaveLength(1)
  })
})
