import { is } from 'superstruct'
import { navigate } from 'wouter/use-browser-location'
import { CodePage } from '#contract/customer/code-page.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import { notifyImagesVersion } from '#local/store/images-version.ts'
import { inlinedResponses } from '#local/transport/http-client.ts'
import { pendingLogout } from '#platform/session/pending-logout.ts'
import { redeemAccessCode } from '../customer/discovery/studio/redeem-access-code.ts'
import { removeFirstView } from './first-view.ts'

/**
 * Milliseconds after the app's start for which the page's responses replace requests. A later call of the same URL wants
 * newer data, for example after the customer switched to the other order method.
 */
export const inlinedForMs = 10_000

/** The same after the page's arrival: scripts take long on a slow network, but a suspended tab may load them much later. */
export const maxInlinedMs = 60_000

/** When the server's response began to arrive, in milliseconds since 1970; now, if the browser does not know it. */
const arrivalTime = (): number => {
  const [navigation] = performance.getEntriesByType('navigation')
  const responseStart = navigation && 'responseStart' in navigation ? navigation.responseStart : undefined
  return typeof responseStart === 'number' ? performance.timeOrigin + responseStart : Date.now()
}

const inlineResponses = (responses: CodePage['responses'], expiresAt: number): void => {
  for (const [address, { status, body }] of Object.entries(responses)) {
    const response = { status, text: JSON.stringify(body), retryAfter: null }
    inlinedResponses.set(address, { response, expiresAt })
  }
}

/** Milliseconds after which the app is shown even if the code is not stored yet, e.g. if the database is blocked. */
export const maxOpenMs = 3_000

/** Redeems the page's code and goes to the first screen. False if the screen of the access code remains. */
const goToFirstScreen = async (page: unknown, { signal }: { signal: AbortSignal }): Promise<boolean> => {
  if (!is(page, CodePage) || pendingLogout.isPending()) return false
  const { studioSlug, code, imagesVersion, responses } = page
  const codeUrl = pathOf(redeemCode, { slug: studioSlug }, { code })
  const { [codeUrl]: redemption, ...otherResponses } = responses
  if (!redemption) return false
  const expiresAt = Math.min(arrivalTime() + maxInlinedMs, Date.now() + inlinedForMs)
  inlineResponses({ [codeUrl]: redemption }, expiresAt)
  if (redemption.status !== 200) return false
  if (imagesVersion !== null) notifyImagesVersion(new Headers([[imagesHeader, imagesVersion]]))
  const ret = new URLSearchParams(window.location.search).get('ret') ?? undefined
  const result = await redeemAccessCode({ studioSlug, code, ret })
  if (!result.ok || signal.aborted) return false
  // Redeeming clears all responses of the previous session, and with them the inlined ones.
  inlineResponses(otherResponses, expiresAt)
  navigate(result.url, { replace: true })
  return true
}

/** Resolves to false, and aborts the work, if it takes too long. */
const withinTime = async (work: (abort: AbortController) => Promise<boolean>): Promise<boolean> => {
  const abort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => {
      abort.abort()
      resolve(false)
    }, maxOpenMs)
  })
  return await Promise.race([work(abort), timeout]).finally(() => clearTimeout(timer))
}

/**
 * Opens the first screen of an access code whose responses the server put into the page, as if the customer had entered
 * the code. The screen of the access code remains for a wrong code, whose response is in the page too, and after a
 * logout that is still to be sent, because the responses then belong to the previous customer's session. It also
 * remains if the code cannot be stored in time. Rejects if the code cannot be stored.
 */
export const openCodePage = async (block: HTMLElement): Promise<void> => {
  const page: unknown = JSON.parse(block.textContent)
  block.remove()
  if (!(await withinTime((abort) => goToFirstScreen(page, abort)))) removeFirstView()
}
