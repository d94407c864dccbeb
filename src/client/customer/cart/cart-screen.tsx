import { useLiveQuery } from 'dexie-react-hooks'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import type { CartSubject } from '#domain/cart/cart.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { lazyWhenIdle } from '#platform/when-idle.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { CartOrderedNotice } from '../shared/cart/cart-ordered-notice.tsx'
import { useCartsLoading } from '../shared/cart/refresh-carts.ts'
import { useClosedCart } from '../shared/cart/see-cart-link.tsx'
import { useCart } from '../shared/cart/use-cart.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import { OrderMethodSwitch } from '../shared/job/order-method-switch.tsx'
import { OrderingUnavailableNotice } from '../shared/job/ordering-unavailable-notice.tsx'
import { useJobFields } from '../shared/job/use-job-fields.ts'
import { useOfferedServices } from '../shared/order-services/use-offered-services.ts'
import styles from './cart.module.css'
import { CartBar } from './cart-bar.tsx'
import { type AddOnOffer, CartSubjectSection } from './cart-subject-section.tsx'
import { CartTotals } from './cart-totals.tsx'
import { useKnownSubjectIds } from './copy-to-subject/use-known-subject-ids.ts'
import { HandOverLink } from './hand-over-link.tsx'
import { RejectedChanges } from './rejected-changes.tsx'
import { groupLinesBySubject } from './subject-lines.ts'
import { UndoRemovalNotice } from './undo-removal-notice.tsx'

const StorageWarning = lazyWhenIdle(async () => (await import('./storage-warning.tsx')).StorageWarning)

const UnsentNotice = lazyWhenIdle(async () => (await import('./unsent-notice.tsx')).UnsentNotice)

const InstallOffer = lazyWhenIdle(async () => (await import('./install/install-offer.tsx')).InstallOffer)

const ClosedCart = lazy(async () => ({ default: (await import('./closed-cart.tsx')).ClosedCart }))

/** Returns a subject's id in URLs: the device's own id for a typed-in subject, otherwise the studio's id. */
export const useSubjectNumbers = (jobId: number): ((subject: CartSubject) => number | null) => {
  const subjects = useLiveQuery(() => typedSubjectsOf(database, jobId), [jobId])
  return ({ subjectId, personId }) => {
    // The server has an id for a typed-in subject too, but no URL uses it.
    if (personId !== null && !subjects) return null
    const typedSubject = subjects?.find((typed) => typed.personId === personId)
    return typedSubject ? -typedSubject.n : subjectId
  }
}

type CartScreenProps = CustomerRoute & { renderAddOns: (offer: AddOnOffer) => ReactNode; reminder: ReactNode }

/** The cart, grouped by subject, with a print preview of each package. */
export const CartScreen = ({ renderAddOns, reminder, ...route }: CartScreenProps) => {
  const job = useJobContext()
  const { jobId, orderMethod } = job
  const key = useMemo(() => ({ jobId, orderMethod }), [jobId, orderMethod])
  const view = useCart(jobId, orderMethod)
  const closedCart = useClosedCart(job)
  const knownSubjectIds = useKnownSubjectIds(key, view?.cart.subjects ?? [])
  const packages = useQuery(listPackages, { params: { jobId }, query: { orderMethod } })
  const fields = useJobFields().data
  const subjectNumberOf = useSubjectNumbers(jobId)
  const services = useOfferedServices()
  const isLoading = useCartsLoading()
  if (!view || closedCart === undefined || (isLoading && view.lines.length === 0)) {
    return (
      <div className={styles.screen} aria-busy="true">
        <Skeleton shape="block" height="10rem" />
        <Skeleton shape="block" height="10rem" />
      </div>
    )
  }
  const isEmpty = view.lines.length === 0
  const closedCartSection = closedCart && (
    <Suspense fallback={<Skeleton shape="block" height="10rem" />}>
      <ClosedCart view={closedCart} />
    </Suspense>
  )
  return (
    <div className={styles.screen}>
      <div className={styles.heading}>
        <h1 id="cart" tabIndex={-1}>
          Cart
        </h1>
        {!isEmpty && reminder}
      </div>
      {!isEmpty && <OrderingUnavailableNotice job={job} totalCents={view.totalCents} />}
      <CartOrderedNotice route={route} cartKey={key} isEmpty={isEmpty} />
      <OrderMethodSwitch />
      <RejectedChanges cartKey={key} view={view} />
      <Suspense>
        <UnsentNotice view={view} />
      </Suspense>
      {isEmpty && closedCartSection}
      {isEmpty && !(closedCart && job.closedReason) && (
        <EmptyState
          icon={ShoppingBag}
          title={closedCart ? 'Your new cart is empty' : 'Your cart is empty'}
          action={<ButtonLink href={urls.subjectSearch(route)}>Choose who to order for</ButtonLink>}
        >
          Packages you choose appear here, as they will print.
        </EmptyState>
      )}
      {groupLinesBySubject(view, services.data).map((subject) => (
        <CartSubjectSection
          key={subject.subject.personId ?? subject.subject.subjectId}
          {...{ route, subject, view, fields, knownSubjectIds, renderAddOns }}
          subjectNumber={subjectNumberOf(subject.subject)}
          cartKey={key}
          offeredPackages={packages.data}
          services={services.data}
        />
      ))}
      <UndoRemovalNotice cartKey={key} lineCount={view.lines.length} nextFocusId="cart" />
      {!isEmpty && (
        <BelowPackages route={route} view={view}>
          {closedCartSection}
          <CartBar route={route} view={view} offeredPackages={packages.data} fields={fields} services={services.data} />
        </BelowPackages>
      )}
    </div>
  )
}

type BelowPackagesProps = { route: CustomerRoute; view: CartView; children: ReactNode }

/** What follows the packages of a cart; `children` come last. */
const BelowPackages = ({ route, view, children }: BelowPackagesProps) => (
  <>
    <ButtonLink href={urls.subjectSearch(route)} variant="secondary">
      Order for another child
    </ButtonLink>
    <CartTotals view={view} />
    <HandOverLink route={route} />
    <Suspense>
      <StorageWarning />
    </Suspense>
    {view.status.kind !== 'attention' && (
      <Suspense>
        <InstallOffer />
      </Suspense>
    )}
    {children}
  </>
)
