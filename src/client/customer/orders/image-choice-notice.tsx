import type { Infer } from 'superstruct'
import { getOrderImageChoice, type OrderImageChoice } from '#contract/customer/order-image-choice.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type OrderRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

const firstNamesOf = (lines: Infer<typeof OrderImageChoice>['lines']): string =>
  [...new Set(lines.map(({ line }) => line.snapshot.subject.firstName))].join(' and ')

/** For a prepaid order: says that its images are not available yet, or links to the image choice. */
export const ImageChoiceNotice = (route: OrderRoute) => {
  const { jobId, orderNumber } = route
  const { data } = useQuery(getOrderImageChoice, { params: { jobId, orderId: orderNumber } })
  if (!data || data.state === 'closed' || data.lines.length === 0) return null
  const incompleteLines = data.lines.filter((line) => line.needsImages)
  // Not every subject is photographed on the day, and some are hidden.
  const isOpen = incompleteLines.some(({ images }) => images.length > 0)
  const namesWithoutImages = firstNamesOf(
    incompleteLines.filter(({ images, withheld }) => images.length === 0 && !withheld),
  )
  const namesOfWithheld = firstNamesOf(incompleteLines.filter((line) => line.withheld))
  if (data.state === 'waiting' && namesWithoutImages && !namesOfWithheld)
    return <Notice title="The photos haven’t been taken yet">We’ll email you when they’re ready.</Notice>
  const isWaiting = !isOpen && namesWithoutImages !== ''
  const chooseLink = data.state === 'open' && (
    <ButtonLink href={urls.orderImages(route)} variant={isOpen ? 'primary' : 'secondary'} size="sm">
      {isOpen ? 'Choose your photos' : 'Change your photos'}
    </ButtonLink>
  )
  const isChosen = data.state === 'open' || incompleteLines.length === 0
  return (
    <Notice
      tone={isOpen || namesOfWithheld ? 'attention' : isWaiting ? 'info' : 'success'}
      title={isOpen ? 'Your photos are ready' : isChosen ? 'Your photos are chosen' : 'No photos to choose from'}
      action={chooseLink}
    >
      {isOpen && 'We’ll print your order once you’ve chosen.'}
      {chooseLink && !isOpen && !isWaiting && !namesOfWithheld && 'You can change them until your order goes to print.'}
      {namesWithoutImages && ` ${namesWithoutImages}’s photos are still to come. We’ll email you when they’re ready.`}
      {namesOfWithheld && ` We can’t show ${namesOfWithheld}’s photos here. Please ask the studio.`}
    </Notice>
  )
}
