import type { CartSubject } from '#domain/cart/cart.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import { type Cents, sumCents } from '#domain/pricing/money.ts'
import type { CartView, LineView } from '#local/store/cart-view.ts'
import { type OrderedService, orderedServices, servicesOfSubject } from '../shared/order-services/ordered-services.ts'

/** The packages and services of one subject in the cart; `cents` is their total. */
export type SubjectLines = { subject: CartSubject; lines: LineView[]; services: OrderedService[]; cents: Cents }

/** Groups the cart by subject, in the order in which they were added. */
export const groupLinesBySubject = (
  { cart, lines }: Pick<CartView, 'cart' | 'lines'>,
  offered: JobServices | undefined,
): SubjectLines[] => {
  const ordered = orderedServices(cart, offered)
  return cart.subjects.map((subject) => {
    const subjectLines = lines.filter(({ line }) =>
      subject.personId === null ? line.subjectId === subject.subjectId : line.personId === subject.personId,
    )
    const services = servicesOfSubject(subject, ordered)
    const cents = sumCents([
      ...subjectLines.map((line) => line.totalCents),
      ...services.map((service) => service.cents),
    ])
    return { subject, lines: subjectLines, services, cents }
  })
}
