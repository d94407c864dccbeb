import { createPhotoCheck } from '#local/store/check-cached-images.ts'
import { request } from '#local/transport/http-client.ts'
import { database } from '../database.ts'
import { notifyCacheUpdate } from './cache-updates.ts'

const check = createPhotoCheck({
  ...{ db: database, ask: request },
  stored: async () => [],
  remove: async () => {},
  tellAll: async () => {},
})

/** Deletes withdrawn photos from the carts of a device without a worker, and has every screen ask for its photos again. */
export const checkPhotosHere = async (state: string): Promise<void> => {
  await check(state)
  notifyCacheUpdate(null)
}
