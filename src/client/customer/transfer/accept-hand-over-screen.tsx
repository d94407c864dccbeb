import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { getStudio } from '#contract/customer/discovery-calls.ts'
import type { CartKey } from '#local/store/database.ts'
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
const tokenHere = (): string | null => /^#([\w-]{22})$/.exec(window.location.hash)?.[1] ?? null

/**
 * The target of a scanned code: accepts the other device's cart, once, and continues with it. Only after the customer
 * agrees: from then on both devices see what they open, and anybody can send a link.
 */
export const AcceptHandOverScreen = (place: CustomerRoute) => {
  const [token] = useState(tokenHere)
  // Without a token the page was reopened during acceptance, or the URL is incomplete.
  const [agreed, setAgreed] = useState(token === null)
  const { taken, again } = useTaking(place, { token, agreed })
  useHeadingAt(agreed ? (taken?.as ?? 'coming') : 'asked')
  const studio = useQuery(getStudio, { params: { slug: place.studioSlug } }).data
  const whose = studio ? `Your cart at ${studio.name}` : 'Your cart'
  if (!agreed) {
    return (
      <PlainPage title="Continue on this device?">
        <p>
          {whose} opens here with everything in it, and stays on your other device too: each one shows what you add on
          the other.
        </p>
        <p>Go on only with a code that you made yourself.</p>
        <div>
          <Button onClick={() => setAgreed(true)}>Continue here</Button>
        </div>
      </PlainPage>
    )
  }
  if (taken?.as === 'own') return <OwnCart {...{ place, token }} cart={taken.cart} />
  if (taken?.as === 'later') {
    const isOffline = taken.answer.status === 'unreachable'
    return (
      <PlainPage title="Not quite yet">
        <p>
          {isOffline
            ? `There is no connection right now. ${whose} comes here as soon as there is one.`
            : taken.answer.errors[0]}
        </p>
        <p className={styles.soft}>The code stays good for ten minutes from when it was made.</p>
        <div>
          <Button onClick={again}>Try again</Button>
        </div>
      </PlainPage>
    )
  }
  if (taken?.as === 'gone' || taken?.as === 'nothing') {
    return (
      <PlainPage title="This code is no longer good">
        <p>A code is good once, for ten minutes.</p>
        <p>On your other device open the cart, choose “Continue on another device”, and scan the new code.</p>
        <div>
          <ButtonLink href={urls.customerStudio(place)} variant="secondary">
            Enter the event’s code instead
          </ButtonLink>
        </div>
      </PlainPage>
    )
  }
  return (
    <PlainPage title="Continue on this device">
      <p role="status">{whose} is coming from your other device…</p>
      <Loader />
    </PlainPage>
  )
}

/** The pressed button disappears with each step: focus moves to the heading of the next one, except for the first. */
const useHeadingAt = (step: string): void => {
  const before = useRef(step)
  useEffect(() => {
    if (before.current === step) return
    before.current = step
    focusHeading()
  }, [step])
}

/**
 * Accepts the hand-over once the customer agrees, retries on request or when the network returns, then continues to the
 * cart.
 */
const useTaking = (place: CustomerRoute, { token, agreed }: { token: string | null; agreed: boolean }) => {
  const { studioSlug } = place
  const [taken, setTaken] = useState<HandOverResult | null>(null)
  const [round, setRound] = useState(0)
  const online = useOnline()
  const [, navigate] = useLocation()
  const isWaiting = taken?.as === 'later' && taken.answer.status === 'unreachable'
  useEffect(() => {
    if (online && isWaiting) setRound((before) => before + 1)
  }, [online, isWaiting])
  useEffect(() => {
    if (!agreed) return
    let left = false
    const take = async (_round: number) => {
      // The token must not stay in the address bar, where it could be seen or shared.
      if (window.location.hash) window.history.replaceState(window.history.state, '', window.location.pathname)
      const found = await acceptHandOver(
        {
          db: database,
          ask: callApiWithoutRecovery,
          settle: pendingLogout.complete,
          stamp,
          sessionChanged: onSessionChanged,
          pull: pullHandedOverCarts(studioSlug),
        },
        token,
      )
      if (left) return
      if (found.as !== 'taken') return setTaken(found)
      // Responses cached by this page belong to the previous session.
      clearQueryCache()
      navigate(urls.cart({ studioSlug, jobId: found.jobId }), { replace: true })
    }
    void take(round)
    return () => {
      left = true
    }
  }, [studioSlug, token, agreed, round, navigate])
  const again = () => {
    setTaken(null)
    setRound((before) => before + 1)
  }
  return { taken, again }
}

type OwnCartProps = { place: CustomerRoute; token: string | null; cart: CartKey | null }

const OwnCart = ({ place, token, cart }: OwnCartProps) => {
  const { studioSlug, jobId } = place
  const slug = useSlugOf(cart, studioSlug)
  const own = cart ? urls.cart({ studioSlug: slug, jobId: cart.jobId }) : urls.cart({ studioSlug, jobId })
  const onward = `${urls.continueHere(place)}${token ? `#${token}` : ''}`
  return (
    <PlainPage title="This phone has a cart of its own">
      <p>
        Nothing was changed. Keep this phone’s cart, or finish here first and take over the one from your other device.
      </p>
      <div className={styles.ways}>
        <ButtonLink href={own}>Keep this phone’s cart</ButtonLink>
        <Button variant="secondary" onClick={() => void confirmClearDevice(onward)}>
          Finish here and continue
        </Button>
      </div>
    </PlainPage>
  )
}

/** The studio of a cart on this device, which may differ from the scanned one's. */
const useSlugOf = (cart: CartKey | null, otherwise: string): string => {
  const [slug, setSlug] = useState(otherwise)
  useEffect(() => {
    if (!cart) return
    const look = async () => (await database.codes.where({ jobId: cart.jobId }).first())?.studioSlug
    void look().then((found) => found && setSlug(found))
  }, [cart])
  return slug
}
