import Check from 'lucide-react/icons/check'
import { useEffect } from 'react'
import { startSending } from '../../device/sending.ts'
import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loader } from '../../ui/loader.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useEvent } from '../event.tsx'
import { useCart } from '../use-cart.ts'
import { useConnected } from '../use-connected.ts'
import styles from './hand-over.module.css'
import { HandOverCode } from './hand-over-code.tsx'
import { useHandOver } from './use-hand-over.ts'
import { holdOf } from './why-not-yet.ts'

/** Shows the code that brings this cart to another device, once everything of it is with the studio. */
export const HandOverScreen = (place: CustomerRoute) => {
  const { jobId, orderMethod } = useEvent()
  const view = useCart(jobId, orderMethod)
  const online = useConnected()
  const why = view ? holdOf(view.status.kind, online) : null
  const { made, problem, again } = useHandOver({ jobId, orderMethod }, view !== undefined && why === null)
  useEffect(() => {
    void startSending().wake('tap')
  }, [])
  const back = (
    <ButtonLink href={urls.cart(place)} variant="quiet">
      Back to the cart
    </ButtonLink>
  )
  const content = () => {
    if (made?.standing === 'taken')
      return (
        <EmptyState
          icon={Check}
          title="Your other device has your cart now"
          action={
            <Button variant="secondary" onClick={again}>
              Make another code
            </Button>
          }
        >
          You can go on with either one: what you change on one comes to the other.
        </EmptyState>
      )
    if (made?.standing === 'waiting') return <HandOverCode handOver={made.handOver} again={again} />
    if (made)
      return (
        <Notice
          tone="attention"
          title="This code is no longer good"
          action={<Button onClick={again}>Make a new code</Button>}
        >
          A code is good for ten minutes, and only the newest one.
        </Notice>
      )
    if (why)
      return (
        <Notice
          tone="attention"
          title={why.title}
          action={
            why.again && (
              <Button size="sm" variant="secondary" onClick={() => void startSending().wake('tap')}>
                Try again
              </Button>
            )
          }
        >
          {why.sentence}
        </Notice>
      )
    if (problem)
      return (
        <Notice
          tone="attention"
          title="The code could not be made"
          action={
            <Button size="sm" onClick={again}>
              Try again
            </Button>
          }
        >
          {problem.errors.join(' ')}
        </Notice>
      )
    return <Loader label="Making your code" />
  }
  return (
    <div className={styles.screen}>
      <h1 tabIndex={-1}>Continue on another device</h1>
      {content()}
      <div>{back}</div>
    </div>
  )
}
