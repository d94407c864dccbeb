import ShoppingBag from 'lucide-react/icons/shopping-bag'
import Sparkles from 'lucide-react/icons/sparkles'
import { useState } from 'react'
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
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { RejectedChanges } from '../rejected-changes.tsx'
import { lastRemoval } from '../remove-with-undo.ts'
import { groupLinesBySubject } from '../subject-lines.ts'
import { UndoRemovalNotice } from '../undo-removal-notice.tsx'
import { offeredServicesLabel } from './offered-services-label.ts'
import styles from './order-services.module.css'
import { SubjectServices } from './subject-services.tsx'

/** The order services, per subject: retouching, name and year, extras. */
export const OrderServicesScreen = (route: CustomerRoute) => {
  const { jobId, orderMethod } = useJobContext()
  const view = useCart(jobId, orderMethod)
  const { data: offered, problem, refetch: retry } = useOfferedServices()
  if (problem && !offered) return <ServicesLoadError route={route} problem={problem} retry={retry} />
  if (!view || !offered) return <Loading />
  if (servicesOnOffer(offered).length === 0) return <NoServices route={route} />
  if (view.lines.length === 0) return <NoPackages route={route} />
  return <Services key={orderMethod} {...{ route, view, offered }} />
}

type ServicesProps = { route: CustomerRoute; view: CartView; offered: JobServices }

const Services = ({ route, view, offered }: ServicesProps) => {
  const { jobId, orderMethod, closed } = useJobContext()
  const key = { jobId, orderMethod }
  const last = useSignal(lastRemoval)
  const [before] = useState(last)
  return (
    <div className={styles.screen}>
      <h1 id="services" tabIndex={-1}>
        {offeredServicesLabel(servicesOnOffer(offered))}
      </h1>
      {closed && (
        <Notice tone="attention" title={closed}>
          What you chose stays here to look at.
        </Notice>
      )}
      <RejectedChanges cartKey={key} view={view} />
      <fieldset className={styles.people} disabled={closed !== null}>
        {groupLinesBySubject(view, offered).map((subject) => (
          <SubjectServices
            key={subject.subject.personId ?? subject.subject.subjectId}
            {...{ subject, view, offered }}
            cartKey={key}
          />
        ))}
      </fieldset>
      {/* Earlier removals are reported by the cart screen. */}
      {last !== before && <UndoRemovalNotice cartKey={key} lineCount={view.lines.length} afterwards="services" />}
      <BottomBar cents={view.totalCents}>
        <ButtonLink href={urls.cart(route)}>Back to the cart</ButtonLink>
      </BottomBar>
    </div>
  )
}

const Loading = () => (
  <div className={styles.screen} aria-busy="true">
    <VisuallyHidden>Loading what can be ordered</VisuallyHidden>
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
    Retouching and what is printed on the pictures go with a package. Choose one first.
  </EmptyState>
)

const NoServices = ({ route }: { route: CustomerRoute }) => (
  <EmptyState
    icon={Sparkles}
    level={1}
    title="Nothing more to order here"
    action={<ButtonLink href={urls.cart(route)}>Back to the cart</ButtonLink>}
  >
    The studio offers packages at this event, and nothing beside them.
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
    {problem.errors[0]}. Anything you chose is kept on this phone.
  </EmptyState>
)
