import type { Personalization } from './cart.ts'

export const serviceKinds = ['service', 'retouch', 'personalization'] as const
export type ServiceKind = (typeof serviceKinds)[number]

/** A service that a job offers (section 3, order service entries). `price` is decimal dollars. */
export type OrderService = {
  id: number
  orderServiceId: number
  kind: ServiceKind
  name: string
  description: string
  /** Level of retouching; null for other services. */
  level: 'basic' | 'premium' | null
  price: number
  enabled: boolean
}

/** What customers of a job may order in addition to packages (section 3, job order service flags). */
export type ServiceFlags = {
  allowRetouch: boolean
  allowNameOnAllPrints: boolean
  allowNameOnWallets: boolean
  /** Retouching is ordered per image instead of per subject. */
  imageLevelService: boolean
}

export type JobServices = ServiceFlags & { services: OrderService[] }

/** What a cart's service was built from. */
export type ServiceSnapshot = { service: OrderService; flags: ServiceFlags }

/** Name and year to print, and on which products (section 3, personalization entry). */
export type PersonalizationChoice = Pick<
  Personalization,
  'nameOnWallets' | 'nameOnAllPrints' | 'yearOnWallets' | 'yearOnAllPrints' | 'nameToPrint' | 'yearToPrint'
>
