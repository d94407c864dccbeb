import { oneOf, type Rules, required, when } from '../shared/validators.ts'
import { maxAmountCents, wholeNumber } from '../studio/rates.ts'
import { catalogueMessages, maxPosition } from './shipping-option.ts'

export const orderServiceKinds = {
  retouch: 'Retouching',
  personalization: 'Name and year',
  service: 'Other service',
} as const
export type OrderServiceKind = keyof typeof orderServiceKinds

export const retouchLevels = { basic: 'Basic', premium: 'Premium' } as const
export type RetouchLevel = keyof typeof retouchLevels

/** A service that jobs of all studios may offer with their orders. */
export type OrderServiceDraft = {
  kind: OrderServiceKind
  name: string
  description: string
  /** Only of retouching; null for the other kinds. */
  level: RetouchLevel | null
  /** The price until a job sets its own. */
  priceCents: number
  /** Services are offered in this order. */
  position: number
}

export const orderServiceMessages = {
  kindInUse: 'The kind cannot change, because jobs or orders have this service',
  nameTaken: 'Another service has this name',
  level: 'Only retouching has a level',
} as const

const isRetouching = ({ kind }: OrderServiceDraft): boolean => kind === 'retouch'

export const orderServiceRules: Rules<OrderServiceDraft> = {
  kind: oneOf(Object.keys(orderServiceKinds)),
  name: required(),
  level: [
    when(isRetouching, required()),
    (value, draft) => (value !== null && !isRetouching(draft) ? orderServiceMessages.level : null),
  ],
  priceCents: wholeNumber(0, maxAmountCents, catalogueMessages.price),
  position: wholeNumber(0, maxPosition, catalogueMessages.position),
}
