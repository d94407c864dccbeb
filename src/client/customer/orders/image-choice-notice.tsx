import type { Infer } from 'superstruct'
import { getOrderImageChoice, type OrderImageChoice } from '#contract/customer/order-image-choice.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type OrderRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

const namesOn = (lines: Infer<typeof OrderImageChoice>['lines']): string =>
  [...new Set(lines.map(({ line }) => line.snapshot.subject.firstName))].join(' and ')

/** For a prepaid order: says that its images are not available yet, or links to the image choice. */
export const ImageChoiceNotice = (route: OrderRoute) => {
  const { jobId, orderNumber } = route
  const { data } = useQuery(getOrderImageChoice, { params: { jobId, orderId: orderNumber } })
  if (!data || data.state === 'closed' || data.lines.length === 0) return null
  const incomplete = data.lines.filter((line) => line.needsPoses)
  // Not every subject is photographed on the day, and some are hidden.
  const isOpen = incomplete.some(({ images }) => images.length > 0)
  const awaited = namesOn(incomplete.filter(({ images, withheld }) => images.length === 0 && !withheld))
  const withheld = namesOn(incomplete.filter((line) => line.withheld))
  if (data.state === 'waiting' && awaited && !withheld)
    return <Notice title="The pictures are still to be taken">We will write to you when the pictures are there.</Notice>
  const isWaiting = !isOpen && awaited !== ''
  const choose = data.state === 'open' && (
    <ButtonLink href={urls.orderPictures(route)} variant={isOpen ? 'primary' : 'secondary'} size="sm">
      {isOpen ? 'Choose the pictures' : 'Change the pictures'}
    </ButtonLink>
  )
  const isChosen = data.state === 'open' || incomplete.length === 0
  return (
    <Notice
      tone={isOpen || withheld ? 'attention' : isWaiting ? 'info' : 'success'}
      title={isOpen ? 'Your pictures are there' : isChosen ? 'Your pictures are chosen' : 'No pictures to choose from'}
      action={choose}
    >
      {isOpen && 'Your order is printed once you have chosen.'}
      {choose && !isOpen && !isWaiting && !withheld && 'You can change them until the order goes to the lab.'}
      {awaited && ` The pictures of ${awaited} are still to come. We will write to you when they are there.`}
      {withheld && ` No pictures of ${withheld} can be shown here. Please ask the studio.`}
    </Notice>
  )
}
