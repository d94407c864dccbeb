import { checkImages, maxImagesChecked } from '#contract/customer/session-calls.ts'
import { deviceStamp } from '../outbox/device-stamp.ts'
import { withDatabaseRetry } from '../recovery/with-database-retry.ts'
import { refreshCart } from '../transport/refresh-cart.ts'
import type { RequestFunction } from '../transport/request.ts'
import type { LocalDatabase } from './database.ts'
import { sessionCount } from './device-entries.ts'
import { jobsWithoutAccess } from './job-access.ts'
import { deleteImages, imageUrlsIn } from './purge-images.ts'

export type ImageCheckDeps = {
  db: LocalDatabase
  ask: RequestFunction
  /** URLs of the images that the device stores or refers to outside the database. */
  stored: () => Promise<readonly string[]>
  /** Deletes withdrawn images there. */
  remove: (withdrawn: ReadonlySet<string>) => Promise<void>
  /** Notifies every open page once all withdrawn images are deleted from the device. */
  notifyAllPages: () => Promise<void>
}

/** The stored data that a check starts from. */
const readStart = (db: LocalDatabase) =>
  db.transaction('r', [db.device, db.carts, db.outbox, db.orders], async () => {
    const entry = await db.device.get('photos')
    return {
      state: entry?.key === 'photos' ? entry.value : null,
      session: await sessionCount(db),
      // Until codes and subjects are sent again, the server does not know which images this device may see.
      isBetweenSessions: (await jobsWithoutAccess(db)).some(({ stale }) => stale),
      imageUrls: imageUrlsIn(
        JSON.stringify([await db.carts.toArray(), await db.outbox.toArray(), await db.orders.toArray()]),
      ),
    }
  })

/**
 * The URLs among these that the server reports as withdrawn; undefined if the server could not be asked about all of
 * them.
 */
const findWithdrawn = async (ask: RequestFunction, imageUrls: readonly string[]): Promise<Set<string> | undefined> => {
  const withdrawn = new Set<string>()
  for (let start = 0; start < imageUrls.length; start += maxImagesChecked) {
    const answer = await ask(checkImages, { body: { photos: imageUrls.slice(start, start + maxImagesChecked) } })
    if (!answer.ok) return undefined
    for (const path of answer.data.withdrawn) withdrawn.add(path)
  }
  return withdrawn
}

/**
 * Deletes withdrawn images from the device as soon as a response names another version of the session's images than the
 * one checked last. Only images that the server names are deleted. A failed check is repeated with the next response.
 */
export const createImageCheck = ({ db, ask, stored, remove, notifyAllPages }: ImageCheckDeps) => {
  let checkedState: string | undefined
  let latestState: string | undefined
  let running: Promise<void> | undefined

  /**
   * Deletes withdrawn images from the database, and stores that this state was checked. Returns the carts that
   * contained some.
   */
  const finish = (withdrawn: ReadonlySet<string>, { state, session }: { state: string; session: number }) =>
    withDatabaseRetry(db, async () => {
      const carts = await deleteImages(db, deviceStamp, (address) => withdrawn.has(address))
      await db.transaction('rw', db.device, async () => {
        if ((await sessionCount(db)) === session) await db.device.put({ key: 'photos', value: state })
      })
      return { carts }
    })

  const checkState = async (state: string): Promise<boolean> => {
    const startOrFailure = await withDatabaseRetry(db, () => readStart(db))
    const start = 'ok' in startOrFailure ? null : startOrFailure // without a database, images in caches are deleted nevertheless
    if (start?.state === state) return true
    if (start?.isBetweenSessions) return false
    const withdrawn = await findWithdrawn(ask, [...new Set([...(await stored()), ...(start?.imageUrls ?? [])])])
    if (!withdrawn) return false
    if (withdrawn.size > 0) await remove(withdrawn)
    // The database comes last: if the worker is stopped before, the next check finds the images again.
    const finished = start && (await finish(withdrawn, { state, session: start.session }))
    if (withdrawn.size > 0) await notifyAllPages()
    // Lines with withdrawn images cannot be sold as they are: the refreshed cart says why.
    for (const key of finished && 'carts' in finished ? finished.carts : [])
      await withDatabaseRetry(db, () => refreshCart(db, ask, key))
    return true
  }

  const run = async (): Promise<void> => {
    while (latestState !== undefined && latestState !== checkedState) {
      const state = latestState
      if (!(await checkState(state))) return
      checkedState = state
    }
  }

  return (state: string): Promise<void> => {
    latestState = state
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}
