import { type Change, type ServiceKey, type Stamp, stampChange } from '#domain/cart/mutation.ts'
import type { PersonalizationChoice, ServiceSnapshot } from '#domain/cart/order-service-types.ts'
import { type ChangeResult, changeCart } from '../cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'

export type OrderServiceChange = CartKey & {
  for: Omit<ServiceKey, 'orderServiceId'>
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
  { for: subject, snapshot, personalization, insteadOf, ...key }: OrderServiceChange,
): Promise<ChangeResult> => {
  const { orderServiceId, price } = snapshot.service
  const change = stampChange({ do: 'service.set', ...subject, orderServiceId, personalization, price }, stamp)
  const leaving: Change[] = insteadOf ? [{ do: 'service.remove', ...insteadOf }] : []
  const left = leaving.map((one) => ({ mutation: stampChange(one, stamp), snapshot: null }))
  return changeCart(db, key, [{ mutation: change, snapshot }, ...left])
}

/** Chooses the year-book image of a subject. */
export const chooseYearBookPose = (
  db: LocalDatabase,
  stamp: Stamp,
  { subjectId, imageId, ...key }: CartKey & { subjectId: number; imageId: number },
): Promise<ChangeResult> =>
  changeCart(db, key, [{ mutation: stampChange({ do: 'pose.set', subjectId, imageId }, stamp), snapshot: null }])
