import { checkImages, maxImagesChecked } from '#contract/customer/check-images.ts'
import { deviceStamp } from '../outbox/device-stamp.ts'
import { withDatabaseRetry } from '../recovery/with-database-retry.ts'
import { refreshCart } from '../transport/refresh-cart.ts'
import type { RequestFunction } from '../transport/request.ts'
import type { LocalDatabase } from './database.ts'
import { jobsWithoutAccess } from './job-access.ts'
import { deleteImages, imageUrlsIn } from './purge-images.ts'
import { sessionCount } from './session-count.ts'

export type ImageCheckDeps = {
  db: LocalDatabase
  ask: RequestFunction
  /** Addresses of the photos that the device stores, or names, outside the database. */
  stored: () => Promise<readonly string[]>
  /** Deletes withdrawn photos there. */
  remove: (withdrawn: ReadonlySet<string>) => Promise<void>
  /** Every open page shows what is left, once all of it is gone from the device. */
  tellAll: () => Promise<void>
}

/** What the database knows of the check before it begins. */
const readBefore = (db: LocalDatabase) =>
  db.transaction('r', [db.device, db.carts, db.outbox, db.orders], async () => {
    const fact = await db.device.get('photos')
    return {
      state: fact?.key === 'photos' ? fact.value : null,
      session: await sessionCount(db),
      // Until codes and people were given again, the server does not know what this device may see.
      isBetweenSessions: (await jobsWithoutAccess(db)).some(({ stale }) => stale),
      photos: imageUrlsIn(
        JSON.stringify([await db.carts.toArray(), await db.outbox.toArray(), await db.orders.toArray()]),
      ),
    }
  })

/** Which of these photos the server says were withdrawn; undefined where it could not be asked about all of them. */
const findWithdrawn = async (ask: RequestFunction, photos: readonly string[]): Promise<Set<string> | undefined> => {
  const withdrawn = new Set<string>()
  for (let first = 0; first < photos.length; first += maxImagesChecked) {
    const answer = await ask(checkImages, { body: { photos: photos.slice(first, first + maxImagesChecked) } })
    if (!answer.ok) return undefined
    for (const path of answer.data.withdrawn) withdrawn.add(path)
  }
  return withdrawn
}

/**
 * Deletes withdrawn photos from the device as soon as an answer of the server names another state of the session's photos than the last
 * one that was checked. Nothing goes without the server naming it. A check that failed is tried again with the next answer.
 */
export const createImageCheck = ({ db, ask, stored, remove, tellAll }: ImageCheckDeps) => {
  let checked: string | undefined
  let latest: string | undefined
  let running: Promise<void> | undefined

  /** What the database holds of withdrawn photos goes, and the check is noted as done for this state; answers the carts that had some. */
  const finish = (withdrawn: ReadonlySet<string>, { state, session }: { state: string; session: number }) =>
    withDatabaseRetry(db, async () => {
      const carts = await deleteImages(db, deviceStamp, (address) => withdrawn.has(address))
      await db.transaction('rw', db.device, async () => {
        if ((await sessionCount(db)) === session) await db.device.put({ key: 'photos', value: state })
      })
      return { carts }
    })

  const isDone = async (state: string): Promise<boolean> => {
    const read = await withDatabaseRetry(db, () => readBefore(db))
    const before = 'ok' in read ? null : read // where the database is dead, photos in caches still go
    if (before?.state === state) return true
    if (before?.isBetweenSessions) return false
    const withdrawn = await findWithdrawn(ask, [...new Set([...(await stored()), ...(before?.photos ?? [])])])
    if (!withdrawn) return false
    if (withdrawn.size > 0) await remove(withdrawn)
    // Last: a worker that is stopped meanwhile finds them at the next contact.
    const finished = before && (await finish(withdrawn, { state, session: before.session }))
    if (withdrawn.size > 0) await tellAll()
    // Their lines can't be sold as they are now: the server says why.
    for (const key of finished && 'carts' in finished ? finished.carts : [])
      await withDatabaseRetry(db, () => refreshCart(db, ask, key))
    return true
  }

  const run = async (): Promise<void> => {
    while (latest !== undefined && latest !== checked) {
      const state = latest
      if (!(await isDone(state))) return
      checked = state
    }
  }

  return (state: string): Promise<void> => {
    latest = state
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}
