import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { lazy, Suspense, useMemo } from 'react'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { CartOrderedNotice } from '../shared/cart/cart-ordered-notice.tsx'
import { useCartsLoading } from '../shared/cart/refresh-carts.ts'
import { useCart } from '../shared/cart/use-cart.ts'
import { useClosedCart } from '../shared/cart/use-closed-cart.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import { OrderMethodSwitch } from '../shared/job/order-method-switch.tsx'
import { OrderingUnavailableNotice } from '../shared/job/ordering-unavailable-notice.tsx'
import { useJobFields } from '../shared/job/use-job-fields.ts'
import { useOfferedServices } from '../shared/order-services/use-offered-services.ts'
import styles from './cart.module.css'
import { CartBar } from './cart-bar.tsx'
import { CartSubjectSection } from './cart-subject-section.tsx'
import { CartTotals } from './cart-totals.tsx'
import { useKnownSubjectIds } from './copy-to-subject/use-known-subject-ids.ts'
import { useSubjectNumbers } from './copy-to-subject/use-subject-numbers.ts'
import { HandOverLink } from './hand-over-link.tsx'
import { InstallOffer } from './install/install-offer.tsx'
import { RejectedChanges } from './rejected-changes.tsx'
import { StorageWarning } from './storage-warning.tsx'
import { groupLinesBySubject } from './subject-lines.ts'
import { UndoRemovalNotice } from './undo-removal-notice.tsx'

const ClosedCart = lazy(async () => ({ default: (await import('./closed-cart.tsx')).ClosedCart }))

/** The cart, grouped by subject, with a print preview of each package. */
export const CartScreen = (route: CustomerRoute) => {
  const event = useJobContext()
  const { jobId, orderMethod } = event
  const key = useMemo(() => ({ jobId, orderMethod }), [jobId, orderMethod])
  const view = useCart(jobId, orderMethod)
  const closedCart = useClosedCart(event)
  const known = useKnownSubjectIds(key, view?.cart.subjects ?? [])
  const offered = useQuery(listPackages, { params: { jobId }, query: { orderMethod } })
  const fields = useJobFields().data
  const numberOf = useSubjectNumbers(jobId)
  const services = useOfferedServices()
  const arriving = useCartsLoading()
  if (!view || closedCart === undefined || (arriving && view.lines.length === 0)) {
    return (
      <div className={styles.screen} aria-busy="true">
        <Skeleton shape="block" height="10rem" />
        <Skeleton shape="block" height="10rem" />
      </div>
    )
  }
  const empty = view.lines.length === 0
  const closed = closedCart && (
    <Suspense fallback={<Skeleton shape="block" height="10rem" />}>
      <ClosedCart view={closedCart} />
    </Suspense>
  )
  return (
    <div className={styles.screen}>
      <h1 id="cart" tabIndex={-1}>
        Cart
      </h1>
      {!empty && <OrderingUnavailableNotice event={event} totalCents={view.totalCents} />}
      <CartOrderedNotice route={route} cartKey={key} empty={empty} />
      <OrderMethodSwitch />
      <RejectedChanges cartKey={key} view={view} />
      {empty && closed}
      {empty && !(closedCart && event.closed) && (
        <EmptyState
          icon={ShoppingBag}
          title={closedCart ? 'Your new cart is empty' : 'Your cart is empty'}
          action={<ButtonLink href={urls.subjectSearch(route)}>Choose who to order for</ButtonLink>}
        >
          The packages you choose will be here, drawn as they will print.
        </EmptyState>
      )}
      {groupLinesBySubject(view, services.data).map((subject) => (
        <CartSubjectSection
          key={subject.subject.personId ?? subject.subject.subjectId}
          {...{ route, subject, view, fields, known }}
          number={numberOf(subject.subject)}
          cartKey={key}
          offered={offered.data}
          services={services.data}
        />
      ))}
      <UndoRemovalNotice cartKey={key} lineCount={view.lines.length} afterwards="cart" />
      {!empty && (
        <>
          <ButtonLink href={urls.subjectSearch(route)} variant="secondary">
            Order for another person
          </ButtonLink>
          <CartTotals view={view} />
          <HandOverLink route={route} />
          <StorageWarning />
          {view.status.kind !== 'attention' && <InstallOffer />}
          {closed}
          <CartBar route={route} view={view} offered={offered.data} fields={fields} services={services.data} />
        </>
      )}
    </div>
  )
}
