import { createImageCheck } from '#local/store/check-cached-images.ts'
import { request } from '#local/transport/http-client.ts'
import { database } from '../database.ts'
import { notifyCacheUpdate } from './cache-updates.ts'

const check = createImageCheck({
  ...{ db: database, ask: request },
  stored: async () => [],
  remove: async () => {},
  notifyAllPages: async () => {},
})

/** Deletes withdrawn images from the carts of a device without a worker, and makes every screen reload its images. */
export const checkCachedImages = async (state: string): Promise<void> => {
  await check(state)
  notifyCacheUpdate(null)
}
