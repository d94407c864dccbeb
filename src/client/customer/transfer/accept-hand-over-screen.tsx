import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { getStudio } from '#contract/customer/discovery-calls.ts'
import type { CartKey } from '#local/store/rows.ts'
import { callApiWithoutRecovery } from '#platform/api/api.ts'
import { clearQueryCache, useQuery } from '#platform/api/use-query.ts'
import { database, stamp } from '#platform/database.ts'
import { useOnline } from '#platform/online.ts'
import { pendingLogout } from '#platform/session/pending-logout.ts'
import { onSessionChanged } from '#platform/sync/page-sync.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { focusHeading } from '#ui/page/route-announcer.tsx'
import { confirmClearDevice } from '../shared/confirm-clear-device.ts'
import styles from './hand-over.module.css'
import { acceptHandOver, type HandOverResult } from './hand-over-acceptance.ts'
import { pullHandedOverCarts } from './pull-handed-over-carts.ts'

/** The token in the fragment of the scanned URL. */
const readToken = (): string | null => /^#([\w-]{22})$/.exec(window.location.hash)?.[1] ?? null

/**
 * The target of a scanned code: after the customer agrees, accepts the other device's cart once and continues with it.
 * The customer must agree because from then on each device shows what the other one opens, and anyone can send a link.
 */
export const AcceptHandOverScreen = (route: CustomerRoute) => {
  const [token] = useState(readToken)
  // Without a token the page was reopened during acceptance, or the URL is incomplete.
  const [hasAgreed, setHasAgreed] = useState(token === null)
  const { result, retry } = useAcceptance(route, { token, hasAgreed })
  useHeadingFocus(hasAgreed ? (result?.as ?? 'loading') : 'agreement')
  const studio = useQuery(getStudio, { params: { slug: route.studioSlug } }).data
  const cartLabel = studio ? `Your cart at ${studio.name}` : 'Your cart'
  if (!hasAgreed) {
    return (
      <PlainPage title="Continue on this device?">
        <p>{cartLabel} opens here and stays on your other device. Changes on one show on the other.</p>
        <p>Only continue with a code you made yourself.</p>
        <div>
          <Button onClick={() => setHasAgreed(true)}>Continue here</Button>
        </div>
      </PlainPage>
    )
  }
  if (result?.as === 'own') return <OwnCart {...{ route, token }} cart={result.cart} />
  if (result?.as === 'later') {
    const isOffline = result.response.status === 'unreachable'
    return (
      <PlainPage title="Not quite yet">
        <p>{isOffline ? `You’re offline. ${cartLabel} opens here once you’re back.` : result.response.errors[0]}</p>
        <p className={styles.soft}>The code works for ten minutes after it was made.</p>
        <div>
          <Button onClick={retry}>Try again</Button>
        </div>
      </PlainPage>
    )
  }
  if (result?.as === 'gone' || result?.as === 'nothing') {
    return (
      <PlainPage title="This code has expired">
        <p>A code works once, for ten minutes.</p>
        <p>On your other device open the cart, choose “Continue on another device”, and scan the new code.</p>
        <div>
          <ButtonLink href={urls.customerStudio(route)} variant="secondary">
            Enter the event’s code instead
          </ButtonLink>
        </div>
      </PlainPage>
    )
  }
  return (
    <PlainPage title="Continue on this device">
      <p role="status">Opening {cartLabel}…</p>
      <Loader />
    </PlainPage>
  )
}

/** The pressed button disappears with each step: focus moves to the heading of the next one, except for the first. */
const useHeadingFocus = (step: string): void => {
  const previousStep = useRef(step)
  useEffect(() => {
    if (previousStep.current === step) return
    previousStep.current = step
    focusHeading()
  }, [step])
}

/**
 * Accepts the hand-over once the customer agrees, retries on request or when the network returns, then continues to the
 * cart.
 */
const useAcceptance = (route: CustomerRoute, { token, hasAgreed }: { token: string | null; hasAgreed: boolean }) => {
  const { studioSlug } = route
  const [result, setResult] = useState<HandOverResult | null>(null)
  const [attempt, setAttempt] = useState(0)
  const online = useOnline()
  const [, navigate] = useLocation()
  const isWaiting = result?.as === 'later' && result.response.status === 'unreachable'
  useEffect(() => {
    if (online && isWaiting) setAttempt((before) => before + 1)
  }, [online, isWaiting])
  useEffect(() => {
    if (!hasAgreed) return
    let isUnmounted = false
    const accept = async (_attempt: number) => {
      // The token must not stay in the address bar, where it could be seen or shared.
      if (window.location.hash) window.history.replaceState(window.history.state, '', window.location.pathname)
      const result = await acceptHandOver(
        {
          db: database,
          ask: callApiWithoutRecovery,
          endPendingSession: pendingLogout.complete,
          stamp,
          sessionChanged: onSessionChanged,
          pull: pullHandedOverCarts(studioSlug),
        },
        token,
      )
      if (isUnmounted) return
      if (result.as !== 'taken') return setResult(result)
      // Responses cached by this page belong to the previous session.
      clearQueryCache()
      navigate(urls.cart({ studioSlug, jobId: result.jobId }), { replace: true })
    }
    void accept(attempt)
    return () => {
      isUnmounted = true
    }
  }, [studioSlug, token, hasAgreed, attempt, navigate])
  const retry = () => {
    setResult(null)
    setAttempt((before) => before + 1)
  }
  return { result, retry }
}

type OwnCartProps = { route: CustomerRoute; token: string | null; cart: CartKey | null }

const OwnCart = ({ route, token, cart }: OwnCartProps) => {
  const { studioSlug, jobId } = route
  const slug = useSlugOf(cart, studioSlug)
  const ownCartUrl = cart ? urls.cart({ studioSlug: slug, jobId: cart.jobId }) : urls.cart({ studioSlug, jobId })
  const nextUrl = `${urls.continueHere(route)}${token ? `#${token}` : ''}`
  return (
    <PlainPage title="This phone has a cart of its own">
      <p>Nothing changed. Keep this phone’s cart, or clear it and open the one from your other device.</p>
      <div className={styles.actions}>
        <ButtonLink href={ownCartUrl}>Keep this phone’s cart</ButtonLink>
        <Button variant="secondary" onClick={() => void confirmClearDevice(nextUrl)}>
          Finish here and continue
        </Button>
      </div>
    </PlainPage>
  )
}

/** The studio of a cart on this device, which may differ from the scanned one's. */
const useSlugOf = (cart: CartKey | null, fallback: string): string => {
  const [slug, setSlug] = useState(fallback)
  useEffect(() => {
    if (!cart) return
    const readSlug = async () => (await database.codes.where({ jobId: cart.jobId }).first())?.studioSlug
    void readSlug().then((storedSlug) => storedSlug && setSlug(storedSlug))
  }, [cart])
  return slug
}
