import type { CartSubject } from '../../../../domain/cart.ts'
import { type JobServices, type OrderService, servicesOnOffer } from '../../../../domain/order-services.ts'
import type { CartView } from '../../../../local/cart-view.ts'
import type { CartKey } from '../../../../local/database.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import type { OrderedService } from '../../ordered-services.ts'
import type { PersonLines } from '../cart-people.ts'
import { picturesInCart } from '../cart-pictures.ts'
import { order, undoOrder } from '../order-service.ts'
import { PersonHead } from '../person-head.tsx'
import { ServiceChange } from '../service-change.tsx'
import { NameAndYear } from './name-and-year.tsx'
import { PricedLabel } from './priced-label.tsx'
import { Retouching } from './retouching.tsx'
import styles from './services.module.css'
import { useTapped } from './use-tapped.ts'

type PersonServicesProps = { cartKey: CartKey; person: PersonLines; view: CartView; offered: JobServices }

/** Everything one person's packages may have beside them; a tap orders it, another takes it back. */
export const PersonServices = ({ cartKey, person, view, offered }: PersonServicesProps) => {
  const { subject, services, cents } = person
  const onOffer = servicesOnOffer(offered)
  const levels = onOffer.filter(({ kind }) => kind === 'retouch')
  const orderedAs = (orderServiceId: number) => services.find(({ key }) => key.orderServiceId === orderServiceId)
  const shared = { cartKey, subject, offered }
  const id = `services-${subject.personId ?? subject.subjectId}`
  return (
    <section aria-labelledby={id} className={styles.person}>
      <PersonHead {...{ id, subject, cents }} />
      {levels.length > 0 && (
        <Retouching {...shared} levels={levels} ordered={services} pictures={picturesInCart(view.cart, subject)} />
      )}
      {onOffer
        .filter(({ kind }) => kind === 'personalization')
        .map((service) => (
          <NameAndYear
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
  const { shown, tap } = useTapped(ordered !== undefined)
  const toggle = (on: boolean) => {
    if (on) void tap(on, order(cartKey, { owner: subject, service, offered }))
    else void tap(on, undoOrder(cartKey, { owner: subject, ...service }))
  }
  return (
    <div className={styles.kind}>
      <Checkbox label={<PricedLabel service={service} />} hint={service.description} checked={shown} onValue={toggle} />
      {ordered && <ServiceChange {...{ cartKey, offered }} service={ordered} />}
    </div>
  )
}
