import type { OrderService, ServiceKind } from '#domain/cart/order-service-types.ts'

const kindWords: Readonly<Record<ServiceKind, string>> = {
  retouch: 'retouching',
  personalization: 'name and year',
  service: 'extras',
}

const inOrder = ['retouch', 'personalization', 'service'] as const

/** A short list of the services that a job offers: `Retouching, name and year`. Empty if it offers none. */
export const offeredServicesLabel = (onOffer: readonly OrderService[]): string => {
  const label = inOrder
    .filter((kind) => onOffer.some((one) => one.kind === kind))
    .map((kind) => kindWords[kind])
    .join(', ')
  return label.slice(0, 1).toUpperCase() + label.slice(1)
}
