import Sparkles from 'lucide-react/icons/sparkles'
import Trash from 'lucide-react/icons/trash'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import {
  type OrderedService,
  personalizationLabel,
  serviceId,
} from '#client/customer/shared/order-services/ordered-services.ts'
import type { JobServices, OrderService, ServiceKind } from '#domain/cart/order-service-types.ts'
import { servicesOnOffer } from '#domain/cart/order-services.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/rows.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink, IconButton } from '#ui/button/button.tsx'
import { Price } from '#ui/price.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { type CartImage, imageLabel, imageLabelWithStatus, imagesInCart } from '../cart-images.ts'
import { removeServiceWithUndo } from '../remove-with-undo.ts'
import type { SubjectLines } from '../subject-lines.ts'
import { ServiceChangeNotice } from './service-change-notice.tsx'
import styles from './service-lines.module.css'
import { UnassignedRetouch } from './unassigned-retouch.tsx'

type ServiceLinesProps = {
  route: CustomerRoute
  cartKey: CartKey
  subject: SubjectLines
  view: CartView
  offeredServices: JobServices | undefined
}

/** The services ordered for one subject, with a link to more if the job offers any. */
export const ServiceLines = ({ route, cartKey, subject: subjectLines, view, offeredServices }: ServiceLinesProps) => {
  const { closedReason } = useJobContext()
  const { subject, services } = subjectLines
  const images = imagesInCart(view.cart, subject)
  const label = offeredServices && closedReason === null ? offeredServicesLabel(servicesOnOffer(offeredServices)) : ''
  return (
    <>
      {services.length > 0 && (
        <ul className={styles.ordered} aria-label={`Services for ${subject.firstName}`}>
          {services.map((service) => (
            <li key={serviceId(service)}>
              <ServiceLine
                {...{ cartKey, service, offeredServices, images }}
                image={images.find(({ imageId }) => imageId === service.key.imageLookupId)}
              />
            </li>
          ))}
        </ul>
      )}
      {!offeredServices && closedReason === null && <div className={styles.linkPlaceholder} />}
      {label !== '' && (
        <ButtonLink
          href={urls.orderServices(route)}
          variant="quiet"
          size="sm"
          icon={Sparkles}
          className={styles.servicesLink}
        >
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
  offeredServices: JobServices | undefined
  image: CartImage | undefined
  /** All of the subject's images. */
  images: readonly CartImage[]
}

const ServiceLine = ({ cartKey, service, offeredServices, image, images }: ServiceLineProps) => {
  const { closedReason } = useJobContext()
  const { name, cents, personalization } = service
  const retouchedPhoto = image && imageLabel(image)
  return (
    <>
      <div className={styles.service}>
        {image?.thumbnailUrl && <img src={image.thumbnailUrl} alt="" className={styles.thumbnail} />}
        <div className={styles.details}>
          <p className={styles.name}>{name}</p>
          {image && <p className={styles.soft}>{imageLabelWithStatus(image)}</p>}
          {personalization && <p className={styles.soft}>{personalizationLabel(personalization)}</p>}
        </div>
        {closedReason === null && (
          <IconButton
            icon={Trash}
            label={['Remove', name, retouchedPhoto && `of ${retouchedPhoto}`].filter(Boolean).join(' ')}
            onClick={() => void removeServiceWithUndo(cartKey, service)}
          />
        )}
        <Price cents={cents} className={styles.price} />
      </div>
      <ServiceChangeNotice {...{ cartKey, service, offeredServices, images }} />
      {image && closedReason === null && <UnassignedRetouch {...{ cartKey, service, image, images }} />}
    </>
  )
}

const kindLabels: Readonly<Record<ServiceKind, string>> = {
  retouch: 'retouching',
  personalization: 'name and year',
  service: 'extras',
}

const kindsInOrder = ['retouch', 'personalization', 'service'] as const

/** A short list of the services that a job offers: `Retouching, name and year`. Empty if it offers none. */
export const offeredServicesLabel = (offeredServices: readonly OrderService[]): string => {
  const label = kindsInOrder
    .filter((kind) => offeredServices.some((service) => service.kind === kind))
    .map((kind) => kindLabels[kind])
    .join(', ')
  return label.slice(0, 1).toUpperCase() + label.slice(1)
}
