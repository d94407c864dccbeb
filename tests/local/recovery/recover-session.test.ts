import { describe, expect, it } from 'vitest'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { resumeCart } from '#local/outbox/rejected-mutations.ts'
import { removeLine } from '#local/outbox/undoable-removals.ts'
import { recoverSession, restoreLostAccess } from '#local/recovery/recover-session.ts'
import { saveAccessCode, saveConfirmedSubject, storedStudioId } from '#local/session.ts'
import { jobsWithoutAccess } from '#local/store/job-access.ts'
import { sessionCount } from '#local/store/session-count.ts'
import { type Locks, tabLocks } from '#local/transport/locks.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { createRequest, type RequestFunction } from '#local/transport/request.ts'
import { onlySessionGetsThrough } from '#support/cart-server/model-server.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { add, album, type Device, deluxe, drainFully, frame, gallery, openDevice, view } from '../device-fixture.ts'

describe('a server that forgot this device', () => {
  it('gets the whole cart again, under the same numbers and new ids', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const kept = [await add(device), await add(device, frame), await add(device, deluxe)]
    const sender = device.sender()
    await sender.drain()
    const before = (await view(device)).cart
    const waiting = await add(device)
    await setQuantity(db, stamp, { ...gallery, lineId: kept[2]?.lineId ?? '', quantity: 2 })
    server.deleteSessions()
    await drainFully(device, sender)
    const lineIds = server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)
    expect([...lineIds].sort()).toEqual([...kept, waiting].map((one) => one.lineId).sort())
    const { lines, status, cart, packageCount } = await view(device)
    expect(lines.map((one) => one.number).sort()).toEqual([...kept, waiting].map((one) => one.number).sort())
    expect([status.kind, packageCount]).toEqual(['sent', 5])
    expect(cart.id).not.toBe(before.id)
    expect(server.receivedRequests).toContain('POST /api/customer/session')
    expect(server.receivedRequests).toContain('POST /api/customer/jobs/1/subjects')
  })

  it('is shown the search’s proof of a person again, which their own code does not take away', async () => {
    const { db, server } = await openDevice()
    await saveConfirmedSubject(db, { jobId: 1, subjectId: 7 })
    await saveConfirmedSubject(db, { jobId: 1, subjectId: 8 })
    server.deleteSessions()
    await recoverSession(db, createRequest(server.send))
    expect(server.confirmedSubjectIds()).toEqual([7])
  })

  it('is told all of it, though the codes do not come through after the new session was opened', async () => {
    const device = await openDevice()
    const { db, server } = device
    const { lineId } = await add(device)
    await device.sender().drain()
    server.deleteSessions()
    expect(await recoverSession(db, createRequest(onlySessionGetsThrough(server)))).toEqual({ kind: 'recovered' })
    expect((await db.outbox.toArray()).map((row) => row.lineId)).toEqual([lineId])
    await drainFully(device, device.sender())
    expect(server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toEqual([lineId])
  })

  it('is told nothing between one door and the next: it would refuse that for good', async () => {
    const device = await openDevice()
    const { db, server, stamp } = device
    await add(device)
    await device.sender().drain()
    server.deleteSessions()
    server.rejects = () => server.confirmedSubjectIds().length === 0
    const door = Promise.withResolvers<void>()
    const isAsked = Promise.withResolvers<void>()
    const ask = createRequest(async (letter) => {
      if (!letter.url.endsWith('/subjects')) return await server.send(letter)
      isAsked.resolve()
      await door.promise
      return await server.send(letter)
    })
    const recovering = recoverSession(db, ask, { locks: tabLocks, stamp })
    await isAsked.promise
    const sending = device.sender().drain()
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    door.resolve()
    await Promise.all([recovering, sending])
    await drainFully(device, device.sender())
    expect((await view(device)).refused).toEqual([])
    expect(server.cart(1, 'gallery').cartPackages).toHaveLength(1)
  })

  it('is told of nobody whose door did not come through, though their event’s did', async () => {
    const device = await openDevice()
    const { server } = device
    const { lineId } = await add(device)
    await device.sender().drain()
    server.deleteSessions()
    const ask = createRequest(async (letter) => {
      if (letter.url.endsWith('/subjects')) throw new Error('the line is cut')
      return await server.send(letter)
    })
    expect(await recoverSession(device.db, ask)).toEqual({ kind: 'recovered' })
    await drainFully(device, device.sender())
    expect((await view(device)).refused).toEqual([])
    expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId }])
  })

  it('gets it although answers are lost on the way to recovery', async () => {
    const device = await openDevice()
    const { lineId } = await add(device)
    const sender = device.sender()
    await sender.drain()
    await add(device)
    device.server.faults.push('session-lost', 'cut-after', 'cut-before', 503, 'cut-after', 'cut-after')
    await drainFully(device, sender)
    expect(device.server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)).toContain(lineId)
    expect((await view(device)).lines).toHaveLength(2)
  })

  it('brings back add-ons that only hold each other up', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const { lineId } = await add(device, deluxe, 2)
    await add(device, album)
    await add(device, album)
    const sender = device.sender()
    await sender.drain()
    expect(await setQuantity(db, stamp, { ...gallery, lineId, quantity: 1 })).toMatchObject({ ok: true, dropped: [] })
    await sender.drain()
    server.deleteSessions()
    await setQuantity(db, stamp, { ...gallery, lineId, quantity: 1 })
    await drainFully(device, sender)
    expect(server.cart(1, 'gallery').cartPackages.map((line) => [line.packageId, line.quantity])).toEqual([
      [deluxe.id, 1],
      [album.id, 1],
      [album.id, 1],
    ])
  })

  it('pauses, and says why, only where the code is refused', async () => {
    const device = await openDevice()
    await add(device)
    device.server.deleteSessions()
    device.server.codes.clear()
    const sender = device.sender()
    await drainFully(device, sender, 3)
    const { paused, status, lines } = await view(device)
    expect(paused?.problem).toBe('code-needed')
    expect(status.kind).toBe('attention')
    expect(lines[0]?.refusal).toBeUndefined()
    device.server.codes.set('SPRING2', 1)
    await createRequest(device.server.send)(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING2' } })
    await saveAccessCode(device.db, { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING2' })
    await drainFully(device, sender)
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
  })

  it('is told the codes again when it only forgot those, and nothing is sent twice', async () => {
    const device = await openDevice()
    await add(device)
    const sender = device.sender()
    await sender.drain()
    device.server.deleteSessions()
    await createRequest(device.server.send)(openSession)
    await add(device)
    await drainFully(device, sender)
    expect(device.server.receivedRequests.filter((one) => one.includes('?code='))).toHaveLength(1)
    expect((await view(device)).lines).toHaveLength(2)
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(2)
  })

  it('lets a line be removed that another tab brought to the new session meanwhile', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const { lineId } = await add(device)
    server.deleteSessions()
    const ask = createRequest(server.send)
    // Its turn had come before the recovery began.
    const passed: Locks = { request: (_, work) => work() }
    let isIn = false
    const askSlowly: RequestFunction = async (call, given) => {
      const answer = await ask(call, given)
      // The door is open again and the recovery not yet written down: what the other tab sends now is taken.
      if (server.confirmedSubjectIds().length > 0 && !isIn) {
        isIn = true
        await device.sender(passed).drain()
      }
      return answer
    }
    await recoverSession(db, askSlowly, { locks: tabLocks, stamp })
    expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId }])
    await removeLine(db, stamp, { ...gallery, lineId })
    await drainFully(device, device.sender())
    expect(server.cart(1, 'gallery').cartPackages).toEqual([])
    expect((await view(device)).lines).toEqual([])
  })

  it('is met once, whoever notices it first', async () => {
    const device = await openDevice()
    await add(device)
    device.server.deleteSessions()
    const ask = createRequest(device.server.send)
    const parts = { locks: tabLocks, stamp: device.stamp }
    await Promise.all([recoverSession(device.db, ask, parts), recoverSession(device.db, ask, parts)])
    expect(device.server.receivedRequests.filter((one) => one.endsWith('/session'))).toHaveLength(1)
  })
})

