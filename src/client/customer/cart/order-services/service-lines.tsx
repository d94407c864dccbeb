import Sparkles from 'lucide-react/icons/sparkles'
import Trash from 'lucide-react/icons/trash'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import {
  type OrderedService,
  personalizationLabel,
  serviceId,
} from '#client/customer/shared/order-services/ordered-services.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import { servicesOnOffer } from '#domain/cart/order-services.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/database.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink, IconButton } from '#ui/button/button.tsx'
import { Price } from '#ui/price.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { type CartImage, imageLabel, imageLabelWithStatus, imagesInCart } from '../cart-images.ts'
import { removeServiceWithUndo } from '../remove-with-undo.ts'
import type { SubjectLines } from '../subject-lines.ts'
import { offeredServicesLabel } from './offered-services-label.ts'
import { ServiceChangeNotice } from './service-change-notice.tsx'
import styles from './service-lines.module.css'
import { UnassignedRetouch } from './unassigned-retouch.tsx'

type ServiceLinesProps = {
  route: CustomerRoute
  cartKey: CartKey
  subject: SubjectLines
  view: CartView
  offered: JobServices | undefined
}

/** The services ordered for one subject, with a link to more if the job offers any. */
export const ServiceLines = ({ route, cartKey, subject: person, view, offered }: ServiceLinesProps) => {
  const { closed } = useJobContext()
  const { subject, services } = person
  const images = imagesInCart(view.cart, subject)
  const label = offered && closed === null ? offeredServicesLabel(servicesOnOffer(offered)) : ''
  return (
    <>
      {services.length > 0 && (
        <ul className={styles.ordered} aria-label={`Services for ${subject.firstName}`}>
          {services.map((service) => (
            <li key={serviceId(service)}>
              <ServiceLine
                {...{ cartKey, service, offered, images }}
                image={images.find(({ imageId }) => imageId === service.key.imageLookupId)}
              />
            </li>
          ))}
        </ul>
      )}
      {!offered && closed === null && <div className={styles.awaited} />}
      {label !== '' && (
        <ButtonLink href={urls.orderServices(route)} variant="quiet" size="sm" icon={Sparkles} className={styles.way}>
          {label}
          <VisuallyHidden> for {subject.firstName}</VisuallyHidden>
        </ButtonLink>
      )}
    </>
  )
}

type ServiceLineProps = {
  cartKey: CartKey
  service: OrderedService
  offered: JobServices | undefined
  image: CartImage | undefined
  /** All of the subject's images. */
  images: readonly CartImage[]
}

const ServiceLine = ({ cartKey, service, offered, image, images }: ServiceLineProps) => {
  const { closed } = useJobContext()
  const { name, cents, personalization } = service
  const of = image && imageLabel(image)
  return (
    <>
      <div className={styles.service}>
        {image?.thumbnailUrl && <img src={image.thumbnailUrl} alt="" className={styles.small} />}
        <div className={styles.about}>
          <p className={styles.name}>{name}</p>
          {image && <p className={styles.soft}>{imageLabelWithStatus(image)}</p>}
          {personalization && <p className={styles.soft}>{personalizationLabel(personalization)}</p>}
        </div>
        {closed === null && (
          <IconButton
            icon={Trash}
            label={['Remove', name, of && `of ${of}`].filter(Boolean).join(' ')}
            onClick={() => void removeServiceWithUndo(cartKey, service)}
          />
        )}
        <Price cents={cents} className={styles.price} />
      </div>
      <ServiceChangeNotice {...{ cartKey, service, offered, images }} />
      {image && closed === null && <UnassignedRetouch {...{ cartKey, service, image, images }} />}
    </>
  )
}
