import { type Change, type ServiceKey, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import type { PersonalizationChoice, ServiceSnapshot } from '#domain/cart/order-service-types.ts'
import { type ChangeResult, changeCart } from '../cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { CartKey } from '../store/rows.ts'

export type OrderServiceChange = CartKey & {
  /** The subject, or one image of the subject, that the service is ordered for. */
  target: Omit<ServiceKey, 'orderServiceId'>
  /** The service as it was shown. */
  snapshot: ServiceSnapshot
  personalization: PersonalizationChoice | null
  /** The service that it replaces. */
  insteadOf?: ServiceKey | undefined
}

/** Orders a service for a subject in the cart, or changes it. */
export const setOrderService = (
  db: LocalDatabase,
  stamp: Stamp,
  { target, snapshot, personalization, insteadOf, ...key }: OrderServiceChange,
): Promise<ChangeResult> => {
  const { orderServiceId, price } = snapshot.service
  const change = stampChange({ do: 'service.set', ...target, orderServiceId, personalization, price }, stamp)
  const removals: Change[] = insteadOf ? [{ do: 'service.remove', ...insteadOf }] : []
  const removalMutations = removals.map((removal) => ({ mutation: stampChange(removal, stamp), snapshot: null }))
  return changeCart(db, key, [{ mutation: change, snapshot }, ...removalMutations])
}

/** Chooses the year-book image of a subject. */
export const chooseYearBookPose = (
  db: LocalDatabase,
  stamp: Stamp,
  { subjectId, imageId, ...key }: CartKey & { subjectId: number; imageId: number },
): Promise<ChangeResult> =>
  changeCart(db, key, [{ mutation: stampChange({ do: 'pose.set', subjectId, imageId }, stamp), snapshot: null }])
