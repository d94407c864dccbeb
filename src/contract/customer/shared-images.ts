import { array, type Infer, integer, nullable, object, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { slugParams } from '../shapes/customer-call.ts'
import { Day } from '../shapes/primitives.ts'

/** An image of a share. The address leads to the watermarked preview; the size is in upright pixels. */
const SharedImage = type({ id: integer(), width: integer(), height: integer(), previewUrl: string() })

/** The content of a share. `firstName` is null if the job shows images without names. */
export const SharedImages = type({
  studioSlug: string(),
  studioName: string(),
  firstName: nullable(string()),
  expiresOn: Day,
  images: array(SharedImage),
})
export type SharedImages = Infer<typeof SharedImages>

/**
 * Opens a share: the token is the only proof that it needs, and gives access to nothing else. The answer is the same for an expired, a
 * stopped and an unknown share.
 */
export const getSharedImages = call({
  method: 'GET',
  path: '/api/customer/studios/:slug/shared/:token',
  who: 'anyone',
  params: object({ slug: slugParams.schema.slug, token: size(string(), 1, 200) }),
  answer: SharedImages,
  problems: ['not-found'],
})
