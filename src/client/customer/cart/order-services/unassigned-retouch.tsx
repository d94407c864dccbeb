import type { OrderedService } from '#client/customer/shared/order-services/ordered-services.ts'
import { imageWithdrawnMessage } from '#domain/cart/line-blocker.ts'
import type { CartKey } from '#local/store/database.ts'
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
 * it. Changes by the studio are decided first.
 */
export const UnassignedRetouch = ({ cartKey, service, image, images }: UnassignedRetouchProps) => {
  if ((image.printed && !service.isWithdrawn) || service.change) return null
  const free = images.filter((one) => one.printed && !one.retouched)
  return (
    <Notice
      tone="attention"
      title={
        service.isWithdrawn
          ? `${service.name}: ${imageWithdrawnMessage}`
          : `${service.name} is for a photo that is in no package any more`
      }
      action={
        <>
          {free.map((one) => (
            <Button key={one.imageId} size="sm" onClick={() => void moveRetouchWithUndo(cartKey, service, one)}>
              {one.thumbnailUrl && <img src={one.thumbnailUrl} alt="" className={styles.tiny} />}
              Move to {imageLabel(one)}
            </Button>
          ))}
          <Button size="sm" variant="secondary" onClick={() => void removeServiceWithUndo(cartKey, service)}>
            Remove
          </Button>
        </>
      }
    >
      {free.length > 0 ? 'On another photo it costs the same.' : 'There is no other photo to move it to.'}
    </Notice>
  )
}
