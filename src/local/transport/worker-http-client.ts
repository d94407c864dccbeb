import { notePhotosState } from '../store/images-version.ts'
import { type Ask, askBy, type Carry } from './request.ts'

const carry: Carry = async ({ url, ...letter }) => {
  const response = await fetch(url, letter)
  notePhotosState(response.headers)
  return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') }
}

/** The worker's way to the server: the same letters, carried by the platform's own `fetch`. */
export const askFromWorker: Ask = askBy(carry)
