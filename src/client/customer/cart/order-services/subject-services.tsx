import type { OrderedService } from '#client/customer/shared/order-services/ordered-services.ts'
import type { CartSubject } from '#domain/cart/cart.ts'
import type { JobServices, OrderService } from '#domain/cart/order-service-types.ts'
import { servicesOnOffer } from '#domain/cart/order-services.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/rows.ts'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { imagesInCart } from '../cart-images.ts'
import { SubjectHeading } from '../subject-heading.tsx'
import type { SubjectLines } from '../subject-lines.ts'
import styles from './order-services.module.css'
import { PersonalizationFields } from './personalization-fields.tsx'
import { Retouching } from './retouching.tsx'
import { ServiceChangeNotice } from './service-change-notice.tsx'
import { PricedLabel, useOptimisticValue } from './service-controls.tsx'
import { clearCartService, setCartService } from './set-cart-service.ts'

type SubjectServicesProps = { cartKey: CartKey; subject: SubjectLines; view: CartView; offeredServices: JobServices }

/** Every order service that one subject can have. A tap adds or removes it. */
export const SubjectServices = ({ cartKey, subject: subjectLines, view, offeredServices }: SubjectServicesProps) => {
  const { subject, services, cents } = subjectLines
  const lines = subjectLines.lines.map(({ line }) => line)
  const availableServices = servicesOnOffer(offeredServices)
  const levels = availableServices.filter(({ kind }) => kind === 'retouch')
  const findOrderedService = (orderServiceId: number) =>
    services.find(({ key }) => key.orderServiceId === orderServiceId)
  const sharedProps = { cartKey, subject, offeredServices }
  const id = `services-${subject.personId ?? subject.subjectId}`
  return (
    <section aria-labelledby={id} className={styles.subject}>
      <SubjectHeading {...{ id, subject, cents }} />
      {levels.length > 0 && (
        <Retouching
          {...sharedProps}
          levels={levels}
          orderedServices={services}
          images={imagesInCart(view.cart, subject)}
        />
      )}
      {availableServices
        .filter(({ kind }) => kind === 'personalization')
        .map((service) => (
          <PersonalizationFields
            key={service.orderServiceId}
            {...{ ...sharedProps, service, lines }}
            orderedService={findOrderedService(service.orderServiceId)}
          />
        ))}
      {availableServices
        .filter(({ kind }) => kind === 'service')
        .map((service) => (
          <Extra
            key={service.orderServiceId}
            {...{ ...sharedProps, service }}
            orderedService={findOrderedService(service.orderServiceId)}
          />
        ))}
    </section>
  )
}

type ExtraProps = {
  cartKey: CartKey
  subject: CartSubject
  service: OrderService
  offeredServices: JobServices
  orderedService: OrderedService | undefined
}

const Extra = ({ cartKey, subject, service, offeredServices, orderedService }: ExtraProps) => {
  const { value: isChecked, setOptimistically } = useOptimisticValue(orderedService !== undefined)
  const toggle = (isOn: boolean) => {
    if (isOn) void setOptimistically(isOn, setCartService(cartKey, { owner: subject, service, offeredServices }))
    else void setOptimistically(isOn, clearCartService(cartKey, { owner: subject, ...service }))
  }
  return (
    <div className={styles.kind}>
      <Checkbox
        label={<PricedLabel service={service} />}
        hint={service.description}
        checked={isChecked}
        onValue={toggle}
      />
      {orderedService && <ServiceChangeNotice {...{ cartKey, offeredServices }} service={orderedService} />}
    </div>
  )
}
