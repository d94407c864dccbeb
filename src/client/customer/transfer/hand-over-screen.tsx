import Check from 'lucide-react/icons/check'
import { useEffect } from 'react'
import type { CallFailure } from '#local/transport/request.ts'
import { startPageSync } from '#platform/sync/page-sync.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { useConnected } from '#platform/use-connected.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { useCart } from '../shared/cart/use-cart.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import layout from '../shared/layout/layout.module.css'
import styles from './hand-over.module.css'
import { type HandOverBlocker, handOverBlocker } from './hand-over-blocker.ts'
import { HandOverCode } from './hand-over-code.tsx'
import { useHandOver } from './use-hand-over.ts'

const sendNow = () => void startPageSync().wake('tap')

/** Shows the code that brings this cart to another device, once the cart is fully synced. */
export const HandOverScreen = (route: CustomerRoute) => {
  const { jobId, orderMethod } = useJobContext()
  const view = useCart(jobId, orderMethod)
  const online = useConnected()
  const why = view ? handOverBlocker(view.status.kind, online) : null
  const {
    made: created,
    problem,
    again: renew,
  } = useHandOver({ jobId, orderMethod }, view !== undefined && why === null)
  useEffect(sendNow, [])
  return (
    <div className={styles.screen}>
      <h1 tabIndex={-1}>Continue on another device</h1>
      {/* Present while empty, so that screen readers announce later changes. */}
      <div role="status">{created?.status === 'taken' && <HandedOver renew={renew} />}</div>
      {created?.status === 'waiting' && <HandOverCode handOver={created.handOver} renew={renew} />}
      {created?.status === 'over' && <Over renew={renew} />}
      {!created && <NotYet {...{ why, problem, renew }} />}
      <div>
        <ButtonLink href={urls.cart(route)} variant="quiet" className={layout.call}>
          Back to the cart
        </ButtonLink>
      </div>
    </div>
  )
}

type RenewProps = { renew: () => void }

const HandedOver = ({ renew }: RenewProps) => (
  <EmptyState
    icon={Check}
    title="Your other device has your cart now"
    action={
      <Button variant="secondary" onClick={renew}>
        Make another code
      </Button>
    }
  >
    You can go on with either one: what you change on one comes to the other.
  </EmptyState>
)

const Over = ({ renew }: RenewProps) => (
  <Notice
    tone="attention"
    title="This code is no longer good"
    action={
      <Button size="sm" onClick={renew}>
        Make a new code
      </Button>
    }
  >
    A code is good for ten minutes, and only the newest one.
  </Notice>
)

type NotYetProps = RenewProps & { why: HandOverBlocker | null; problem: CallFailure | null }

const NotYet = ({ why, problem, renew }: NotYetProps) => {
  if (!why && !problem) return <Loader label="Making your code" />
  const canTry = why ? why.canRetry : true
  return (
    <Notice
      tone="attention"
      title={why?.title ?? 'The code could not be made'}
      action={
        canTry && (
          <Button size="sm" variant="secondary" onClick={why ? sendNow : renew}>
            Try again
          </Button>
        )
      }
    >
      {why?.message ?? problem?.errors.join(' ')}
    </Notice>
  )
}
