import { boolean, enums, type Infer, integer, nullable, object, optional, string, type } from 'superstruct'
import {
  type OrderServiceKind,
  orderServiceKinds,
  type RetouchLevel,
  retouchLevels,
} from '#domain/platform/order-service-draft.ts'
import { Cents, Count, shortText, WholeNumber } from '../shapes/primitives.ts'
import { expectedVersion, listQuery } from '../shapes/staff-call.ts'
import { platformResource, Removal } from './platform-resource.ts'

const kinds = Object.keys(orderServiceKinds) as OrderServiceKind[] // the keys of a constant
const Level = nullable(enums(Object.keys(retouchLevels) as RetouchLevel[])) // the keys of a constant

/** A service that jobs of all studios may offer; jobs that offer an archived one no longer do. */
export const PlatformOrderService = type({
  id: integer(),
  kind: enums(kinds),
  name: string(),
  description: string(),
  level: Level,
  priceCents: Cents,
  position: Count,
  /** How many jobs offer it. */
  jobCount: Count,
  isArchived: boolean(),
  version: Count,
})
export type PlatformOrderService = Infer<typeof PlatformOrderService>

const draft = {
  kind: enums(kinds),
  name: shortText(),
  description: shortText(500),
  level: Level,
  priceCents: WholeNumber,
  position: WholeNumber,
}

const orderServices = platformResource({
  base: '/api/admin/order-services',
  query: object({ ...listQuery, type: optional(enums([...kinds, 'current', 'archived'])) }),
  item: PlatformOrderService,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion, isArchived: optional(boolean()) }),
})
export const {
  get: getPlatformOrderService,
  list: listPlatformOrderServices,
  post: postPlatformOrderService,
  put: putPlatformOrderService,
} = orderServices
/** Deletes a service, or archives it if a job, a cart or an order has it. */
export const deletePlatformOrderService = { ...orderServices.remove, answer: Removal }
