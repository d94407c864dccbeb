import BookOpen from 'lucide-react/icons/book-open'
import Check from 'lucide-react/icons/check'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import { chooseYearBookPose } from '#local/outbox/set-order-service.ts'
import { database, stamp } from '#platform/database.ts'
import { Button } from '#ui/button/button.tsx'
import { toastError } from '#ui/toast/toast.ts'
import styles from './select-package.module.css'

type YearBookPoseProps = { subjectId: number; image: Image; chosenImageId: number | null }

/** A button that makes the displayed image the yearbook image. Applied at once, any number of times. */
export const YearBookPose = ({ subjectId, image, chosenImageId }: YearBookPoseProps) => {
  const { jobId, orderMethod } = useJobContext()
  const isChosen = image.id === chosenImageId
  const choose = async () => {
    if (isChosen) return
    const result = await chooseYearBookPose(database, stamp, { jobId, orderMethod, subjectId, imageId: image.id })
    if (!result.ok) toastError([result.message])
  }
  // One button for both states keeps the focus.
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={isChosen ? Check : BookOpen}
      aria-pressed={isChosen}
      aria-label={isChosen ? 'This photo is in the yearbook' : 'Use this photo in the yearbook'}
      className={styles.corner}
      onClick={() => void choose()}
    >
      {isChosen ? 'In the yearbook' : 'Yearbook'}
    </Button>
  )
}

/** Until when the yearbook image can be chosen, or that the last choice was rejected. */
export const YearBookStatus = ({ subjectId }: Pick<YearBookPoseProps, 'subjectId'>) => {
  const { jobId, orderMethod, job } = useJobContext()
  const { yearBookPoseDeadline } = job.gallerySettings
  const isRejected = useCart(jobId, orderMethod)?.rejected.some((rejected) => rejected.subjectId === subjectId)
  return (
    <span role="status">
      {isRejected
        ? 'The studio didn’t accept your last choice. Your cart shows why.'
        : yearBookPoseDeadline && `Choose a yearbook photo until ${yearBookPoseDeadline}.`}
    </span>
  )
}
