import { getOrderPoses } from '../../../contract/order-poses.ts'
import { useAsk } from '../../device/use-ask.ts'
import { type OrderRoute, urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** For an order from before the picture day: that its pictures are still to come, or the way to choose them. */
export const PosesNotice = (route: OrderRoute) => {
  const { jobId, orderNumber } = route
  const { data } = useAsk(getOrderPoses, { params: { jobId, orderId: orderNumber } })
  if (!data || data.state === 'closed' || data.lines.length === 0) return null
  if (data.state === 'waiting')
    return <Notice title="The pictures are still to be taken">We will write to you when the pictures are there.</Notice>
  const undone = data.lines.filter((line) => line.needsPoses)
  // Not everybody is photographed on the one day.
  const isOpen = undone.some(({ images }) => images.length > 0)
  const absent = undone.filter(({ images }) => images.length === 0)
  const names = [...new Set(absent.map(({ line }) => line.snapshot.subject.firstName))].join(' and ')
  const isWaiting = names !== '' && !isOpen
  const choose = (
    <ButtonLink href={urls.orderPictures(route)} variant={isOpen ? 'primary' : 'secondary'} size="sm">
      {isOpen ? 'Choose the pictures' : 'Change the pictures'}
    </ButtonLink>
  )
  return (
    <Notice
      tone={isOpen ? 'attention' : isWaiting ? 'info' : 'success'}
      title={isOpen ? 'Your pictures are there' : 'Your pictures are chosen'}
      action={choose}
    >
      {isOpen && 'Your order is printed once you have chosen.'}
      {!isOpen && !isWaiting && 'You can change them until the order goes to the lab.'}
      {names && ` The pictures of ${names} are still to come. We will write to you when they are there.`}
    </Notice>
  )
}
