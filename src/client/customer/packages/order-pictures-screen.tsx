import ArrowLeft from 'lucide-react/icons/arrow-left'
import { withReplacements } from '../../../contract/customer-find.ts'
import { getOrderPoses } from '../../../contract/order-poses.ts'
import { useAsk } from '../../device/use-ask.ts'
import { type OrderRoute, urls } from '../../shell/urls.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { OrganizationTypeContext } from '../organization-type.ts'
import { useKept } from '../use-kept.ts'
import { ChoosePictures } from './choose-pictures.tsx'
import styles from './options.module.css'
import { PersonLoading } from './person-states.tsx'
import { posesKey, readPosesDraft } from './poses-draft.ts'

const reasons = {
  waiting: {
    title: 'There are no pictures to choose from',
    words: 'Your order says which are still to come.',
  },
  closed: {
    title: 'These pictures are with the lab',
    words: 'They cannot be changed here any more. Ask the studio if something is wrong with them.',
  },
} as const

/** The pictures of an order from before the picture day, chosen once they are there. */
export const OrderPicturesScreen = (route: OrderRoute) => {
  const { jobId, orderNumber } = route
  const asked = useAsk(
    getOrderPoses,
    Number.isNaN(jobId) ? null : { params: { jobId, orderId: orderNumber }, query: withReplacements },
  )
  const keptBefore = useKept(posesKey(jobId, orderNumber))
  const { problem } = asked
  const unreachable = problem?.status === 'unreachable'
  const kept = readPosesDraft(keptBefore?.value)
  const data = asked.data ?? (unreachable ? kept?.poses : undefined)
  const toOrder = <ButtonLink href={urls.order(route)}>Look at the order</ButtonLink>
  if (asked.loading || !keptBefore) return <PersonLoading />
  if (!data) {
    const again = <Button onClick={asked.again}>Try again</Button>
    return (
      <EmptyState
        level={1}
        title={unreachable ? 'Choosing pictures needs a connection' : 'Find your order first'}
        action={unreachable ? again : toOrder}
      >
        {unreachable ? 'Your order is safe. Try again when you are connected.' : 'This phone does not know it yet.'}
      </EmptyState>
    )
  }
  if (data.state !== 'open') {
    const { title, words } = reasons[data.state]
    return (
      <EmptyState level={1} title={title} action={toOrder}>
        {words}
      </EmptyState>
    )
  }
  return (
    <OrganizationTypeContext value={data.organizationType}>
      <div className={styles.screen}>
        <header className={styles.head}>
          <ButtonLink href={urls.order(route)} variant="quiet" size="sm" icon={ArrowLeft} className={styles.back}>
            Back
          </ButtonLink>
          <h1>Choose the pictures</h1>
        </header>
        <ChoosePictures key={orderNumber} route={route} poses={data} kept={kept} />
      </div>
    </OrganizationTypeContext>
  )
}
