import { describe, expect, it } from 'vitest'
import { tellOpened } from '../../../src/server/find/tell-opened.ts'
import { engines, freshDatabase } from '../../support/database.ts'
import { handClock, testApp, testDeps } from '../../support/server.ts'
import { openShop } from '../carts/shop.ts'

describe.each(engines)('being told when an event opens, on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = handClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const shop = await openShop(deps)
    const set = (columns: object) => deps.db.updateTable('jobs').set(columns).where('id', '=', shop.jobId).execute()
    await set({ prepay_enabled: false, gallery_opens_at: new Date(deps.clock().getTime() + 60_000) })
    const ask = async (body: object, jobId = shop.jobId, remoteAddress = '198.51.100.1') => {
      const url = `/api/customer/jobs/${jobId}/notify-me`
      const answer = await app.inject({ method: 'POST', url, payload: body, remoteAddress })
      return { status: answer.statusCode, ...answer.json() }
    }
    const mails = () =>
      deps.db.selectFrom('mail_log').select(['kind', 'to_email', 'subject']).orderBy('to_email').execute()
    return { deps, ...time, set, ask, mails }
  }

  it('takes an address once, and writes to it once, when orders can be placed', async () => {
    const { deps, advance, ask, mails } = await begin()
    expect(await ask({ email: ' Ada@Example.com ' })).toMatchObject({ status: 200, data: {} })
    expect(await ask({ email: 'ada@example.com' })).toMatchObject({ status: 200, data: {} })
    await tellOpened(deps)
    expect(await mails()).toEqual([])
    advance(61_000)
    await tellOpened(deps)
    await tellOpened(deps)
    expect(await mails()).toEqual([
      { kind: 'event-opened', to_email: 'ada@example.com', subject: 'Spring Portraits is open' },
    ])
  })

  it('waits for the way of ordering that was asked about', async () => {
    const { deps, advance, set, ask, mails } = await begin()
    await ask({ email: 'ada@example.com', orderMethod: 'prepay' })
    advance(61_000)
    await tellOpened(deps)
    expect(await mails()).toEqual([])
    await set({ prepay_enabled: true })
    await tellOpened(deps)
    expect(await mails()).toHaveLength(1)
  })

  it.each([
    ['no address', { email: 'ada@' }, 422],
    ['nothing', {}, 400],
    ['more than was asked for', { email: 'ada@example.com', name: 'Ada' }, 400],
  ])('refuses %s', async (_, body, status) => {
    const { ask } = await begin()
    expect(await ask(body)).toMatchObject({ status })
  })

  it('says that there is no such event, and is nobody’s mailing list', async () => {
    const { ask } = await begin()
    expect(await ask({ email: 'ada@example.com' }, 999_999)).toMatchObject({ status: 404 })
    const many = await Promise.all(Array.from({ length: 70 }, (_, n) => ask({ email: `a${n}@example.com` })))
    expect(many.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(60)
    expect(await ask({ email: 'one-more@example.com' })).toMatchObject({ status: 429 })
    expect(await ask({ email: 'one-more@example.com' }, undefined, '203.0.113.9')).toMatchObject({ status: 200 })
  })
})
