import { describe, expect, it } from 'vitest'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { resumeCart } from '#local/outbox/rejected-mutations.ts'
import { removeLine } from '#local/outbox/undoable-removals.ts'
import { recoverSession, restoreLostAccess } from '#local/recovery/recover-session.ts'
import { saveAccessCode, saveConfirmedSubject, storedStudioId } from '#local/session.ts'
import { sessionCount } from '#local/store/device-entries.ts'
import { jobsWithoutAccess } from '#local/store/job-access.ts'
import { type Locks, tabLocks } from '#local/transport/locks.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { createRequest, type RequestFunction } from '#local/transport/request.ts'
import { onlySessionGetsThrough } from '#support/cart-server/model-server.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { add, album, type Device, deluxe, drainFully, frame, gallery, openDevice, view } from '../device-fixture.ts'

describe('a server that lost the session', () => {
  it('gets the complete cart again as a new cart, with the same line ids and line numbers', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const confirmedLines = [await add(device), await add(device, frame), await add(device, deluxe)]
    const sender = device.sender()
    await sender.drain()
    const before = (await view(device)).cart
    const unsentLine = await add(device)
    await setQuantity(db, stamp, { ...gallery, lineId: confirmedLines[2]?.lineId ?? '', quantity: 2 })
    server.deleteSessions()
    await drainFully(device, sender)
    const lineIds = server.cart(1, 'gallery').cartPackages.map((line) => line.lineId)
    expect([...lineIds].sort()).toEqual([...confirmedLines, unsentLine].map((line) => line.lineId).sort())
    const { lines, status, cart, packageCount } = await view(device)
    expect(lines.map((line) => line.number).sort()).toEqual(
      [...confirmedLines, unsentLine].map((line) => line.number).sort(),
    )
    expect([status.kind, packageCount]).toEqual(['sent', 5])
    expect(cart.id).not.toBe(before.id)
    expect(server.receivedRequests).toContain('POST /api/customer/session')
    expect(server.receivedRequests).toContain('POST /api/customer/jobs/1/subjects')
  })

  it('gets the stored search token of a subject even if the subject was confirmed again without a token', async () => {
    const { db, server } = await openDevice()
    await saveConfirmedSubject(db, { jobId: 1, subjectId: 7 })
    await saveConfirmedSubject(db, { jobId: 1, subjectId: 8 })
    server.deleteSessions()
    await recoverSession(db, createRequest(server.send))
    expect(server.confirmedSubjectIds()).toEqual([7])
  })

  it('receives the cart later if only the new session could be opened, and no code arrived', async () => {
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

  it('receives no mutation from another tab before the recovery has confirmed the subjects', async () => {
    const device = await openDevice()
    const { db, server, stamp } = device
    await add(device)
    await device.sender().drain()
    server.deleteSessions()
    server.rejects = () => server.confirmedSubjectIds().length === 0
    const subjectsResponse = Promise.withResolvers<void>()
    const subjectsRequested = Promise.withResolvers<void>()
    const ask = createRequest(async (request) => {
      if (!request.url.endsWith('/subjects')) return await server.send(request)
      subjectsRequested.resolve()
      await subjectsResponse.promise
      return await server.send(request)
    })
    const recovering = recoverSession(db, ask, { locks: tabLocks, stamp })
    await subjectsRequested.promise
    const sending = device.sender().drain()
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    subjectsResponse.resolve()
    await Promise.all([recovering, sending])
    await drainFully(device, device.sender())
    expect((await view(device)).rejected).toEqual([])
    expect(server.cart(1, 'gallery').cartPackages).toHaveLength(1)
  })

  it('receives no mutation that it would reject while only the access to the job is restored', async () => {
    const device = await openDevice()
    const { server } = device
    const { lineId } = await add(device)
    await device.sender().drain()
    server.deleteSessions()
    const ask = createRequest(async (request) => {
      if (request.url.endsWith('/subjects')) throw new Error('the connection was lost')
      return await server.send(request)
    })
    expect(await recoverSession(device.db, ask)).toEqual({ kind: 'recovered' })
    await drainFully(device, device.sender())
    expect((await view(device)).rejected).toEqual([])
    expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId }])
  })

  it('gets the complete cart although responses are lost during the recovery', async () => {
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

  it('gets back add-ons that reach their minimum price only through each other', async () => {
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

  it('receives a cart that a rejected access code paused, once another code is entered', async () => {
    const device = await openDevice()
    await add(device)
    device.server.deleteSessions()
    device.server.codes.clear()
    const sender = device.sender()
    await drainFully(device, sender, 3)
    const { paused, status, lines } = await view(device)
    expect(paused?.problem).toBe('code-needed')
    expect(status.kind).toBe('attention')
    expect(lines[0]?.rejection).toBeUndefined()
    device.server.codes.set('SPRING2', 1)
    await createRequest(device.server.send)(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING2' } })
    await saveAccessCode(device.db, { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING2' })
    await drainFully(device, sender)
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
  })

  it('receives the code once if the new session has no access yet, and each line once', async () => {
    const device = await openDevice()
    await add(device)
    const sender = device.sender()
    await sender.drain()
    device.server.deleteSessions()
    await createRequest(device.server.send)(openSession)
    await add(device)
    await drainFully(device, sender)
    expect(device.server.receivedRequests.filter((url) => url.includes('?code='))).toHaveLength(1)
    expect((await view(device)).lines).toHaveLength(2)
    expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(2)
  })

  it('accepts the removal of a line that another tab sent in the new session', async () => {
    const device = await openDevice()
    const { db, stamp, server } = device
    const { lineId } = await add(device)
    server.deleteSessions()
    const ask = createRequest(server.send)
    // The other tab's sender passed the lock before the recovery began.
    const passedLocks: Locks = { request: (_, work) => work() }
    let hasSent = false
    const askSlowly: RequestFunction = async (call, input) => {
      const answer = await ask(call, input)
      // Access is restored but the recovery is not stored yet: what the other tab sends now is accepted.
      if (server.confirmedSubjectIds().length > 0 && !hasSent) {
        hasSent = true
        await device.sender(passedLocks).drain()
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

  it('gets one request for a new session even if two tabs start the recovery at the same time', async () => {
    const device = await openDevice()
    await add(device)
    device.server.deleteSessions()
    const ask = createRequest(device.server.send)
    const deps = { locks: tabLocks, stamp: device.stamp }
    await Promise.all([recoverSession(device.db, ask, deps), recoverSession(device.db, ask, deps)])
    expect(device.server.receivedRequests.filter((url) => url.endsWith('/session'))).toHaveLength(1)
  })
})

it('the response of a captive portal does not count as a rejected code', async () => {
  const device = await openDevice()
  await add(device)
  device.server.deleteSessions()
  const { send: originalSend } = device.server
  let portals = 2
  device.server.send = (request) => {
    if (request.url.includes('?code=') && portals-- > 0) device.server.faults.unshift('portal')
    return originalSend(request)
  }
  const sender = device.sender()
  await sender.drain()
  expect((await view(device)).paused).toBeNull()
  await drainFully(device, sender)
  expect(device.server.cart(1, 'gallery').cartPackages).toHaveLength(1)
})

const depsOf = ({ stamp, dropped }: Device) => ({
  locks: tabLocks,
  stamp,
  sessionChanged: async (jobId: number) => void dropped.push(jobId),
})

describe('cached responses of a job', () => {
  it('are dropped when the sender restores access in a new session, and not before', async () => {
    const device = await openDevice()
    const { db, server, dropped } = device
    await add(device)
    await device.sender().drain()
    server.deleteSessions()
    expect(await recoverSession(db, createRequest(onlySessionGetsThrough(server)), depsOf(device))).toEqual({
      kind: 'recovered',
    })
    expect(dropped).toEqual([])
    await drainFully(device, device.sender())
    expect(dropped).toEqual([1])
    server.deleteConfirmedSubjects()
    await add(device)
    await drainFully(device, device.sender())
    // The session is the same: the subjects are confirmed again, and the cached responses are still valid.
    expect([server.confirmedSubjectIds(), dropped]).toEqual([[7], [1]])
  })

  it.each([
    ['a page without access', restoreLostAccess, 'open', 'later'],
    ['another tab whose recovery failed before', recoverSession, 'recovered', 'recovered'],
  ] as const)(
    'are dropped when the access of a session without a cart is restored by %s',
    async (_, restore, restoredKind, failedKind) => {
      const device = await openDevice()
      const { db, server, dropped } = device
      server.deleteSessions()
      const deps = depsOf(device)
      const session = await sessionCount(db)
      expect(await recoverSession(db, createRequest(onlySessionGetsThrough(server)), deps)).toEqual({
        kind: 'recovered',
      })
      const input = { ...deps, session, jobId: 1 }
      expect([(await restore(db, createRequest(onlySessionGetsThrough(server)), input)).kind, dropped]).toEqual([
        failedKind,
        [],
      ])
      const ask = createRequest(server.send)
      expect(await restore(db, ask, input)).toEqual({ kind: restoredKind })
      expect([server.confirmedSubjectIds(), dropped]).toEqual([[7], [1]])
      server.receivedRequests.length = 0
      expect(await restore(db, ask, input)).toEqual({ kind: restoredKind })
      expect([server.receivedRequests, dropped]).toEqual([[], [1]])
    },
  )

  it('are dropped if the server no longer accepts the code', async () => {
    const device = await openDevice()
    const { db, server, dropped } = device
    server.deleteSessions()
    server.codes.clear()
    await recoverSession(db, createRequest(server.send), depsOf(device))
    expect(dropped).toEqual([1])
  })
})

it.each([
  ['no response arrives', { codes: ['SPRING'], cut: true }],
  ['the code is rejected', { codes: [], cut: false }],
])('the first package of a job without access waits, without repeated requests, if %s', async (_, { codes, cut }) => {
  const device = await openDevice()
  const { db, server } = device
  server.deleteSessions()
  await recoverSession(db, createRequest(onlySessionGetsThrough(server)), depsOf(device))
  server.codes.clear()
  for (const code of codes) server.codes.set(code, 1)
  await add(device)
  if (cut) server.faults.push('cut-before', 'cut-before', 'cut-before')
  await device.sender().drain()
  expect(server.receivedRequests.filter((url) => url.includes('?code=')).length).toBeLessThan(2)
  expect(await db.sending.toArray()).toMatchObject([cut ? { paused: null, attempts: 1 } : { attempts: 1 }])
  server.faults.length = 0
  server.codes.set('SPRING', 1)
  await resumeCart(db, gallery)
  await drainFully(device, device.sender())
  expect(server.cart(1, 'gallery').cartPackages).toHaveLength(1)
})

describe('a server that lost the confirmed subjects', () => {
  it('gets the search token again, and then accepts the rejected line and its dependent changes', async () => {
    const device = await openDevice()
    device.server.deleteConfirmedSubjects()
    const { lineId } = await add(device)
    await setQuantity(device.db, device.stamp, { ...gallery, lineId, quantity: 2 })
    const dependentLine = await add(device, frame)
    await drainFully(device, device.sender())
    const lines = device.server.cart(1, 'gallery').cartPackages
    expect(lines.map((line) => [line.lineId, line.quantity])).toEqual([
      [lineId, 2],
      [dependentLine.lineId, 1],
    ])
    expect((await view(device)).status.kind).toBe('sent')
  })

  it('does not get a line that was removed before the retry', async () => {
    const device = await openDevice()
    const { db, server, stamp } = device
    server.deleteConfirmedSubjects()
    const { lineId } = await add(device)
    const remainingLine = await add(device)
    server.faults.push('cut-before')
    await device.sender().drain()
    await removeLine(db, stamp, { ...gallery, lineId })
    await drainFully(device, device.sender())
    expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId: remainingLine.lineId }])
    expect((await view(device)).lines.map(({ line }) => line.lineId)).toEqual([remainingLine.lineId])
  })

  it('rejects a line twice, and then the customer decides', async () => {
    const device = await openDevice()
    const { db, server } = device
    await db.subjects.update([1, 7], { proof: null })
    server.deleteConfirmedSubjects()
    const { lineId } = await add(device)
    await drainFully(device, device.sender())
    expect((await view(device)).rejected).toMatchObject([{ lineId, rejection: { problem: 'grant-needed' } }])
    expect(server.receivedRequests.filter((url) => url.endsWith('/cart/sync'))).toHaveLength(2)
    expect([await jobsWithoutAccess(db), await db.sending.toArray()]).toMatchObject([[], [{ paused: null }]])
  })

  it('rejects a line once, and the customer decides, if this device confirmed no subject', async () => {
    const device = await openDevice()
    await device.db.subjects.clear()
    device.server.deleteConfirmedSubjects()
    await add(device)
    await drainFully(device, device.sender())
    expect((await view(device)).rejected).toMatchObject([{ rejection: { problem: 'grant-needed' } }])
    expect(device.server.receivedRequests.filter((url) => !url.endsWith('/cart/sync'))).toEqual([])
  })

  it('still accepts changes to other lines if it no longer accepts the job’s access code', async () => {
    const device = await openDevice()
    const { db, server, stamp } = device
    const existingLine = await add(device)
    await device.sender().drain()
    await db.subjects.update([1, 7], { proof: null })
    server.deleteConfirmedSubjects()
    server.codes.clear()
    const { lineId } = await add(device)
    await setQuantity(db, stamp, { ...gallery, lineId: existingLine.lineId, quantity: 3 })
    await drainFully(device, device.sender())
    const { paused, rejected } = await view(device)
    expect([paused, rejected]).toMatchObject([null, [{ lineId }]])
    expect(server.cart(1, 'gallery').cartPackages).toMatchObject([{ lineId: existingLine.lineId, quantity: 3 }])
  })
})

describe('refreshing the cart', () => {
  it('makes the cart read-only while the server has frozen it for a payment', async () => {
    const device = await openDevice()
    await add(device)
    await device.sender().drain()
    device.server.setState(1, 'gallery', 'frozen')
    const ask = createRequest(device.server.send)
    await refreshCart(device.db, ask, gallery)
    const lineId = (await view(device)).lines[0]?.line.lineId ?? ''
    expect(await removeLine(device.db, device.stamp, { ...gallery, lineId })).toMatchObject({
      problem: 'cart-closed',
      message: 'This cart is being paid for. You can’t change it until the payment is finished',
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
