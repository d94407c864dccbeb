import { ofetch } from 'ofetch'
import { grantsHeader } from '../contract/answers.ts'
import { type Ask, askBy, type Carry } from './ask.ts'

const carry: Carry = async ({ url, form, body, ...letter }) => {
  const response = await ofetch.raw(url, {
    ...letter,
    body: form ?? body,
    retry: 0,
    ignoreResponseError: true,
    responseType: 'text',
  })
  const grants = response.headers.get(grantsHeader)
  if (grants !== null) noteGrants(url, grants)
  return { status: response.status, text: response._data ?? '', retryAfter: response.headers.get('retry-after') }
}

/** Which grants are live, as answers that no worker keeps said last, by event. */
const grantsByJob = new Map<string, string>()
const grantListeners = new Set<() => void>()

const noteGrants = (url: string, grants: string): void => {
  const [, job = ''] = /\/jobs\/(\d+)\/(?:cart|checkout|orders)/.exec(url) ?? []
  if (job === '') return
  const before = grantsByJob.get(job)
  grantsByJob.set(job, grants)
  if (before !== undefined && before !== grants) for (const listener of grantListeners) listener()
}

/** Tells when an answer says that other grants are live than before: somebody was hidden, or confirmed. */
export const onGrants = (listener: () => void): void => void grantListeners.add(listener)

const askServer = askBy(carry)
const listeners = new Set<() => void>()

/** The page's way to the server. Every 503 is told to whoever listens: the product is in maintenance (section 8). */
export const ask: Ask = async (call, given) => {
  const answer = await askServer(call, given)
  if (answer.status === 503) for (const listener of listeners) listener()
  return answer
}

/** Tells of every 503 a call of this page meets, until the returned function is called. */
export const onMaintenance = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
