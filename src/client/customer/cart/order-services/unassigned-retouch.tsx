import type { OrderedService } from '#client/customer/shared/order-services/ordered-services.ts'
import { imageWithdrawnMessage } from '#domain/cart/line-blocker.ts'
import type { CartKey } from '#local/store/rows.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { type CartImage, imageLabel } from '../cart-images.ts'
import { moveRetouchWithUndo, removeServiceWithUndo } from '../remove-with-undo.ts'
import styles from './service-lines.module.css'

type UnassignedRetouchProps = {
  cartKey: CartKey
  service: OrderedService
  image: CartImage
  /** All of the subject's images. */
  images: readonly CartImage[]
}

/**
 * Retouching whose image was withdrawn or is in no package any more: the customer moves it to another image or removes
 * it. Renders nothing while `ServiceChangeNotice` shows a change by the studio.
 */
export const UnassignedRetouch = ({ cartKey, service, image, images }: UnassignedRetouchProps) => {
  if ((image.printed && !service.isWithdrawn) || service.change) return null
  const freeImages = images.filter((candidate) => candidate.printed && !candidate.retouched)
  return (
    <Notice
      tone="attention"
      title={
        service.isWithdrawn
          ? `${service.name}: ${imageWithdrawnMessage}`
          : `${service.name} is for a photo no longer in a package`
      }
      action={
        <>
          {freeImages.map((freeImage) => (
            <Button
              key={freeImage.imageId}
              size="sm"
              onClick={() => void moveRetouchWithUndo(cartKey, service, freeImage)}
            >
              {freeImage.thumbnailUrl && <img src={freeImage.thumbnailUrl} alt="" className={styles.smallThumbnail} />}
              Move to {imageLabel(freeImage)}
            </Button>
          ))}
          <Button size="sm" variant="secondary" onClick={() => void removeServiceWithUndo(cartKey, service)}>
            Remove
          </Button>
        </>
      }
    >
      {freeImages.length > 0 ? 'Same price on another photo.' : 'There is no other photo to move it to.'}
    </Notice>
  )
}
