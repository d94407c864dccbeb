import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { lazy, Suspense, useMemo } from 'react'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import { useAsk } from '#platform/api/use-query.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { OrderedNotice } from '../shared/cart/cart-ordered-notice.tsx'
import { useArriving } from '../shared/cart/refresh-carts.ts'
import { useCart } from '../shared/cart/use-cart.ts'
import { useClosedCart } from '../shared/cart/use-closed-cart.ts'
import { useEvent } from '../shared/job/job-context.tsx'
import { MethodSwitch } from '../shared/job/order-method-switch.tsx'
import { NoOrdering } from '../shared/job/ordering-unavailable-notice.tsx'
import { useJobFields } from '../shared/job/use-job-fields.ts'
import { useOfferedServices } from '../shared/order-services/use-offered-services.ts'
import styles from './cart.module.css'
import { CartBar } from './cart-bar.tsx'
import { CartPerson } from './cart-subject-section.tsx'
import { TotalLines } from './cart-totals.tsx'
import { useKnownIds } from './copy-to-subject/use-known-subject-ids.ts'
import { useTypedNumbers } from './copy-to-subject/use-subject-numbers.ts'
import { HandOverLink } from './hand-over-link.tsx'
import { InstallOffer } from './install/install-offer.tsx'
import { RefusedList } from './rejected-changes.tsx'
import { KeepingNotice } from './storage-warning.tsx'
import { peopleOf } from './subject-lines.ts'
import { RemovedNotice } from './undo-removal-notice.tsx'

const ClosedCart = lazy(async () => ({ default: (await import('./closed-cart.tsx')).ClosedCart }))

/** Everything chosen so far, person by person, each package as it will print. */
export const CartScreen = (place: CustomerRoute) => {
  const event = useEvent()
  const { jobId, orderMethod } = event
  const key = useMemo(() => ({ jobId, orderMethod }), [jobId, orderMethod])
  const view = useCart(jobId, orderMethod)
  const closedCart = useClosedCart(event)
  const known = useKnownIds(key, view?.cart.subjects ?? [])
  const offered = useAsk(listPackages, { params: { jobId }, query: { orderMethod } })
  const fields = useJobFields().data
  const numberOf = useTypedNumbers(jobId)
  const services = useOfferedServices()
  const arriving = useArriving()
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
      {!empty && <NoOrdering event={event} totalCents={view.totalCents} />}
      <OrderedNotice place={place} cartKey={key} empty={empty} />
      <MethodSwitch />
      <RefusedList cartKey={key} view={view} />
      {empty && closed}
      {empty && !(closedCart && event.closed) && (
        <EmptyState
          icon={ShoppingBag}
          title={closedCart ? 'Your new cart is empty' : 'Your cart is empty'}
          action={<ButtonLink href={urls.subjectSearch(place)}>Choose who to order for</ButtonLink>}
        >
          The packages you choose will be here, drawn as they will print.
        </EmptyState>
      )}
      {peopleOf(view, services.data).map((person) => (
        <CartPerson
          key={person.subject.personId ?? person.subject.subjectId}
          {...{ place, person, view, fields, known }}
          number={numberOf(person.subject)}
          cartKey={key}
          offered={offered.data}
          services={services.data}
        />
      ))}
      <RemovedNotice cartKey={key} lineCount={view.lines.length} afterwards="cart" />
      {!empty && (
        <>
          <ButtonLink href={urls.subjectSearch(place)} variant="secondary">
            Order for another person
          </ButtonLink>
          <TotalLines view={view} />
          <HandOverLink place={place} />
          <KeepingNotice />
          {view.status.kind !== 'attention' && <InstallOffer />}
          {closed}
          <CartBar place={place} view={view} offered={offered.data} fields={fields} services={services.data} />
        </>
      )}
    </div>
  )
}
