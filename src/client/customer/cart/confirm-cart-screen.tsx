import Check from 'lucide-react/icons/check'
import CloudOff from 'lucide-react/icons/cloud-off'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { startPageSync } from '#platform/sync/page-sync.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { useConnected } from '#platform/use-connected.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { useDelayedTrue } from '#ui/feedback/use-delayed-true.ts'
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
import { type CheckoutStep, checkoutStep } from './checkout-step.ts'
import { RejectedChanges } from './rejected-changes.tsx'

/** Milliseconds after which a cart that is still syncing gets a longer explanation. */
const explainedAfter = 8_000

/** The confirmation step: syncs the cart, shows the progress, then continues to payment. */
export const ConfirmCartScreen = (route: CustomerRoute) => {
  const { jobId, orderMethod, studio, closed, job } = useJobContext()
  const view = useCart(jobId, orderMethod)
  const offered = useQuery(listPackages, { params: { jobId }, query: { orderMethod } })
  const fields = useJobFields().data
  const services = useOfferedServices()
  const online = useConnected()
  const [, navigate] = useLocation()
  const arriving = useCartsLoading()
  const late = useDelayedTrue(explainedAfter)
  useEffect(() => {
    void startPageSync().wake('tap')
  }, [])
  if (!view || (arriving && view.lines.length === 0)) return <Loader />
  if (view.lines.length === 0) {
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
  const context = { offered: offered.data, fields, services: services.data }
  const next = checkoutStep({ view, ...context, online, closed, unpayable: job.takesCards === false })
  const ready = next.may && next.to === 'checkout'
  const said = headline(view, studio.name, { online, next, late })
  const why = next.may ? 'On its way to the studio' : next.why
  return (
    <div className={styles.screen}>
      <Headline {...said} online={online} />
      <RejectedChanges cartKey={{ jobId, orderMethod }} view={view} />
      <BriefLines view={view} offered={services.data} />
      <ButtonLink href={urls.cart(route)} variant="quiet">
        Back to the cart
      </ButtonLink>
      <BottomBar label={ready ? 'Cart' : <span id="why-not">{why}</span>} cents={view.totalCents}>
        <Button
          aria-disabled={!ready || undefined}
          aria-describedby={ready ? undefined : 'why-not'}
          onClick={() => ready && navigate(urls.checkout(route))}
        >
          Checkout
        </Button>
      </BottomBar>
    </div>
  )
}

type SyncStatus = { online: boolean; next: CheckoutStep; late: boolean }
type Headline = { kind: CartView['status']['kind']; title: string; message: string }

const headline = ({ status }: CartView, studioName: string, { online, next, late }: SyncStatus): Headline => {
  if (status.kind === 'attention')
    return {
      kind: 'attention',
      title: 'Look at your cart first',
      message: 'Something in it needs a decision from you before you can pay.',
    }
  if (online && !next.may) return { kind: 'attention', title: 'Not quite yet', message: `${next.why}.` }
  if (status.kind === 'sent') {
    const words = online ? 'All that is left is to pay.' : 'You can pay when there is a connection.'
    return {
      kind: 'sent',
      title: online ? 'Ready to pay' : 'Not quite yet',
      message: `${studioName} has your cart. ${words}`,
    }
  }
  if (!online)
    return {
      kind: 'saved',
      title: 'Waiting for a connection',
      message: `Your cart goes to ${studioName} by itself as soon as there is a connection; then you can pay.`,
    }
  return {
    kind: 'sending',
    title: `Sending your cart to ${studioName}`,
    message: late
      ? 'There was no answer yet. All of it is saved and sent again by itself until it is there.'
      : 'This takes a moment. You can pay as soon as it is there.',
  }
}

// The page header announces the sync status to screen readers: this only explains it.
const Headline = ({ kind, title, message, online }: Headline & { online: boolean }) => (
  <div className={styles.headline} data-kind={kind}>
    <span className={styles.sign}>
      <Sign kind={kind} online={online} />
    </span>
    <h1 id="cart" tabIndex={-1}>
      {title}
    </h1>
    <p role="status">{message}</p>
  </div>
)

const Sign = ({ kind, online }: { kind: CartView['status']['kind']; online: boolean }) => {
  if (kind === 'sent') return <Icon of={Check} size={28} />
  // Nothing happens until the customer decides.
  if (kind === 'attention') return <Icon of={TriangleAlert} size={28} />
  return online ? <Spinner /> : <Icon of={CloudOff} size={28} />
}
