import Sparkles from 'lucide-react/icons/sparkles'
import Trash from 'lucide-react/icons/trash'
import { useEvent } from '#client/customer/shared/job/job-context.tsx'
import {
  type OrderedService,
  printedWords,
  serviceWord,
} from '#client/customer/shared/order-services/ordered-services.ts'
import { type JobServices, servicesOnOffer } from '#domain/cart/order-services.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/database.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink, IconButton } from '#ui/button/button.tsx'
import { Price } from '#ui/price.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { type CartPicture, photoWords, picturesInCart, standingWords } from '../cart-images.ts'
import { takeOutService } from '../remove-with-undo.ts'
import type { PersonLines } from '../subject-lines.ts'
import { offerWords } from './offered-services-label.ts'
import { ServiceChange } from './service-change-notice.tsx'
import styles from './service-lines.module.css'
import { StrayRetouch } from './unassigned-retouch.tsx'

type ServiceLinesProps = {
  place: CustomerRoute
  cartKey: CartKey
  person: PersonLines
  view: CartView
  offered: JobServices | undefined
}

/** What is ordered beside one person's packages, and the way to more of it where the event offers any. */
export const ServiceLines = ({ place, cartKey, person, view, offered }: ServiceLinesProps) => {
  const { closed } = useEvent()
  const { subject, services } = person
  const pictures = picturesInCart(view.cart, subject)
  const words = offered && closed === null ? offerWords(servicesOnOffer(offered)) : ''
  return (
    <>
      {services.length > 0 && (
        <ul className={styles.ordered} aria-label={`Services for ${subject.firstName}`}>
          {services.map((service) => (
            <li key={serviceWord(service)}>
              <ServiceLine
                {...{ cartKey, service, offered, pictures }}
                picture={pictures.find(({ imageId }) => imageId === service.key.imageLookupId)}
              />
            </li>
          ))}
        </ul>
      )}
      {!offered && closed === null && <div className={styles.awaited} />}
      {words !== '' && (
        <ButtonLink href={urls.orderServices(place)} variant="quiet" size="sm" icon={Sparkles} className={styles.way}>
          {words}
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
  picture: CartPicture | undefined
  /** All of the person's. */
  pictures: readonly CartPicture[]
}

const ServiceLine = ({ cartKey, service, offered, picture, pictures }: ServiceLineProps) => {
  const { closed } = useEvent()
  const { name, cents, personalization } = service
  const of = picture && photoWords(picture)
  return (
    <>
      <div className={styles.service}>
        {picture?.thumbnailUrl && <img src={picture.thumbnailUrl} alt="" className={styles.small} />}
        <div className={styles.about}>
          <p className={styles.name}>{name}</p>
          {picture && <p className={styles.soft}>{standingWords(picture)}</p>}
          {personalization && <p className={styles.soft}>{printedWords(personalization)}</p>}
        </div>
        {closed === null && (
          <IconButton
            icon={Trash}
            label={['Remove', name, of && `of ${of}`].filter(Boolean).join(' ')}
            onClick={() => void takeOutService(cartKey, service)}
          />
        )}
        <Price cents={cents} className={styles.price} />
      </div>
      <ServiceChange {...{ cartKey, service, offered, pictures }} />
      {picture && closed === null && <StrayRetouch {...{ cartKey, service, picture, pictures }} />}
    </>
  )
}
