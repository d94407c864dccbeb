import { type OrderedService, serviceId } from '#client/customer/shared/order-services/ordered-services.ts'
import type { CartSubject } from '#domain/cart/cart.ts'
import type { JobServices, OrderService } from '#domain/cart/order-service-types.ts'
import { toCents } from '#domain/pricing/money.ts'
import type { CartKey } from '#local/store/database.ts'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { Price } from '#ui/price.tsx'
import { type CartImage, imageLabelWithStatus } from '../cart-images.ts'
import styles from './order-services.module.css'
import { ServiceChangeNotice } from './service-change-notice.tsx'
import { clearCartService, setCartService } from './set-cart-service.ts'
import { UnassignedRetouch } from './unassigned-retouch.tsx'
import { useOptimisticValue } from './use-optimistic-value.ts'

type RetouchingProps = {
  cartKey: CartKey
  subject: CartSubject
  levels: readonly OrderService[]
  offered: JobServices
  ordered: readonly OrderedService[]
  images: readonly CartImage[]
}

/** Retouching for one subject: of all their images, or per image if the job offers it that way. */
export const Retouching = (props: RetouchingProps) => {
  const { cartKey, subject, levels, offered, ordered, images } = props
  // Ordered before the job switched between "all images" and "per image": it matches none of these choices.
  const unassigned = ordered
    .filter(({ kind, key }) => kind === 'retouch' && (key.imageLookupId === null) === offered.imageLevelService)
    .map((service) => <ServiceChangeNotice key={serviceId(service)} {...{ cartKey, offered, service, images }} />)
  if (!offered.imageLevelService) {
    return (
      <>
        {unassigned}
        <Level {...props} legend="Retouching" image={null} />
      </>
    )
  }
  return (
    <div className={styles.kind}>
      <h3>Retouching</h3>
      {unassigned}
      <ul className={styles.levels}>
        {levels
          .filter(({ description }) => description !== '')
          .map(({ orderServiceId, name, description }) => (
            <li key={orderServiceId}>
              {name}: {description}
            </li>
          ))}
      </ul>
      {images.length === 0 && (
        <p className={styles.soft}>
          Retouching goes by the picture, and none of {subject.firstName}’s own is in the cart yet.
        </p>
      )}
      <ul className={styles.pictures}>
        {images.map((image) => (
          <li key={image.imageId} className={styles.picture}>
            {image.thumbnailUrl && <img src={image.thumbnailUrl} alt="" className={styles.thumbnail} />}
            <Level {...props} legend={imageLabelWithStatus(image)} image={image} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const none = 'none'

const Level = (props: RetouchingProps & { legend: string; image: CartImage | null }) => {
  const { cartKey, subject, levels, offered, ordered, legend, image, images } = props
  const imageLookupId = image?.imageId ?? null
  const own = ordered.find(({ kind, key }) => kind === 'retouch' && key.imageLookupId === imageLookupId)
  const { shown, tap } = useOptimisticValue(own ? String(own.key.orderServiceId) : none)
  const choose = (value: string) => {
    const service = levels.find(({ orderServiceId }) => String(orderServiceId) === value)
    if (service) void tap(value, setCartService(cartKey, { owner: subject, service, offered, imageLookupId }))
    else if (shown !== none) {
      const orderServiceId = Number(shown)
      const name = levels.find((one) => one.orderServiceId === orderServiceId)?.name ?? legend
      void tap(value, clearCartService(cartKey, { owner: subject, orderServiceId, name, imageLookupId }))
    }
  }
  return (
    <div className={styles.level}>
      <RadioGroup
        legend={legend}
        options={[
          { value: none, label: 'No retouching' },
          ...levels.map(({ orderServiceId, name, description, price }) => ({
            value: String(orderServiceId),
            label: name,
            hint: image ? undefined : description,
            aside: <Price cents={toCents(price)} />,
          })),
        ]}
        value={shown}
        onValue={choose}
      />
      {own && <ServiceChangeNotice {...{ cartKey, offered }} service={own} />}
      {own && image && <UnassignedRetouch {...{ cartKey, image, images }} service={own} />}
    </div>
  )
}
