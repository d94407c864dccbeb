import { array, object, size, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Nothing } from '../shapes/primitives.ts'

/** Photos that one call asks about. */
export const maxPhotosChecked = 1000

/**
 * Which photos of a device were withdrawn from its session: by the grant that ended, the subject that was hidden, or the image that is no
 * longer published at that address. A closed event withdraws nothing, and of another session's grants it says nothing.
 */
export const checkPhotos = {
  method: 'POST',
  path: '/api/customer/photos/check',
  who: 'session',
  params: Nothing,
  query: Nothing,
  body: object({ photos: size(array(size(string(), 1, 200)), 1, maxPhotosChecked) }),
  answer: type({ withdrawn: array(string()) }),
  problems: ['session-unknown'],
} satisfies AnyCall
