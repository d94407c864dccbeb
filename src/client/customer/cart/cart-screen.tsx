import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { lazy, Suspense, useMemo } from 'react'
import { listPackages } from '../../../contract/customer-find.ts'
import { useAsk } from '../../device/use-ask.ts'
import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useArriving } from '../current-carts.ts'
import { useEvent } from '../event.tsx'
import { MethodSwitch } from '../method-switch.tsx'
import { NoOrdering } from '../no-ordering.tsx'
import { useCart } from '../use-cart.ts'
import { useClosedCart } from '../use-closed-cart.ts'
import { useJobFields } from '../use-job-fields.ts'
import { useOfferedServices } from '../use-offered-services.ts'
import styles from './cart.module.css'
import { CartBar } from './cart-bar.tsx'
import { peopleOf } from './cart-people.ts'
import { CartPerson } from './cart-person.tsx'
import { HandOverLink } from './hand-over-link.tsx'
import { InstallOffer } from './install-offer.tsx'
import { KeepingNotice } from './keeping-notice.tsx'
import { OrderedNotice } from './ordered-notice.tsx'
import { RefusedList } from './refused-list.tsx'
import { RemovedNotice } from './removed-notice.tsx'
import { TotalLines } from './total-lines.tsx'
import { useKnownIds } from './use-known-ids.ts'
import { useTypedNumbers } from './use-typed-numbers.ts'

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
