import type { LiveCart } from '#contract/customer/cart-calls.ts'
import { type OrderMethod, orderMethods } from '#domain/catalogue/catalogue.ts'
import { saveCartSummary } from '../outbox/enqueue.ts'
import { isPending } from '../outbox/outbox-rows.ts'
import { readConfirmedCart } from '../store/confirmed-cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { refreshCart } from './refresh-cart.ts'
import type { RequestFunction } from './request.ts'

/** An event's carts as the server has them. */
export type ServerCarts = { jobId: number; live: readonly LiveCart[] }

/**
 * The order methods whose cart differs between the server and this device, or is missing here, as after the browser deleted its storage.
 * Leaves out carts with unsent mutations: the sync response brings those.
 */
export const staleOrderMethods = async (db: LocalDatabase, { jobId, live }: ServerCarts): Promise<OrderMethod[]> => {
  const kept = await db.carts.where({ jobId }).toArray()
  const unsent = await db.outbox.where({ jobId }).and(isPending).toArray()
  return orderMethods.filter((orderMethod) => {
    const isIt = (one: { orderMethod: OrderMethod }) => one.orderMethod === orderMethod
    const here = kept.find(isIt)?.cart
    const there = live.find(isIt)
    const isSame = there ? here?.id === there.id && here.version === there.version : !here?.id
    return !isSame && !unsent.some(isIt)
  })
}

/** Whether the cart this device is filling is one of this event, with something in it. */
const isFilling = async (db: LocalDatabase, jobId: number): Promise<boolean> => {
  const fact = await db.device.get('cart')
  return fact?.key === 'cart' && fact.value.cartJobId === jobId && fact.value.cartPackageCount > 0
}

/** Stores the studio's subjects of this cart as confirmed, where they are not stored yet (with a proof, perhaps). Returns their ids. */
const saveSubjectsOfCart = async (db: LocalDatabase, key: CartKey): Promise<number[]> => {
  const { jobId, subjects } = await readConfirmedCart(db, key)
  const ofStudio = subjects.flatMap(({ subjectId, personId }) =>
    personId === null && subjectId !== null ? subjectId : [],
  )
  await db.transaction('rw', db.subjects, async () => {
    for (const subjectId of ofStudio)
      if (!(await db.subjects.get([jobId, subjectId]))) await db.subjects.add({ jobId, subjectId, proof: null })
  })
  return ofStudio
}

/** `filled`: the order method of the cart that the customer continues with, where this device knew no filled cart of the job. */
export type PulledCarts = { subjectIds: number[]; filled: OrderMethod | null }

/** Reads these carts from the server and stores them with their confirmed subjects and summary. Returns those subjects' ids. */
export const pullCarts = async (
  db: LocalDatabase,
  ask: RequestFunction,
  keys: readonly CartKey[],
): Promise<PulledCarts> => {
  const pulled: PulledCarts = { subjectIds: [], filled: null }
  for (const key of keys) {
    const before = await isFilling(db, key.jobId)
    const answer = await refreshCart(db, ask, key)
    if (!answer.ok) continue
    pulled.subjectIds.push(...(await saveSubjectsOfCart(db, key)))
    const cart = await readConfirmedCart(db, key)
    if (before || cart.cartPackages.length === 0) continue
    await db.transaction('rw', db.device, () => saveCartSummary(db, cart))
    pulled.filled = key.orderMethod
  }
  return pulled
}
