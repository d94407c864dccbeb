import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import type { ServiceSnapshot } from '#domain/cart/order-service-types.ts'
import { readCart } from '#local/cart.ts'
import { recovery } from '#local/recovery/recovery.ts'
import { saveAccessCode, saveConfirmedSubject } from '#local/session.ts'
import { type LocalDatabase, openLocalDatabase } from '#local/store/database.ts'
import type { CartKey } from '#local/store/rows.ts'
import { type Locks, tabLocks } from '#local/transport/locks.ts'
import { createRequest } from '#local/transport/request.ts'
import type { Sender } from '#local/transport/send-loop.ts'
import { createSender } from '#local/transport/sender.ts'
import type { ModelJob } from '#support/cart-server/model-job.ts'
import { createModelServer, type ModelServer, searchProofOf } from '#support/cart-server/model-server.ts'
import { addLine } from '#support/device/add-line.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { addOn, customField, noContent, packageOf, snapshotOf } from '../domain/cart/cart-fixtures.ts'
import {
  basicRetouch,
  nameService,
  plainService,
  premiumRetouch,
  serviceSnapshotOf,
} from '../domain/cart/order-service-fixtures.ts'

export const gallery = { jobId: 1, orderMethod: 'gallery' } as const
/** The prepay cart, whose subjects have the custom field Grade. */
export const prepay = { jobId: 1, orderMethod: 'prepay' } as const

export const portrait = packageOf({ id: 100, name: 'Portrait' })
export const deluxe = packageOf({ id: 101, name: 'Deluxe', retailCost: 40 })
export const frame = addOn(200, {})
export const album = addOn(201, { type: 'addon_price', requiredMinPrice: 50, requiresStandard: false }, 12)
export const offered = [portrait, deluxe, frame, album]

/** Basic retouching is sold per subject here, premium retouching per image. */
const serviceSnapshots = [
  serviceSnapshotOf(basicRetouch),
  serviceSnapshotOf(premiumRetouch, { imageLevelService: true }),
  serviceSnapshotOf(nameService),
  serviceSnapshotOf(plainService),
]

const serviceSnapshot = (orderServiceId: number): ServiceSnapshot | null =>
  serviceSnapshots.find(({ service }) => service.orderServiceId === orderServiceId) ?? null

const grade = customField({ name: 'Grade', label: 'Grade' })

/** The job SPRING: the studio lists Ada and Ben, and other subjects are typed in before picture day. */
export const spring: ModelJob = {
  ...{ jobId: 1, studioId: 1, slug: 'riverside', fields: [grade], service: serviceSnapshot },
  subjects: [
    { subjectId: 7, personId: null, firstName: 'Ada', lastName: 'Lovelace', imageIds: [2, 5, 501, 502] },
    { subjectId: 8, personId: null, firstName: 'Ben', lastName: 'Lovell', imageIds: [503] },
  ],
  package: (id, version) =>
    offered.find((candidate) => candidate.id === id && candidate.version === version) ??
    offered.find((candidate) => candidate.id === id) ??
    null,
}

export type Device = {
  db: LocalDatabase
  server: ModelServer
  stamp: Stamp
  /** The device's clock, in milliseconds; move it forward to end waits. */
  time: { now: number }
  /** The jobs for which a sender called `sessionChanged`, after which the app drops their cached responses. */
  dropped: number[]
  /** Creates a sender. `locks` replaces the shared locks, for a sender that has already acquired them. */
  sender: (locks?: Locks) => Sender
  /** Opens a new connection to the same database, as after a crash. */
  reopen: () => LocalDatabase
  /** The database as another tab opens it. */
  anotherTab: () => LocalDatabase
}

let devices = 0

const countingStamp = (): Stamp => {
  let count = 0
  const device = (++devices).toString(16).padStart(8, '0')
  return {
    now: () => '2027-04-01T10:00:00.000Z',
    newId: () => `${device}-0000-4000-8000-${(++count).toString(16).padStart(12, '0')}`,
  }
}