it('takes what answers in the server’s place for no refusal of a code', async () => {
  const device = await openDevice()
  await add(device)
  device.server.deleteSessions()
  const { send: carry } = device.server
  let portals = 2
  device.server.send = (letter) => {
    if (letter.url.includes('?code=') && portals-- > 0) device.server.faults.unshift('portal')
    return carry(letter)
  }
  const sender = device.sender()
  await sender.drain()
  expect((await view(device)).paused).toBeNull()
  await drainFully(device, sender)
  expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
})

describe('what is kept to be shown', () => {
  const partsOf = ({ stamp, dropped }: Device) => ({
    locks: tabLocks,
    stamp,
    sessionChanged: async (jobId: number) => void dropped.push(jobId),
  })

  it('stays until the doors came through, though it is the sender who opens them', async () => {
    const device = await openDevice()
    const { db, server, dropped } = device
    await add(device)
    await device.sender().drain()
    server.deleteSessions()
    expect(await recoverSession(db, createRequest(onlySessionGetsThrough(server)), partsOf(device))).toEqual({
      kind: 'recovered',
    })
    expect(dropped).toEqual([])
    await drainFully(device, device.sender())
    expect(dropped).toEqual([1])
    server.deleteConfirmedSubjects()
    await add(device)
    await drainFully(device, device.sender())
    // The same session: the people are confirmed anew, and nothing of it is of another visit.
    expect([server.confirmedSubjectIds(), dropped]).toEqual([[7], [1]])
  })

  it.each([
    ['a page that meets a shut door', restoreLostAccess, 'open', 'later'],
    ['another tab that was turned away before', recoverSession, 'recovered', 'recovered'],
  ] as const)('goes with the doors of a visit without a cart, which %s opens', async (_, goOn, open, notYet) => {
    const device = await openDevice()
    const { db, server, dropped } = device
    server.deleteSessions()
    const parts = partsOf(device)
    const session = await sessionCount(db)
    expect(await recoverSession(db, createRequest(onlySessionGetsThrough(server)), parts)).toEqual({
      kind: 'recovered',
    })
    const given = { ...parts, session, jobId: 1 }
    expect([(await goOn(db, createRequest(onlySessionGetsThrough(server)), given)).kind, dropped]).toEqual([notYet, []])
    const ask = createRequest(server.send)
    expect(await goOn(db, ask, given)).toEqual({ kind: open })
    expect([server.confirmedSubjectIds(), dropped]).toEqual([[7], [1]])
    server.receivedRequests.length = 0
    expect(await goOn(db, ask, given)).toEqual({ kind: open })
    expect([server.receivedRequests, dropped]).toEqual([[], [1]])
  })

  it('goes where the server takes the code no more', async () => {
    const device = await openDevice()
    const { db, server, dropped } = device
    server.deleteSessions()
    server.codes.clear()
    await recoverSession(db, createRequest(server.send), partsOf(device))
    expect(dropped).toEqual([1])
  })

  it.each([
    ['no answer comes', { codes: ['SPRING'], cut: true }],
    ['the code is refused', { codes: [], cut: false }],
  ])('makes the first package of an event wait where %s, and the sender stop', async (_, { codes, cut }) => {
    const device = await openDevice()
    const { db, server } = device
    server.deleteSessions()
    await recoverSession(db, createRequest(onlySessionGetsThrough(server)), partsOf(device))
    server.codes.clear()
    for (const code of codes) server.codes.set(code, 1)
    await add(device)
    if (cut) server.faults.push('cut-before', 'cut-before', 'cut-before')
    await device.sender().drain()
    expect(server.receivedRequests.filter((one) => one.includes('?code=')).length).toBeLessThan(2)
    expect(await db.sending.toArray()).toMatchObject([cut ? { paused: null, attempts: 1 } : { attempts: 1 }])
    server.faults.length = 0
    server.codes.set('SPRING', 1)
    await resumeCart(db, gallery)
    await drainFully(device, device.sender())
    expect(server.cart(1, 'gallery').cartPackages).toHaveLength(1)
  })
})

