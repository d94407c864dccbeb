import type { OrderService, ServiceKind } from '#domain/cart/order-service-types.ts'

const kindLabels: Readonly<Record<ServiceKind, string>> = {
  retouch: 'retouching',
  personalization: 'name and year',
  service: 'extras',
}

const kindsInOrder = ['retouch', 'personalization', 'service'] as const

/** A short list of the services that a job offers: `Retouching, name and year`. Empty if it offers none. */
export const offeredServicesLabel = (offeredServices: readonly OrderService[]): string => {
  const label = kindsInOrder
    .filter((kind) => offeredServices.some((service) => service.kind === kind))
    .map((kind) => kindLabels[kind])
    .join(', ')
  return label.slice(0, 1).toUpperCase() + label.slice(1)
}
