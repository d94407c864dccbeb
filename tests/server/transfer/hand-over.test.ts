import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { getSubject } from '#contract/customer/discovery-calls.ts'
import { getHandOver, postHandOver, redeemHandOver } from '#contract/customer/hand-over.ts'
import { closeSession, openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { readSettings } from '#server/env.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { type CustomerClient, customerClient } from '../discovery/customer-client.ts'
import { seedJobs } from '../discovery/job-fixtures.ts'

const minute = 60_000
const hall = '203.0.113.7'

/** A secret as a device draws it: 22 letters. */
const secretOf = (letter: string) => letter.repeat(22)

const tokenOf = (address: string): string => address.slice(address.indexOf('#') + 1)

describe.each(enginesFor(import.meta.filename))('handing a cart over to another device on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const { spring, ada } = await seedJobs(deps)
    const open = async (code = 'ADALVL') => {
      const parent = customerClient(app, hall)
      await parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code } })
      return parent
    }
    const [first, second] = [await open(), customerClient(app, hall)]
    const params = { jobId: spring.jobId }
    const make = async (by: CustomerClient = first) =>
      (await by.ask(postHandOver, { params, body: { orderMethod: 'gallery' } })).data
    const readStatus = async (by: CustomerClient = first) => (await by.ask(getHandOver, { params })).data
    const take = (by: CustomerClient, address: string, own: { secret?: string; holdsCart?: boolean } = {}) =>
      by.ask(redeemHandOver, { body: { token: tokenOf(address), secret: secretOf('s'), holdsCart: false, ...own } })
    const seesAda = async (by: CustomerClient) =>
      (await by.ask(getSubject, { params: { jobId: spring.jobId, subjectId: ada } })).status
    const fresh = () => customerClient(app, hall)
    return { deps, app, time, spring, first, second, open, make, standing: readStatus, take, seesAda, fresh }
  }

  const gone = {
    status: 404,
    errors: ['This link was used already, or its ten minutes are over. Make a new one on your other device'],
    problem: 'not-found',
  }

  it('the other device joins with a cookie of its own, and both can continue', async () => {
    const { spring, first, second, make, take, seesAda, standing: readStatus } = await begin()
    const made = await make()
    expect(await readStatus()).toEqual({ id: made.id, state: 'waiting' })
    expect(await take(second, made.address)).toEqual({
      status: 200,
      data: { jobId: spring.jobId, studioId: spring.studioId, orderMethod: 'gallery', joined: true },
    })
    expect([await seesAda(first), await seesAda(second)]).toEqual([200, 200])
    expect(second.cookie()).toMatch(/^fieldproof_session=[\w-]{22}$/)
    expect(second.cookie()).not.toBe(first.cookie())
    expect(await readStatus()).toEqual({ id: made.id, state: 'taken' })
    // The other device can hand the cart over, too.
    expect((await make(second)).id).not.toBe(made.id)
  })

  it('the URL contains no names, and the QR code encodes the same URL', async () => {
    const { deps, spring, make } = await begin()
    const { address, qr, expiresAt } = await make()
    expect(address).toMatch(new RegExp(`^http://localhost(:\\d+)?/riverside/${spring.jobId}/continue#[\\w-]{22}$`))
    const { data, info } = await sharp(Buffer.from(qr), { density: 400 })
      .flatten({ background: 'white' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(decodeQR({ width: info.width, height: info.height, data })).toBe(address)
    expect(Date.parse(expiresAt) - deps.clock().getTime()).toBe(10 * minute)
  })

  it('the URL uses the configured public address', async () => {
    const { deps } = await begin()
    const settings = readSettings({ NODE_ENV: 'test', PUBLIC_URL: 'https://fieldproof.test/', SECRET: 's'.repeat(32) })
    const elsewhere = customerClient(await testApp({ ...deps, settings }), hall)
    const code = { params: { slug: 'riverside' }, query: { code: 'SPRING' } }
    const { jobId } = (await elsewhere.ask(redeemCode, code)).data
    const { data } = await elsewhere.ask(postHandOver, { params: { jobId }, body: { orderMethod: 'gallery' } })
    expect(data.address).toContain(`https://fieldproof.test/riverside/${jobId}/continue#`)
  })

  it('token, secret and cookie are stored only as hashes, and the response is not recorded', async () => {
    const { deps, first, second, spring, take } = await begin()
    const key = { 'idempotency-key': 'one-tap' }
    const creation = { params: { jobId: spring.jobId }, body: { orderMethod: 'gallery' }, headers: key }
    const { address } = (await first.ask(postHandOver, creation)).data
    await take(second, address)
    const stored = JSON.stringify([
      await deps.db.selectFrom('hand_overs').selectAll().execute(),
      await deps.db.selectFrom('session_keys').selectAll().execute(),
      await deps.db.selectFrom('idempotency_keys').selectAll().execute(),
    ])
    expect(stored).toContain('one-tap')
    expect([tokenOf(address), secretOf('s'), second.cookie().slice(19)].filter((one) => stored.includes(one))).toEqual(
      [],
    )
  })

  it('a hand-over works once: another device gets the same response as for an unknown token', async () => {
    const { second, make, take, fresh } = await begin()
    const { address } = await make()
    expect((await take(second, address)).status).toBe(200)
    const third = fresh()
    expect(await take(third, address, { secret: secretOf('t') })).toEqual(gone)
    expect(await take(third, `#${'A'.repeat(22)}`)).toEqual(gone)
    expect(third.hasCookie()).toBe(false)
  })

  it('one of two concurrent devices joins', async () => {
    const { make, take, fresh } = await begin()
    const { address } = await make()
    const letters = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(letters.map((letter) => take(fresh(), address, { secret: secretOf(letter) })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
  })

  it('a hand-over is valid for ten minutes or until a new one replaces it', async () => {
    const { make, take, standing: readStatus, time, fresh } = await begin()
    const late = await make()
    time.advance(10 * minute)
    expect(await take(fresh(), late.address)).toEqual(gone)
    expect(await readStatus()).toEqual({ id: late.id, state: 'over' })
    const replaced = await make()
    const newest = await make()
    expect(await take(fresh(), replaced.address)).toEqual(gone)
    time.advance(9 * minute)
    expect((await take(fresh(), newest.address)).status).toBe(200)
  })

  it('the same device gets its cookie again if the response was lost, and no other device does', async () => {
    const { make, take, seesAda, time, fresh } = await begin()
    const { address } = await make()
    const [lost, again] = [fresh(), fresh()]
    expect((await take(lost, address)).status).toBe(200)
    time.advance(15 * minute)
    expect((await take(again, address)).data.joined).toBe(true)
    expect(again.cookie()).toBe(lost.cookie())
    expect(await seesAda(again)).toBe(200)
    expect(await take(fresh(), address, { secret: secretOf('t') })).toEqual(gone)
    time.advance(5 * minute)
    expect(await take(fresh(), address)).toEqual(gone)
  })

  it('a retry gets the cookie although a new hand-over was made and taken meanwhile', async () => {
    const { make, take, seesAda, standing: readStatus, time, fresh } = await begin()
    const { address } = await make()
    const lost = fresh()
    expect((await take(lost, address)).status).toBe(200)
    const next = await make()
    expect(await readStatus()).toEqual({ id: next.id, state: 'waiting' })
    for (const round of ['waiting', 'taken']) {
      const again = fresh()
      expect((await take(again, address)).data.joined).toBe(true)
      expect([round, again.cookie()]).toEqual([round, lost.cookie()])
      expect(await take(fresh(), address, { secret: secretOf('t') })).toEqual(gone)
      const third = await take(fresh(), next.address, { secret: secretOf('u') })
      expect([round, third.status, (await readStatus()).id]).toEqual([round, 200, next.id])
    }
    time.advance(20 * minute)
    await make()
    expect(await take(fresh(), address)).toEqual(gone)
    expect(await seesAda(lost)).toBe(200)
  })

  it('a taken hand-over is deleted once it can no longer be retried', async () => {
    const { deps, make, take, time, fresh } = await begin()
    for (const letter of ['a', 'b', 'c']) await take(fresh(), (await make()).address, { secret: secretOf(letter) })
    time.advance(20 * minute)
    const { id } = await make()
    expect(await deps.db.selectFrom('hand_overs').select('id').execute()).toEqual([{ id }])
  })

  it('concurrent requests leave one open hand-over', async () => {
    const { deps, make } = await begin()
    await Promise.all([make(), make(), make()])
    expect(await deps.db.selectFrom('hand_overs').select('taken_by').execute()).toEqual([{ taken_by: null }])
  })

  it('a device that has joined already does not use it up', async () => {
    const { first, second, make, take } = await begin()
    const { address } = await make()
    expect((await take(first, address, { holdsCart: true })).data.joined).toBe(false)
    expect((await take(second, address)).data.joined).toBe(true)
    expect((await take(second, address)).data.joined).toBe(false)
  })

  it('a device with a cart of its own does not use it up and keeps its cart', async () => {
    const { second, make, take, open, seesAda } = await begin()
    const { address } = await make()
    const own = await open('SPRING')
    const before = own.cookie()
    const refused = { status: 409, errors: ['This device has a cart of its own'], problem: 'own-cart' }
    expect(await take(own, address, { holdsCart: true })).toEqual(refused)
    expect([own.cookie(), await seesAda(own)]).toEqual([before, 403])
    expect((await take(second, address)).status).toBe(200)
    // Without a cart of its own the device joins the other session.
    const next = await make()
    expect((await take(own, next.address, { secret: secretOf('n') })).data.joined).toBe(true)
    expect(await seesAda(own)).toBe(200)
  })

  it('finishing on one device leaves the others, and the last one ends the session', async () => {
    const { deps, app, first, second, make, take, seesAda, open } = await begin()
    await take(second, (await make()).address)
    const cookies = [first.cookie(), second.cookie()]
    await first.ask(closeSession)
    expect(await seesAda(second)).toBe(200)
    const live = () => deps.db.selectFrom('customer_sessions').select('id').where('finished_at', 'is', null).execute()
    expect(await live()).toHaveLength(1)
    await second.ask(closeSession)
    expect(await live()).toHaveLength(0)
    for (const cookie of cookies) expect(await seesAda(customerClient(app, hall, cookie))).toBe(401)
    expect(await seesAda(await open())).toBe(200)
  })

  it('finishing a device revokes its open hand-overs', async () => {
    const { first, second, make, take, standing: readStatus, fresh } = await begin()
    const { id, address: taken } = await make()
    await take(second, taken)
    const { address } = await make()
    await first.ask(closeSession)
    expect(await take(fresh(), address)).toEqual(gone)
    expect(await readStatus(second)).toEqual({ id, state: 'taken' })
  })

  it('a hand-over of an ended session does not work', async () => {
    const { deps, make, take, fresh } = await begin()
    const { address } = await make()
    await deps.db.updateTable('customer_sessions').set({ expires_at: deps.clock() }).execute()
    expect(await take(fresh(), address)).toEqual(gone)
  })

  it('guessing tokens is delayed like guessing codes', async () => {
    const { deps, take, fresh } = await begin()
    const guesser = fresh()
    await guesser.ask(openSession)
    const waited: number[] = []
    for (let guess = 0; guess < 12; guess += 1) {
      const before = deps.clock().getTime()
      const token = `${guess}`.padStart(22, 'A')
      expect(await take(guesser, `#${token}`)).toEqual(gone)
      waited.push(deps.clock().getTime() - before)
    }
    expect(waited).toEqual([...Array(10).fill(50), 2_000, 2_000])
  })
})
