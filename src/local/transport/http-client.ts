import { ofetch } from 'ofetch'
import { notePhotosState } from '../store/images-version.ts'
import { createRequest, type RequestFunction, type Transport } from './request.ts'

const carry: Transport = async ({ url, form, body, ...letter }) => {
  const response = await ofetch.raw(url, {
    ...letter,
    body: form ?? body,
    retry: 0,
    ignoreResponseError: true,
    responseType: 'text',
  })
  notePhotosState(response.headers)
  return { status: response.status, text: response._data ?? '', retryAfter: response.headers.get('retry-after') }
}

const askServer = createRequest(carry)
const listeners = new Set<() => void>()

/** The page's way to the server. Every 503 is told to whoever listens: the product is in maintenance (section 8). */
export const request: RequestFunction = async (call, given) => {
  const answer = await askServer(call, given)
  if (answer.status === 503) for (const listener of listeners) listener()
  return answer
}

/** Tells of every 503 a call of this page meets, until the returned function is called. */
export const onMaintenance = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
