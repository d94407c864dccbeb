import { createPhotoCheck } from '#local/store/check-cached-images.ts'
import { ask } from '#local/transport/http-client.ts'
import { local } from '../database.ts'
import { announceChange } from './cache-updates.ts'

const check = createPhotoCheck({
  ...{ db: local, ask },
  stored: async () => [],
  remove: async () => {},
  tellAll: async () => {},
})

/** Deletes withdrawn photos from the carts of a device without a worker, and has every screen ask for its photos again. */
export const checkPhotosHere = async (state: string): Promise<void> => {
  await check(state)
  announceChange(null)
}
