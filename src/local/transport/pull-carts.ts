import type { LiveCart } from '#contract/customer/cart-calls.ts'
import { type OrderMethod, orderMethods } from '#domain/catalogue/catalogue.ts'
import { saveCartSummary } from '../outbox/enqueue.ts'
import { isPending } from '../outbox/outbox-rows.ts'
import { readConfirmedCart } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { CartKey } from '../store/rows.ts'
import { refreshCart } from './refresh-cart.ts'
import type { RequestFunction } from './request.ts'

/** A job's carts as the server has them. */
export type ServerCarts = { jobId: number; live: readonly LiveCart[] }

/**
 * The order methods whose cart differs between the server and this device, or is missing here, as after the browser
 * deleted its storage. Leaves out carts with unsent mutations: the sync response brings those.
 */
export const staleOrderMethods = async (db: LocalDatabase, { jobId, live }: ServerCarts): Promise<OrderMethod[]> => {
  const storedCarts = await db.carts.where({ jobId }).toArray()
  const unsent = await db.outbox.where({ jobId }).and(isPending).toArray()
  return orderMethods.filter((orderMethod) => {
    const isOfMethod = (cart: { orderMethod: OrderMethod }) => cart.orderMethod === orderMethod
    const localCart = storedCarts.find(isOfMethod)?.cart
    const serverCart = live.find(isOfMethod)
    const isSame = serverCart
      ? localCart?.id === serverCart.id && localCart.version === serverCart.version
      : !localCart?.id
    return !isSame && !unsent.some(isOfMethod)
  })
}

/** Whether the current cart of this device belongs to this job and is not empty. */
const isFilling = async (db: LocalDatabase, jobId: number): Promise<boolean> => {
  const entry = await db.device.get('cart')
  return entry?.key === 'cart' && entry.value.cartJobId === jobId && entry.value.cartPackageCount > 0
}

/**
 * Stores the studio's subjects of this cart as confirmed, unless they are stored already (perhaps with a proof).
 * Returns their ids.
 */
const saveSubjectsOfCart = async (db: LocalDatabase, key: CartKey): Promise<number[]> => {
  const { jobId, subjects } = await readConfirmedCart(db, key)
  const studioSubjectIds = subjects.flatMap(({ subjectId, personId }) =>
    personId === null && subjectId !== null ? subjectId : [],
  )
  await db.transaction('rw', db.subjects, async () => {
    for (const subjectId of studioSubjectIds)
      if (!(await db.subjects.get([jobId, subjectId]))) await db.subjects.add({ jobId, subjectId, proof: null })
  })
  return studioSubjectIds
}

/**
 * `filled`: the order method of the cart that the customer continues with, if this device knew no filled cart of the
 * job.
 */
export type PulledCarts = { subjectIds: number[]; filled: OrderMethod | null }

/**
 * Reads these carts from the server and stores them with their confirmed subjects and summary. Returns those subjects'
 * ids.
 */
export const pullCarts = async (
  db: LocalDatabase,
  ask: RequestFunction,
  keys: readonly CartKey[],
): Promise<PulledCarts> => {
  const pulled: PulledCarts = { subjectIds: [], filled: null }
  for (const key of keys) {
    const wasFilling = await isFilling(db, key.jobId)
    const answer = await refreshCart(db, ask, key)
    if (!answer.ok) continue
    pulled.subjectIds.push(...(await saveSubjectsOfCart(db, key)))
    const cart = await readConfirmedCart(db, key)
    if (wasFilling || cart.cartPackages.length === 0) continue
    await db.transaction('rw', db.device, () => saveCartSummary(db, cart))
    pulled.filled = key.orderMethod
  }
  return pulled
}