/** A phone without data. `random`: the random numbers of the back-off. */
const emptyDevice = (server: ModelServer, random: () => number = () => 0.5): Device => {
  const indexedDb = { indexedDB: new IDBFactory(), IDBKeyRange }
  const device: Device = {
    db: openLocalDatabase('cart', indexedDb),
    server,
    stamp: countingStamp(),
    dropped: [],
    time: { now: Date.UTC(2027, 3, 1, 10) },
    sender: (locks = tabLocks) =>
      createSender({
        db: device.db,
        ask: createRequest(server.send),
        locks,
        clock: () => device.time.now,
        random,
        timers: { after: () => () => {} },
        stamp: device.stamp,
        loadRecovery: async () => recovery,
        sessionChanged: async (jobId) => void device.dropped.push(jobId),
      }),
    reopen: () => {
      device.db.close()
      device.db = openLocalDatabase('cart', indexedDb)
      return device.db
    },
    anotherTab: () => openLocalDatabase('cart', indexedDb),
  }
  return device
}

/** Another phone of the same session, or the same phone after its browser deleted everything but the cookie. */
export const openSecondDevice = ({ server }: Device): Device => emptyDevice(server)

/** A phone that redeemed the code SPRING and confirmed Ada, with its model server. */
export const openDevice = async (random?: () => number): Promise<Device> => {
  const server = createModelServer(spring)
  const device = emptyDevice(server, random)
  await saveAccessCode(device.db, {
    studioSlug: 'riverside',
    studioId: 1,
    jobId: 1,
    code: 'SPRING',
  })
  await saveConfirmedSubject(device.db, { jobId: 1, subjectId: 7, proof: searchProofOf(7) })
  const ask = createRequest(server.send)
  await ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
  await ask(confirmSubject, { params: { jobId: 1 }, body: { subjectId: 7, proof: searchProofOf(7) } })
  server.receivedRequests.length = 0
  return device
}

/** Adds a package for Ada to a cart; throws if it is rejected. */
export const addTo = async ({ db, stamp }: Device, key: CartKey, { packageVersion = portrait, quantity = 1 } = {}) => {
  const snapshot = snapshotOf(packageVersion)
  const subjectKey = { subjectId: 7, personId: null }
  const added = await addLine(db, stamp, { ...key, ...subjectKey, snapshot, quantity, content: noContent })
  if (!added.ok) throw new Error(`not added: ${added.problem}`)
  return added
}

/** Adds a package for Ada to the gallery cart. */
export const add = (device: Device, packageVersion = portrait, quantity = 1) =>
  addTo(device, gallery, { packageVersion, quantity })

/**
 * A phone whose cart dropped an add-on after a quantity was reduced, and whose total then reached the add-on's minimum
 * again. The first request failed, so that no later mutation is coalesced with its mutations.
 */
export const openDeviceThatDroppedAddOn = async () => {
  const device = await openDevice()
  const { lineId } = await add(device, deluxe, 2)
  device.server.faults.push('cut-before')
  await device.sender().drain()
  const dropped = await add(device, album)
  await setQuantity(device.db, device.stamp, { ...gallery, lineId, quantity: 1 })
  const last = await add(device, portrait)
  device.time.now += 60_000
  return { device, lineId, droppedId: dropped.lineId, lastId: last.lineId }
}

export const view = (device: Device) => readCart(device.db, 1, 'gallery')

/** Runs a sender and moves the clock past each wait, until nothing is left to send or `tries` rounds are over. */
export const drainFully = async (device: Device, sender: Sender, tries = 40): Promise<void> => {
  for (let round = 0; round < tries; round += 1) {
    await sender.drain()
    if ((await device.db.outbox.where('state').anyOf('new', 'sent').count()) === 0) return
    device.time.now += 60_000
  }
}
