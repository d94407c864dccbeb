import type { CartOrderService, LineSnapshot, Personalization } from '#domain/cart/cart.ts'
import { nameAndYearOn } from '#domain/cart/order-services.ts'

/** A service of an order as sold. */
export type ServiceRow = {
  name: string
  subjectId: number | null
  subject: LineSnapshot['subject'] | null
  service: CartOrderService | Personalization
}

/** The name and year that the services of a subject print on a product. */
export const nameAndYearOf = (services: readonly ServiceRow[], subjectId: number | null, productCode: string): string =>
  services
    .flatMap((row) => {
      const isOfSubject = subjectId !== null && row.subjectId === subjectId
      return isOfSubject && 'nameToPrint' in row.service ? nameAndYearOn(productCode, row.service) : []
    })
    .filter((text) => text !== '')
    .join(', ')
