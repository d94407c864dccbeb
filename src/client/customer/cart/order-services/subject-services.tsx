import type { OrderedService } from '#client/customer/shared/order-services/ordered-services.ts'
import type { CartSubject } from '#domain/cart/cart.ts'
import type { JobServices, OrderService } from '#domain/cart/order-service-types.ts'
import { servicesOnOffer } from '#domain/cart/order-services.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/database.ts'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { imagesInCart } from '../cart-images.ts'
import { SubjectHeading } from '../subject-heading.tsx'
import type { SubjectLines } from '../subject-lines.ts'
import styles from './order-services.module.css'
import { PersonalizationFields } from './personalization-fields.tsx'
import { PricedLabel } from './priced-label.tsx'
import { Retouching } from './retouching.tsx'
import { ServiceChangeNotice } from './service-change-notice.tsx'
import { clearCartService, setCartService } from './set-cart-service.ts'
import { useOptimisticValue } from './use-optimistic-value.ts'

type SubjectServicesProps = { cartKey: CartKey; subject: SubjectLines; view: CartView; offered: JobServices }

/** Every order service that one subject can have. A tap adds it, another removes it. */
export const SubjectServices = ({ cartKey, subject: person, view, offered }: SubjectServicesProps) => {
  const { subject, services, cents } = person
  const onOffer = servicesOnOffer(offered)
  const levels = onOffer.filter(({ kind }) => kind === 'retouch')
  const orderedAs = (orderServiceId: number) => services.find(({ key }) => key.orderServiceId === orderServiceId)
  const shared = { cartKey, subject, offered }
  const id = `services-${subject.personId ?? subject.subjectId}`
  return (
    <section aria-labelledby={id} className={styles.person}>
      <SubjectHeading {...{ id, subject, cents }} />
      {levels.length > 0 && (
        <Retouching {...shared} levels={levels} ordered={services} images={imagesInCart(view.cart, subject)} />
      )}
      {onOffer
        .filter(({ kind }) => kind === 'personalization')
        .map((service) => (
          <PersonalizationFields
            key={service.orderServiceId}
            {...{ ...shared, service }}
            ordered={orderedAs(service.orderServiceId)}
          />
        ))}
      {onOffer
        .filter(({ kind }) => kind === 'service')
        .map((service) => (
          <Extra key={service.orderServiceId} {...{ ...shared, service }} ordered={orderedAs(service.orderServiceId)} />
        ))}
    </section>
  )
}

type ExtraProps = {
  cartKey: CartKey
  subject: CartSubject
  service: OrderService
  offered: JobServices
  ordered: OrderedService | undefined
}

const Extra = ({ cartKey, subject, service, offered, ordered }: ExtraProps) => {
  const { shown, tap } = useOptimisticValue(ordered !== undefined)
  const toggle = (on: boolean) => {
    if (on) void tap(on, setCartService(cartKey, { owner: subject, service, offered }))
    else void tap(on, clearCartService(cartKey, { owner: subject, ...service }))
  }
  return (
    <div className={styles.kind}>
      <Checkbox label={<PricedLabel service={service} />} hint={service.description} checked={shown} onValue={toggle} />
      {ordered && <ServiceChangeNotice {...{ cartKey, offered }} service={ordered} />}
    </div>
  )
}
