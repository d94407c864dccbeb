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
const hallIp = '203.0.113.7'

/** A secret as a device draws it: 22 letters. */
const makeSecret = (letter: string) => letter.repeat(22)

const readToken = (address: string): string => address.slice(address.indexOf('#') + 1)

describe.each(enginesFor(import.meta.filename))('handing a cart over to another device on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const { spring, ada } = await seedJobs(deps)
    const enter = async (code = 'ADALVL') => {
      const customer = customerClient(app, hallIp)
      await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code } })
      return customer
    }
    const [first, second] = [await enter(), customerClient(app, hallIp)]
    const params = { jobId: spring.jobId }
    const createHandOver = async (client: CustomerClient = first) =>
      (await client.request(postHandOver, { params, body: { orderMethod: 'gallery' } })).data
    const readStatus = async (client: CustomerClient = first) => (await client.request(getHandOver, { params })).data
    const redeem = (
      client: CustomerClient,
      address: string,
      overrides: { secret?: string; holdsCart?: boolean } = {},
    ) =>
      client.request(redeemHandOver, {
        body: { token: readToken(address), secret: makeSecret('s'), holdsCart: false, ...overrides },
      })
    const seesAda = async (client: CustomerClient) =>
      (await client.request(getSubject, { params: { jobId: spring.jobId, subjectId: ada } })).status
    const newDevice = () => customerClient(app, hallIp)
    return { deps, app, time, spring, first, second, enter, createHandOver, readStatus, redeem, seesAda, newDevice }
  }

  const notFound = {
    status: 404,
    errors: ['This link was used already, or its ten minutes are over. Make a new one on your other device'],
    problem: 'not-found',
  }

  it('the other device joins with a cookie of its own, and both can continue', async () => {
    const { spring, first, second, createHandOver, redeem, seesAda, readStatus } = await setUp()
    const created = await createHandOver()
    expect(await readStatus()).toEqual({ id: created.id, state: 'waiting' })
    expect(await redeem(second, created.address)).toEqual({
      status: 200,
      data: { jobId: spring.jobId, studioId: spring.studioId, orderMethod: 'gallery', joined: true },
    })
    expect([await seesAda(first), await seesAda(second)]).toEqual([200, 200])
    expect(second.cookie()).toMatch(/^fieldproof_session=[\w-]{22}$/)
    expect(second.cookie()).not.toBe(first.cookie())
    expect(await readStatus()).toEqual({ id: created.id, state: 'taken' })
    // The other device can hand the cart over, too.
    expect((await createHandOver(second)).id).not.toBe(created.id)
  })

  it('the URL contains only slug, job and token, the QR code encodes the same URL, and both expire after ten minutes', async () => {
    const { deps, spring, createHandOver } = await setUp()
    const { address, qr, expiresAt } = await createHandOver()
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
    const { deps } = await setUp()
    const settings = readSettings({ NODE_ENV: 'test', PUBLIC_URL: 'https://fieldproof.test/', SECRET: 's'.repeat(32) })
    const otherClient = customerClient(await testApp({ ...deps, settings }), hallIp)
    const code = { params: { slug: 'riverside' }, query: { code: 'SPRING' } }
    const { jobId } = (await otherClient.request(redeemCode, code)).data
    const { data } = await otherClient.request(postHandOver, { params: { jobId }, body: { orderMethod: 'gallery' } })
    expect(data.address).toContain(`https://fieldproof.test/riverside/${jobId}/continue#`)
  })

  it('token, secret and cookie are stored only as hashes, and the response is not recorded', async () => {
    const { deps, first, second, spring, redeem } = await setUp()
    const key = { 'idempotency-key': 'one-tap' }
    const createRequest = { params: { jobId: spring.jobId }, body: { orderMethod: 'gallery' }, headers: key }
    const { address } = (await first.request(postHandOver, createRequest)).data
    await redeem(second, address)
    const storedRows = JSON.stringify([
      await deps.db.selectFrom('hand_overs').selectAll().execute(),
      await deps.db.selectFrom('session_keys').selectAll().execute(),
      await deps.db.selectFrom('idempotency_keys').selectAll().execute(),
    ])
    expect(storedRows).toContain('one-tap')
    expect(
      [readToken(address), makeSecret('s'), second.cookie().slice(19)].filter((secret) => storedRows.includes(secret)),
    ).toEqual([])
  })

  it('a hand-over works once: another device gets the same response as for an unknown token', async () => {
    const { second, createHandOver, redeem, newDevice } = await setUp()
    const { address } = await createHandOver()
    expect((await redeem(second, address)).status).toBe(200)
    const third = newDevice()
    expect(await redeem(third, address, { secret: makeSecret('t') })).toEqual(notFound)
    expect(await redeem(third, `#${'A'.repeat(22)}`)).toEqual(notFound)
    expect(third.hasCookie()).toBe(false)
  })

  it('only one of four concurrent devices joins', async () => {
    const { createHandOver, redeem, newDevice } = await setUp()
    const { address } = await createHandOver()
    const letters = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(
      letters.map((letter) => redeem(newDevice(), address, { secret: makeSecret(letter) })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
  })

  it('a hand-over is valid for ten minutes or until a new one replaces it', async () => {
    const { createHandOver, redeem, readStatus, time, newDevice } = await setUp()
    const expired = await createHandOver()
    time.advance(10 * minute)
    expect(await redeem(newDevice(), expired.address)).toEqual(notFound)
    expect(await readStatus()).toEqual({ id: expired.id, state: 'over' })
    const replaced = await createHandOver()
    const newest = await createHandOver()
    expect(await redeem(newDevice(), replaced.address)).toEqual(notFound)
    time.advance(9 * minute)
    expect((await redeem(newDevice(), newest.address)).status).toBe(200)
  })

  it('the same device gets its cookie again if the response was lost, and no other device does', async () => {
    const { createHandOver, redeem, seesAda, time, newDevice } = await setUp()
    const { address } = await createHandOver()
    const [device, retryingDevice] = [newDevice(), newDevice()]
    expect((await redeem(device, address)).status).toBe(200)
    time.advance(15 * minute)
    expect((await redeem(retryingDevice, address)).data.joined).toBe(true)
    expect(retryingDevice.cookie()).toBe(device.cookie())
    expect(await seesAda(retryingDevice)).toBe(200)
    expect(await redeem(newDevice(), address, { secret: makeSecret('t') })).toEqual(notFound)
    time.advance(5 * minute)
    expect(await redeem(newDevice(), address)).toEqual(notFound)
  })

  it('a retry gets the cookie although a new hand-over was made and taken meanwhile', async () => {
    const { createHandOver, redeem, seesAda, readStatus, time, newDevice } = await setUp()
    const { address } = await createHandOver()
    const device = newDevice()
    expect((await redeem(device, address)).status).toBe(200)
    const next = await createHandOver()
    expect(await readStatus()).toEqual({ id: next.id, state: 'waiting' })
    for (const round of ['waiting', 'taken']) {
      const retryingDevice = newDevice()
      expect((await redeem(retryingDevice, address)).data.joined).toBe(true)
      expect([round, retryingDevice.cookie()]).toEqual([round, device.cookie()])
      expect(await redeem(newDevice(), address, { secret: makeSecret('t') })).toEqual(notFound)
      const third = await redeem(newDevice(), next.address, { secret: makeSecret('u') })
      expect([round, third.status, (await readStatus()).id]).toEqual([round, 200, next.id])
    }
    time.advance(20 * minute)
    await createHandOver()
    expect(await redeem(newDevice(), address)).toEqual(notFound)
    expect(await seesAda(device)).toBe(200)
  })

  it('a redeemed hand-over is deleted once it can no longer be retried', async () => {
    const { deps, createHandOver, redeem, time, newDevice } = await setUp()
    for (const letter of ['a', 'b', 'c'])
      await redeem(newDevice(), (await createHandOver()).address, { secret: makeSecret(letter) })
    time.advance(20 * minute)
    const { id } = await createHandOver()
    expect(await deps.db.selectFrom('hand_overs').select('id').execute()).toEqual([{ id }])
  })

  it('concurrent requests leave one open hand-over', async () => {
    const { deps, createHandOver } = await setUp()
    await Promise.all([createHandOver(), createHandOver(), createHandOver()])
    expect(await deps.db.selectFrom('hand_overs').select('taken_by').execute()).toEqual([{ taken_by: null }])
  })

  it('a device that has joined already does not redeem a hand-over', async () => {
    const { first, second, createHandOver, redeem } = await setUp()
    const { address } = await createHandOver()
    expect((await redeem(first, address, { holdsCart: true })).data.joined).toBe(false)
    expect((await redeem(second, address)).data.joined).toBe(true)
    expect((await redeem(second, address)).data.joined).toBe(false)
  })

  it('a device with a cart of its own does not redeem a hand-over and keeps its cart', async () => {
    const { second, createHandOver, redeem, enter, seesAda } = await setUp()
    const { address } = await createHandOver()
    const deviceWithCart = await enter('SPRING')
    const before = deviceWithCart.cookie()
    const refused = { status: 409, errors: ['This device has a cart of its own'], problem: 'own-cart' }
    expect(await redeem(deviceWithCart, address, { holdsCart: true })).toEqual(refused)
    expect([deviceWithCart.cookie(), await seesAda(deviceWithCart)]).toEqual([before, 403])
    expect((await redeem(second, address)).status).toBe(200)
    // Without a cart of its own the device joins the other session.
    const next = await createHandOver()
    expect((await redeem(deviceWithCart, next.address, { secret: makeSecret('n') })).data.joined).toBe(true)
    expect(await seesAda(deviceWithCart)).toBe(200)
  })

  it('finishing on one device leaves the others, and the last one ends the session', async () => {
    const { deps, app, first, second, createHandOver, redeem, seesAda, enter } = await setUp()
    await redeem(second, (await createHandOver()).address)
    const cookies = [first.cookie(), second.cookie()]
    await first.request(closeSession)
    expect(await seesAda(second)).toBe(200)
    const listLiveSessions = () =>
      deps.db.selectFrom('customer_sessions').select('id').where('finished_at', 'is', null).execute()
    expect(await listLiveSessions()).toHaveLength(1)
    await second.request(closeSession)
    expect(await listLiveSessions()).toHaveLength(0)
    for (const cookie of cookies) expect(await seesAda(customerClient(app, hallIp, cookie))).toBe(401)
    expect(await seesAda(await enter())).toBe(200)
  })

  it('finishing a device revokes its open hand-overs', async () => {
    const { first, second, createHandOver, redeem, readStatus, newDevice } = await setUp()
    const { id, address: takenAddress } = await createHandOver()
    await redeem(second, takenAddress)
    const { address } = await createHandOver()
    await first.request(closeSession)
    expect(await redeem(newDevice(), address)).toEqual(notFound)
    expect(await readStatus(second)).toEqual({ id, state: 'taken' })
  })

  it('a hand-over of an expired session does not work', async () => {
    const { deps, createHandOver, redeem, newDevice } = await setUp()
    const { address } = await createHandOver()
    await deps.db.updateTable('customer_sessions').set({ expires_at: deps.clock() }).execute()
    expect(await redeem(newDevice(), address)).toEqual(notFound)
  })

  it('guessing tokens is delayed like guessing codes', async () => {
    const { deps, redeem, newDevice } = await setUp()
    const guesser = newDevice()
    await guesser.request(openSession)
    const delays: number[] = []
    for (let guess = 0; guess < 12; guess += 1) {
      const before = deps.clock().getTime()
      const token = `${guess}`.padStart(22, 'A')
      expect(await redeem(guesser, `#${token}`)).toEqual(notFound)
      delays.push(deps.clock().getTime() - before)
    }
    expect(delays).toEqual([...Array(10).fill(50), 2_000, 2_000])
  })
})
