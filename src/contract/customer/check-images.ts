import { array, object, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'

/** Maximum number of images in one call. */
export const maxImagesChecked = 1000

/**
 * Which images stored on a device are withdrawn from its session: because the grant ended, the subject was hidden, or
 * the image is no longer published at that address. Closing a job withdraws nothing; grants of other sessions are
 * ignored.
 */
export const checkImages = call({
  method: 'POST',
  path: '/api/customer/photos/check',
  who: 'session',
  body: object({ photos: size(array(size(string(), 1, 200)), 1, maxImagesChecked) }),
  answer: type({ withdrawn: array(string()) }),
  problems: ['session-unknown'],
})
