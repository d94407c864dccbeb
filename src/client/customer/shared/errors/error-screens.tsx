import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { isFinalFailure, studioNotLoaded } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { type CustomerRoute, type OrderRoute, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import { toastError } from '#ui/toast/toast.ts'
import styles from '../layout/layout.module.css'

/** The customer's not-found screen: a studio's URL that matches none of its jobs. */
export const CustomerNotFound = ({ studioSlug }: { studioSlug: string }) => {
  useStateTitle('Not found')
  return (
    <div className={styles.message}>
      <h1>We could not find this page</h1>
      <p>The link may be old or incomplete. Enter your code to find your event.</p>
      <div>
        <ButtonLink href={urls.customerStudio({ studioSlug })}>Enter your code</ButtonLink>
      </div>
    </div>
  )
}

type LayoutErrorProps = { problem: CallFailure; isStudioProblem: boolean; retry: () => void }

/** The job or its studio did not load. */
export const LayoutError = ({ problem, isStudioProblem, retry }: LayoutErrorProps) => {
  const title = isStudioProblem ? studioNotLoaded : 'This did not load'
  useStateTitle(title)
  return (
    <div className={styles.message}>
      <h1>{title}</h1>
      <p>{problem.errors[0]}. Anything you chose is saved on this phone.</p>
      <div>
        <Button onClick={retry}>Try again</Button>
      </div>
    </div>
  )
}

type OrderNotLoadedProps = { route: OrderRoute; problem: CallFailure | undefined; retry: () => void }

/** An order that cannot be edited here: this device does not know it, or it did not load. */
export const OrderNotLoaded = ({ route, problem, retry }: OrderNotLoadedProps) =>
  problem && !isFinalFailure(problem) ? (
    <EmptyState level={1} title="This did not load" action={<Button onClick={retry}>Try again</Button>}>
      {problem.errors[0]}. Your order is safe.
    </EmptyState>
  ) : (
    <EmptyState
      level={1}
      title="Find your order first"
      action={<ButtonLink href={urls.order(route)}>See the order</ButtonLink>}
    >
      It isn’t on this phone yet.
    </EmptyState>
  )

/** A subject this device does not know: explains why and links back to the subject list. */
export const UnknownSubject = (route: CustomerRoute) => {
  const [, navigate] = useLocation()
  const search = urls.subjectSearch(route)
  useEffect(() => {
    toastError(['That child isn’t on this phone. Choose or type in who you’re ordering for'])
    navigate(search, { replace: true })
  }, [search, navigate])
  return null
}
