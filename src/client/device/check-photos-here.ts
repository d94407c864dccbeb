import { ask } from '../../local/api.ts'
import { createPhotoCheck } from '../../local/check-photos.ts'
import { announceChange } from './changes.ts'
import { local } from './local.ts'

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
