import { ofetch } from 'ofetch'
import { notifyImagesVersion } from '../store/images-version.ts'
import { createRequest, type HttpResponse, type RequestFunction, responseHeaders, type Transport } from './request.ts'

export type InlinedResponse = {
  readonly response: HttpResponse
  /** Milliseconds since 1970. Later calls go to the server. */
  readonly expiresAt: number
}

/**
 * The responses that the server put into this page, by the URL of their calls; null once they are used or outdated.
 * The service worker prefetches these URLs.
 */
export const inlinedResponses = new Map<string, InlinedResponse | null>()

const transport: Transport = async ({ url, form, body, ...options }) => {
  const inlined = options.method === 'GET' && inlinedResponses.get(url)
  if (inlined) {
    inlinedResponses.set(url, null)
    // Timers stop in a page that sleeps, so the clock is checked.
    if (Date.now() < inlined.expiresAt) return inlined.response
  }
  const response = await ofetch.raw(url, {
    ...options,
    body: form ?? body,
    retry: 0,
    ignoreResponseError: true,
    responseType: 'text',
  })
  notifyImagesVersion(response.headers)
  return { status: response.status, text: response._data ?? '', ...responseHeaders(response) }
}

const askServer = createRequest(transport)
const listeners = new Set<() => void>()

/** Makes requests from a page. Notifies the maintenance listeners of every 503 (section 8). */
export const request: RequestFunction = async (call, input) => {
  const answer = await askServer(call, input)
  if (answer.status === 503) for (const listener of listeners) listener()
  return answer
}

/** Calls the listener on every 503, until the returned function is called. */
export const onMaintenance = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
