import type { CartOrderService, LineSnapshot, Personalization } from '#domain/cart/cart.ts'
import { nameAndYearOn } from '#domain/cart/order-services.ts'

/** A service of an order as sold. */
export type ServiceRow = {
  name: string
  subjectId: number | null
  subject: LineSnapshot['subject'] | null
  service: CartOrderService | Personalization
}

/** The name and year that a subject's services print on a product. */
export const nameAndYearOf = (services: readonly ServiceRow[], subjectId: number | null, productCode: string): string =>
  services
    .flatMap((one) => {
      const isOfSubject = subjectId !== null && one.subjectId === subjectId
      return isOfSubject && 'nameToPrint' in one.service ? nameAndYearOn(productCode, one.service) : []
    })
    .filter((text) => text !== '')
    .join(', ')
