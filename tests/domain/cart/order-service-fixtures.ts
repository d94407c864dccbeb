import type { ServiceKey } from '#domain/cart/mutation.ts'
import type {
  OrderService,
  PersonalizationChoice,
  ServiceFlags,
  ServiceSnapshot,
} from '#domain/cart/order-service-types.ts'

export const allServices: ServiceFlags = {
  allowRetouch: true,
  allowNameOnAllPrints: true,
  allowNameOnWallets: true,
  imageLevelService: false,
}

const service = (orderServiceId: number, overrides: Partial<OrderService>): OrderService => ({
  id: orderServiceId + 100,
  orderServiceId,
  kind: 'service',
  name: `Service ${orderServiceId}`,
  description: '',
  level: null,
  price: 5,
  enabled: true,
  ...overrides,
})

export const basicRetouch = service(1, { kind: 'retouch', level: 'basic', price: 8 })
export const premiumRetouch = service(2, { kind: 'retouch', level: 'premium', price: 15 })
export const nameService = service(3, { kind: 'personalization', price: 10 })
export const plainService = service(4, {})

export const serviceSnapshotOf = (orderService: OrderService, flags: Partial<ServiceFlags> = {}): ServiceSnapshot => ({
  service: orderService,
  flags: { ...allServices, ...flags },
})

export const keyOf = (orderService: OrderService, overrides: Partial<ServiceKey> = {}): ServiceKey => ({
  subjectId: 7,
  personId: null,
  orderServiceId: orderService.orderServiceId,
  imageLookupId: null,
  ...overrides,
})

export const nameAndYear = (
  nameToPrint = 'Ada',
  overrides: Partial<PersonalizationChoice> = {},
): PersonalizationChoice => ({
  nameOnWallets: false,
  nameOnAllPrints: true,
  yearOnWallets: false,
  yearOnAllPrints: true,
  nameToPrint,
  yearToPrint: '2027',
  ...overrides,
})
