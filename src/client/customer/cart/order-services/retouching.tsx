import { type OrderedService, serviceId } from '#client/customer/shared/order-services/ordered-services.ts'
import type { CartSubject } from '#domain/cart/cart.ts'
import type { JobServices, OrderService } from '#domain/cart/order-service-types.ts'
import { toCents } from '#domain/pricing/money.ts'
import type { CartKey } from '#local/store/rows.ts'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { Price } from '#ui/price.tsx'
import { type CartImage, imageLabelWithStatus } from '../cart-images.ts'
import styles from './order-services.module.css'
import { ServiceChangeNotice } from './service-change-notice.tsx'
import { useOptimisticValue } from './service-controls.tsx'
import { clearCartService, setCartService } from './set-cart-service.ts'
import { UnassignedRetouch } from './unassigned-retouch.tsx'

type RetouchingProps = {
  cartKey: CartKey
  subject: CartSubject
  levels: readonly OrderService[]
  offeredServices: JobServices
  orderedServices: readonly OrderedService[]
  images: readonly CartImage[]
}

/** Retouching for one subject: of all their images, or per image if the job offers it that way. */
export const Retouching = (props: RetouchingProps) => {
  const { cartKey, subject, offeredServices, orderedServices, images } = props
  // Ordered before the job switched between "all images" and "per image": it matches none of these choices.
  const unassigned = orderedServices
    .filter(({ kind, key }) => kind === 'retouch' && (key.imageLookupId === null) === offeredServices.imageLevelService)
    .map((service) => (
      <ServiceChangeNotice key={serviceId(service)} {...{ cartKey, offeredServices, service, images }} />
    ))
  if (!offeredServices.imageLevelService) {
    return (
      <>
        {unassigned}
        <RetouchLevelField {...props} legend="Retouching" image={null} />
      </>
    )
  }
  return (
    <div className={styles.kind}>
      <h3>Retouching</h3>
      {unassigned}
      {images.length === 0 && (
        <p className={styles.soft}>
          Retouching is per photo, and none of {subject.firstName}’s own are in the cart yet.
        </p>
      )}
      <ul className={styles.images}>
        {images.map((image) => (
          <li key={image.imageId} className={styles.image}>
            {image.thumbnailUrl && <img src={image.thumbnailUrl} alt="" className={styles.thumbnail} />}
            <RetouchLevelField {...props} legend={imageLabelWithStatus(image)} image={image} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const noRetouching = 'none'

const RetouchLevelField = (props: RetouchingProps & { legend: string; image: CartImage | null }) => {
  const { cartKey, subject, levels, offeredServices, orderedServices, legend, image, images } = props
  const imageLookupId = image?.imageId ?? null
  const orderedLevel = orderedServices.find(
    ({ kind, key }) => kind === 'retouch' && key.imageLookupId === imageLookupId,
  )
  const { value: selected, setOptimistically } = useOptimisticValue(
    orderedLevel ? String(orderedLevel.key.orderServiceId) : noRetouching,
  )
  const choose = (value: string) => {
    const service = levels.find(({ orderServiceId }) => String(orderServiceId) === value)
    if (service)
      void setOptimistically(
        value,
        setCartService(cartKey, { owner: subject, service, offeredServices, imageLookupId }),
      )
    else if (selected !== noRetouching) {
      const orderServiceId = Number(selected)
      const name = levels.find((level) => level.orderServiceId === orderServiceId)?.name ?? legend
      void setOptimistically(value, clearCartService(cartKey, { owner: subject, orderServiceId, name, imageLookupId }))
    }
  }
  return (
    <div className={styles.level}>
      <RadioGroup
        legend={legend}
        options={[
          { value: noRetouching, label: 'No retouching' },
          ...levels.map(({ orderServiceId, name, description, price }) => ({
            value: String(orderServiceId),
            label: name,
            hint: description,
            aside: <Price cents={toCents(price)} />,
          })),
        ]}
        value={selected}
        onValue={choose}
      />
      {orderedLevel && <ServiceChangeNotice {...{ cartKey, offeredServices }} service={orderedLevel} />}
      {orderedLevel && image && <UnassignedRetouch {...{ cartKey, image, images }} service={orderedLevel} />}
    </div>
  )
}
