import ShoppingBag from 'lucide-react/icons/shopping-bag'
import Sparkles from 'lucide-react/icons/sparkles'
import { Suspense, useState } from 'react'
import { SeeCart } from '#client/customer/shared/cart/see-cart-link.tsx'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { BottomBar } from '#client/customer/shared/layout/bottom-bar.tsx'
import { useOfferedServices } from '#client/customer/shared/order-services/use-offered-services.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import { servicesOnOffer } from '#domain/cart/order-services.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { useSignal } from '#platform/signal.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { lazyWhenIdle } from '#platform/when-idle.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { RejectedChanges } from '../rejected-changes.tsx'
import { lastRemoval } from '../remove-with-undo.ts'
import { groupLinesBySubject } from '../subject-lines.ts'
import { UndoRemovalNotice } from '../undo-removal-notice.tsx'
import styles from './order-services.module.css'
import { offeredServicesLabel } from './service-lines.tsx'
import { SubjectServices } from './subject-services.tsx'

const RetouchExamples = lazyWhenIdle(async () => (await import('./retouch-examples.tsx')).RetouchExamples)

/** The order services, per subject: retouching, name and year, extras. */
export const OrderServicesScreen = (route: CustomerRoute) => {
  const { jobId, orderMethod } = useJobContext()
  const view = useCart(jobId, orderMethod)
  const { data: offeredServices, problem, refetch: retry } = useOfferedServices()
  if (problem && !offeredServices) return <ServicesLoadError route={route} problem={problem} retry={retry} />
  if (!view || !offeredServices) return <Loading />
  if (servicesOnOffer(offeredServices).length === 0) return <NoServices route={route} />
  if (view.lines.length === 0) return <NoPackages route={route} />
  return <Services key={orderMethod} {...{ route, view, offeredServices }} />
}

type ServicesProps = { route: CustomerRoute; view: CartView; offeredServices: JobServices }

const Services = ({ route, view, offeredServices }: ServicesProps) => {
  const { jobId, orderMethod, closedReason } = useJobContext()
  const key = { jobId, orderMethod }
  const removal = useSignal(lastRemoval)
  const [removalAtOpen] = useState(removal)
  const services = servicesOnOffer(offeredServices)
  return (
    <div className={styles.screen}>
      <h1 id="services" tabIndex={-1}>
        {offeredServicesLabel(services)}
      </h1>
      {services.some(({ level }) => level) && (
        <div className={styles.examples}>
          <Suspense>
            <RetouchExamples services={services} />
          </Suspense>
        </div>
      )}
      {closedReason && (
        <Notice tone="attention" title={closedReason}>
          You can still see what you chose.
        </Notice>
      )}
      <RejectedChanges cartKey={key} view={view} />
      <fieldset className={styles.subjects} disabled={closedReason !== null}>
        {groupLinesBySubject(view, offeredServices).map((subject) => (
          <SubjectServices
            key={subject.subject.personId ?? subject.subject.subjectId}
            {...{ subject, view, offeredServices }}
            cartKey={key}
          />
        ))}
      </fieldset>
      {/* A removal from before this screen was opened is reported by the cart screen. */}
      {removal !== removalAtOpen && (
        <UndoRemovalNotice cartKey={key} lineCount={view.lines.length} nextFocusId="services" />
      )}
      <BottomBar cents={view.totalCents}>
        <ButtonLink href={urls.cart(route)}>Back to the cart</ButtonLink>
      </BottomBar>
    </div>
  )
}

const Loading = () => (
  <div className={styles.screen} aria-busy="true">
    <VisuallyHidden>Loading extras</VisuallyHidden>
    <Skeleton shape="block" height="4rem" />
    <Skeleton shape="block" height="12rem" />
    <Skeleton shape="block" height="6rem" />
  </div>
)

const NoPackages = ({ route }: { route: CustomerRoute }) => (
  <EmptyState
    icon={ShoppingBag}
    level={1}
    title="Your cart is empty"
    action={
      <>
        <ButtonLink href={urls.subjectSearch(route)}>Choose who to order for</ButtonLink> <SeeCart />
      </>
    }
  >
    Choose a package first, then add retouching or names.
  </EmptyState>
)

const NoServices = ({ route }: { route: CustomerRoute }) => (
  <EmptyState
    icon={Sparkles}
    level={1}
    title="No extras at this event"
    action={<ButtonLink href={urls.cart(route)}>Back to the cart</ButtonLink>}
  >
    The studio offers only packages here.
  </EmptyState>
)

type ServicesLoadErrorProps = { route: CustomerRoute; problem: CallFailure; retry: () => void }

const ServicesLoadError = ({ route, problem, retry }: ServicesLoadErrorProps) => (
  <EmptyState
    level={1}
    title={problem.status === 'unreachable' ? 'This is not on this phone yet' : 'This did not load'}
    action={
      <>
        <Button onClick={retry}>Try again</Button>
        <ButtonLink href={urls.cart(route)} variant="secondary">
          Back to the cart
        </ButtonLink>
      </>
    }
  >
    {problem.errors[0]}. Anything you chose is saved on this phone.
  </EmptyState>
)
