import type { ServiceKey, Stamp } from '../domain/mutation.ts'
import { stampChange } from '../domain/mutation.ts'
import type { PersonalizationChoice, ServiceSnapshot } from '../domain/order-services.ts'
import { type Changed, changeCart, type Removed, takeFrom } from './cart.ts'
import type { CartKey, LocalDatabase } from './database.ts'

export type WantedService = CartKey & {
  for: Omit<ServiceKey, 'orderServiceId'>
  /** The service as it was shown. */
  snapshot: ServiceSnapshot
  personalization: PersonalizationChoice | null
}

/** Orders a service for somebody in the cart, or changes how it is ordered. */
export const orderService = (
  db: LocalDatabase,
  stamp: Stamp,
  { for: whom, snapshot, personalization, ...key }: WantedService,
): Promise<Changed> => {
  const { orderServiceId } = snapshot.service
  const change = stampChange({ do: 'service.set', ...whom, orderServiceId, personalization }, stamp)
  return changeCart(db, key, [{ mutation: change, snapshot }])
}

/** Takes a service out, with the add-ons it held up; `undoRemove` puts all of it back. */
export const removeService = (
  db: LocalDatabase,
  stamp: Stamp,
  { key, ...cart }: CartKey & { key: ServiceKey },
): Promise<Removed> => takeFrom(db, stamp, { key: cart, change: { do: 'service.remove', ...key } })

/** Chooses somebody's picture for the year book. */
export const choosePose = (
  db: LocalDatabase,
  stamp: Stamp,
  { subjectId, imageId, ...key }: CartKey & { subjectId: number; imageId: number },
): Promise<Changed> =>
  changeCart(db, key, [{ mutation: stampChange({ do: 'pose.set', subjectId, imageId }, stamp), snapshot: null }])