describe('a server that forgot whom this device confirmed', () => {
  it('is shown the search’s proof again and takes what it refused, and what rested on that', async () => {
    const device = await openDevice()
    device.server.deleteConfirmedSubjects()
    const { lineId } = await add(device)
    await setQuantity(device.db, device.stamp, { ...gallery, lineId, quantity: 2 })
    const held = await add(device, frame)
    await drainFully(device, device.sender())
    const lines = device.server.cart(1, 'gallery').cartPackages
    expect(lines.map((line) => [line.lineId, line.quantity])).toEqual([
      [lineId, 2],
      [held.lineId, 1],
    ])
    expect((await view(device)).status.kind).toBe('sent')
  })

  it('brings back no line that was taken out in the same breath', async () => {
    const device = await openDevice()
    const { db, server, stamp } = device
    server.deleteConfirmedSubjects()
    const { lineId } = await add(device)
    const kept = await add(device)
    server.faults.push('cut-before')
    await device.sender().drain()
    await removeLine(db, stamp, { ...gallery, lineId })
    await drainFully(device, device.sender())
    expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId: kept.lineId }])
    expect((await view(device)).lines.map(({ line }) => line.lineId)).toEqual([kept.lineId])
  })

  it('leaves it to the customer once it refuses a second time', async () => {
    const device = await openDevice()
    const { db, server } = device
    await db.subjects.update([1, 7], { proof: null })
    server.deleteConfirmedSubjects()
    const { lineId } = await add(device)
    await drainFully(device, device.sender())
    expect((await view(device)).refused).toMatchObject([{ lineId, refusal: { problem: 'grant-needed' } }])
    expect(server.receivedRequests.filter((one) => one.endsWith('/cart/sync'))).toHaveLength(2)
    expect([await jobsWithoutAccess(db), await db.sending.toArray()]).toMatchObject([[], [{ paused: null }]])
  })

  it('leaves it to the customer at once where this device confirmed nobody', async () => {
    const device = await openDevice()
    await device.db.subjects.clear()
    device.server.deleteConfirmedSubjects()
    await add(device)
    await drainFully(device, device.sender())
    expect((await view(device)).refused).toMatchObject([{ refusal: { problem: 'grant-needed' } }])
    expect(device.server.receivedRequests.filter((one) => !one.endsWith('/cart/sync'))).toEqual([])
  })

  it('holds up nothing else, though it takes the code of the one no more', async () => {
    const device = await openDevice()
    const { db, server, stamp } = device
    const kept = await add(device)
    await device.sender().drain()
    await db.subjects.update([1, 7], { proof: null })
    server.deleteConfirmedSubjects()
    server.codes.clear()
    const { lineId } = await add(device)
    await setQuantity(db, stamp, { ...gallery, lineId: kept.lineId, quantity: 3 })
    await drainFully(device, device.sender())
    const { paused, refused } = await view(device)
    expect([paused, refused]).toMatchObject([null, [{ lineId }]])
    expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId: kept.lineId, quantity: 3 }])
  })
})

describe('reading the cart again', () => {
  it('learns what the server did by itself', async () => {
    const device = await openDevice()
    await add(device)
    await device.sender().drain()
    device.server.setState(1, 'gallery', 'frozen')
    const ask = createRequest(device.server.send)
    await refreshCart(device.db, ask, gallery)
    const lineId = (await view(device)).lines[0]?.line.lineId ?? ''
    expect(await removeLine(device.db, device.stamp, { ...gallery, lineId })).toMatchObject({
      problem: 'cart-closed',
      message: 'This cart is being paid for. Wait for that to end before you change it',
    })
    device.server.setState(1, 'gallery', 'open')
    await refreshCart(device.db, ask, gallery)
    expect(await removeLine(device.db, device.stamp, { ...gallery, lineId })).toMatchObject({ ok: true })
  })
})

describe('storedStudioId', () => {
  it('returns the studio of a job whose code is stored, also after a reload', async () => {
    const device = await openDevice()
    expect(await storedStudioId(device.reopen(), 1)).toBe(1)
    expect(await storedStudioId(device.db, 2)).toBeUndefined()
  })
})
