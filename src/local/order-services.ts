import type { Cart } from '../domain/cart.ts'
import { type Change, type Recorded, type ServiceKey, type Stamp, stampChange } from '../domain/mutation.ts'
import { isSameService, type PersonalizationChoice, type ServiceSnapshot } from '../domain/order-services.ts'
import { type Changed, changeCart, type Removed, takeFrom } from './cart.ts'
import type { CartKey, LocalDatabase } from './database.ts'
import { servicesAgain } from './line-again.ts'

export type WantedService = CartKey & {
  for: Omit<ServiceKey, 'orderServiceId'>
  /** The service as it was shown. */
  snapshot: ServiceSnapshot
  personalization: PersonalizationChoice | null
  /** What it takes the place of, out of the cart with the same. */
  insteadOf?: ServiceKey | undefined
}

/** Orders a service for somebody in the cart, or changes how it is ordered. */
export const orderService = (
  db: LocalDatabase,
  stamp: Stamp,
  { for: whom, snapshot, personalization, insteadOf, ...key }: WantedService,
): Promise<Changed> => {
  const { orderServiceId, price } = snapshot.service
  const change = stampChange({ do: 'service.set', ...whom, orderServiceId, personalization, price }, stamp)
  const leaving: Change[] = insteadOf ? [{ do: 'service.remove', ...insteadOf }] : []
  const left = leaving.map((one) => ({ mutation: stampChange(one, stamp), snapshot: null }))
  return changeCart(db, key, [{ mutation: change, snapshot }, ...left])
}

/** Takes a service out, with the add-ons it held up; `undoRemove` puts all of it back. */
export const removeService = (
  db: LocalDatabase,
  stamp: Stamp,
  { key, ...cart }: CartKey & { key: ServiceKey },
): Promise<Removed> => takeFrom(db, stamp, { key: cart, change: { do: 'service.remove', ...key } })

/**
 * Gives the retouching of one picture to another of the same person, at what it costs already. Ordered there before it leaves here, so
 * that no add-on falls in between; `undoRemove` with the new one as `instead` gives it back.
 */
export const moveRetouch = (
  db: LocalDatabase,
  stamp: Stamp,
  { from, to, ...key }: CartKey & { from: ServiceKey; to: ServiceKey },
): Promise<Removed> => {
  // Somebody may have taken it out meanwhile, in another tab.
  const there = (cart: Cart) =>
    servicesAgain(cart, stamp).flatMap(({ mutation, snapshot }): Recorded[] =>
      mutation.do === 'service.set' && isSameService(mutation, from)
        ? [{ mutation: { ...mutation, imageLookupId: to.imageLookupId }, snapshot }]
        : [],
    )
  return takeFrom(db, stamp, { key, change: { do: 'service.remove', ...from }, first: there })
}

/** Chooses somebody's picture for the year book. */
export const choosePose = (
  db: LocalDatabase,
  stamp: Stamp,
  { subjectId, imageId, ...key }: CartKey & { subjectId: number; imageId: number },
): Promise<Changed> =>
  changeCart(db, key, [{ mutation: stampChange({ do: 'pose.set', subjectId, imageId }, stamp), snapshot: null }])
