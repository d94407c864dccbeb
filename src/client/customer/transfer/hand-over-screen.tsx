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
  const blocker = view ? handOverBlocker(view.status.kind, online) : null
  const { created, problem, renew } = useHandOver({ jobId, orderMethod }, view !== undefined && blocker === null)
  useEffect(sendNow, [])
  return (
    <div className={styles.screen}>
      <h1 tabIndex={-1}>Continue on another device</h1>
      {/* Present while empty, so that screen readers announce later changes. */}
      <div role="status">{created?.status === 'taken' && <HandedOver renew={renew} />}</div>
      {created?.status === 'waiting' && <HandOverCode handOver={created.handOver} renew={renew} />}
      {created?.status === 'over' && <ExpiredCode renew={renew} />}
      {!created && <NotCreated {...{ blocker, problem, renew }} />}
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
    Use either one: changes on one show on the other.
  </EmptyState>
)

const ExpiredCode = ({ renew }: RenewProps) => (
  <Notice
    tone="attention"
    title="This code has expired"
    action={
      <Button size="sm" onClick={renew}>
        Make a new code
      </Button>
    }
  >
    Only the latest code works, for ten minutes.
  </Notice>
)

type NotCreatedProps = RenewProps & { blocker: HandOverBlocker | null; problem: CallFailure | null }

const NotCreated = ({ blocker, problem, renew }: NotCreatedProps) => {
  if (!blocker && !problem) return <Loader label="Making your code" />
  const canRetry = blocker ? blocker.canRetry : true
  return (
    <Notice
      tone="attention"
      title={blocker?.title ?? 'We couldn’t make the code'}
      action={
        canRetry && (
          <Button size="sm" variant="secondary" onClick={blocker ? sendNow : renew}>
            Try again
          </Button>
        )
      }
    >
      {blocker?.message ?? problem?.errors.join(' ')}
    </Notice>
  )
}
