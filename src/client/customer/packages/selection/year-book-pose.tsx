import BookOpen from 'lucide-react/icons/book-open'
import Check from 'lucide-react/icons/check'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import { chooseYearBookPose } from '#local/outbox/set-order-service.ts'
import { database, stamp } from '#platform/database.ts'
import { Button } from '#ui/button/button.tsx'
import { toastError } from '#ui/toast/toast.ts'
import styles from './year-book-pose.module.css'

type YearBookPoseProps = { subjectId: number; image: Image; chosenImageId: number | null }

/**
 * Whether the displayed image is the yearbook image, with a button to select it. Applied at once, any number of times.
 */
export const YearBookPose = ({ subjectId, image, chosenImageId }: YearBookPoseProps) => {
  const { jobId, orderMethod, job } = useJobContext()
  const { yearBookPoseDeadline } = job.gallerySettings
  const view = useCart(jobId, orderMethod)
  const isChosen = image.id === chosenImageId
  const choose = async () => {
    if (isChosen) return
    const result = await chooseYearBookPose(database, stamp, { jobId, orderMethod, subjectId, imageId: image.id })
    if (!result.ok) toastError([result.message])
  }
  const isRejected = view?.rejected.some((rejected) => rejected.subjectId === subjectId) ?? false
  return (
    <div className={styles.pose}>
      {/* One button for both states keeps the focus. */}
      <Button
        variant={isChosen ? 'quiet' : 'secondary'}
        size="sm"
        icon={isChosen ? Check : BookOpen}
        aria-pressed={isChosen}
        onClick={() => void choose()}
      >
        {isChosen ? 'This photo is in the yearbook' : 'Use this photo in the yearbook'}
      </Button>
      <p role="status" className={styles.status}>
        {isRejected
          ? 'The studio didn’t accept your last choice. Your cart shows why.'
          : yearBookPoseDeadline && `You can choose until ${yearBookPoseDeadline}.`}
      </p>
    </div>
  )
}
