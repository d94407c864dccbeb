import Check from 'lucide-react/icons/check'
import CloudOff from 'lucide-react/icons/cloud-off'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { startPageSync } from '#platform/sync/page-sync.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { useConnected } from '#platform/use-connected.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loader, Spinner, useDelayedTrue } from '#ui/feedback/loader.tsx'
import { Icon } from '#ui/icon.tsx'
import { useCartsLoading } from '../shared/cart/refresh-carts.ts'
import { SeeCart } from '../shared/cart/see-cart-link.tsx'
import { useCart } from '../shared/cart/use-cart.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import { useJobFields } from '../shared/job/use-job-fields.ts'
import { BottomBar } from '../shared/layout/bottom-bar.tsx'
import { useOfferedServices } from '../shared/order-services/use-offered-services.ts'
import { BriefLines } from './brief-lines.tsx'
import styles from './cart.module.css'
import { type CheckoutStep, checkoutStep, type continuesToCheckout } from './checkout-step.ts'
import { RejectedChanges } from './rejected-changes.tsx'

/** Milliseconds after which a cart that is still syncing gets a longer explanation. */
const longSyncMs = 8_000

/** Goes on to the checkout, unless the customer has had to wait so long that the page would move under their fingers. */
const useContinuing = (checkoutUrl: string, isReady: boolean, isLate: boolean): void => {
  const [, navigate] = useLocation()
  const [continues] = useState(() => (history.state as typeof continuesToCheckout | null)?.continues === true)
  useEffect(() => {
    if (continues && isReady && !isLate) navigate(checkoutUrl, { replace: true })
  }, [continues, isReady, isLate, checkoutUrl, navigate])
}

/** The confirmation step: syncs the cart, shows the progress, then continues to payment. */
export const ConfirmCartScreen = (route: CustomerRoute) => {
  const { jobId, orderMethod, studio, closedReason, job } = useJobContext()
  const view = useCart(jobId, orderMethod)
  const packages = useQuery(listPackages, { params: { jobId }, query: { orderMethod } })
  const fields = useJobFields().data
  const services = useOfferedServices()
  const online = useConnected()
  const [, navigate] = useLocation()
  const isLoading = useCartsLoading()
  const isLate = useDelayedTrue(longSyncMs)
  useEffect(() => {
    void startPageSync().wake('tap')
  }, [])
  const context = { offeredPackages: packages.data, fields, services: services.data }
  const isPaymentUnavailable = job.acceptsCards === false
  const nextStep = view && checkoutStep({ view, ...context, online, closedReason, isPaymentUnavailable })
  const hasLines = view !== undefined && view.lines.length > 0
  const isReady = hasLines && nextStep?.canContinue === true && nextStep.to === 'checkout'
  // Without the packages it is not known what the studio has changed.
  useContinuing(urls.checkout(route), isReady && packages.data !== undefined, isLate)
  if (!view || !nextStep || (isLoading && !hasLines)) return <Loader />
  if (!hasLines) {
    return (
      <EmptyState
        icon={ShoppingBag}
        level={1}
        title="Your cart is empty"
        action={
          <>
            <ButtonLink href={urls.subjectSearch(route)}>Choose who to order for</ButtonLink> <SeeCart />
          </>
        }
      />
    )
  }
  const headlineProps = headline(view, studio.name, { online, next: nextStep, isLate })
  const reason = nextStep.canContinue ? 'On its way to the studio' : nextStep.why
  return (
    <div className={styles.screen}>
      <Headline {...headlineProps} online={online} />
      <RejectedChanges cartKey={{ jobId, orderMethod }} view={view} />
      <BriefLines view={view} offeredServices={services.data} />
      <ButtonLink href={urls.cart(route)} variant="quiet">
        Back to the cart
      </ButtonLink>
      <BottomBar label={isReady ? 'Cart' : <span id="why-not">{reason}</span>} cents={view.totalCents}>
        <Button
          aria-disabled={!isReady || undefined}
          aria-describedby={isReady ? undefined : 'why-not'}
          onClick={() => isReady && navigate(urls.checkout(route))}
        >
          Checkout
        </Button>
      </BottomBar>
    </div>
  )
}

type SyncStatus = { online: boolean; next: CheckoutStep; isLate: boolean }
type Headline = { kind: CartView['status']['kind']; title: string; message: string }

const headline = ({ status }: CartView, studioName: string, { online, next, isLate }: SyncStatus): Headline => {
  if (status.kind === 'attention')
    return {
      kind: 'attention',
      title: 'Check your cart first',
      message: 'Something needs your attention before you can pay.',
    }
  if (online && !next.canContinue) return { kind: 'attention', title: 'Not quite yet', message: `${next.why}.` }
  if (status.kind === 'sent') {
    const nextAction = online ? 'All that’s left is to pay.' : 'You can pay once you’re online.'
    return {
      kind: 'sent',
      title: online ? 'Ready to pay' : 'Not quite yet',
      message: `${studioName} has your cart. ${nextAction}`,
    }
  }
  if (!online)
    return {
      kind: 'saved',
      title: 'Waiting for a connection',
      message: `Your cart goes to ${studioName} once you’re online; then you can pay.`,
    }
  return {
    kind: 'sending',
    title: `Sending your cart to ${studioName}`,
    message: isLate
      ? 'No answer yet. Everything is saved, and we keep trying.'
      : 'This takes a moment; then you can pay.',
  }
}

// The page header announces the sync status to screen readers: this only explains it.
const Headline = ({ kind, title, message, online }: Headline & { online: boolean }) => (
  <div className={styles.headline} data-kind={kind}>
    <span className={styles.statusIcon}>
      <StatusIcon kind={kind} online={online} />
    </span>
    <h1 id="cart" tabIndex={-1}>
      {title}
    </h1>
    <p role="status">{message}</p>
  </div>
)

const StatusIcon = ({ kind, online }: { kind: CartView['status']['kind']; online: boolean }) => {
  if (kind === 'sent') return <Icon of={Check} size={28} />
  // No spinner, because nothing happens until the customer decides.
  if (kind === 'attention') return <Icon of={TriangleAlert} size={28} />
  return online ? <Spinner /> : <Icon of={CloudOff} size={28} />
}
