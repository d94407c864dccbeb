import { pathOf } from '../src/contract/call.ts'
import { getAvailability } from '../src/contract/customer-find.ts'
import type { LocalDatabase } from '../src/local/database.ts'
import { surviving } from '../src/local/surviving.ts'
import { availabilityIn, type Photo, showsPhotos } from './caching.ts'
import type { CatalogueAnswer } from './catalogue.ts'

type Asking = { db: LocalDatabase; origin: string; askAfresh: (request: Request) => Promise<CatalogueAnswer> }

/**
 * Whether a photo that the server refused was withdrawn. The availability is asked afresh: with it everything goes from the device whose
 * grant ended; a photo refused under a live grant in an event that shows photos was itself taken away.
 */
export const isWithdrawn = async ({ grantId }: Photo, { db, origin, askAfresh }: Asking): Promise<boolean> => {
  const known = await surviving(db, () => db.grants.get(grantId))
  if (!known || 'ok' in known) return false
  try {
    const { response } = await askAfresh(
      new Request(new URL(pathOf(getAvailability, { jobId: known.jobId }, {}), origin)),
    )
    const availability = response.status === 200 ? availabilityIn(await response.text()) : null
    return availability !== null && showsPhotos(availability)
  } catch {
    return false
  }
}
