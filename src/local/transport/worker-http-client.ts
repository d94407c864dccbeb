import { notePhotosState } from '../store/images-version.ts'
import { createRequest, type RequestFunction, type Transport } from './request.ts'

const carry: Transport = async ({ url, ...letter }) => {
  const response = await fetch(url, letter)
  notePhotosState(response.headers)
  return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') }
}

/** The worker's way to the server: the same letters, carried by the platform's own `fetch`. */
export const requestFromWorker: RequestFunction = createRequest(carry)
