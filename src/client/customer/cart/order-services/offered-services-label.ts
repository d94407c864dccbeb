import type { OrderService, ServiceKind } from '#domain/cart/order-service-types.ts'

const kindWords: Readonly<Record<ServiceKind, string>> = {
  retouch: 'retouching',
  personalization: 'name and year',
  service: 'extras',
}

const inOrder = ['retouch', 'personalization', 'service'] as const

/** What a job offers beside its packages, in a few words: `Retouching, name and year`. Empty where it offers nothing. */
export const offeredServicesLabel = (onOffer: readonly OrderService[]): string => {
  const words = inOrder
    .filter((kind) => onOffer.some((one) => one.kind === kind))
    .map((kind) => kindWords[kind])
    .join(', ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
