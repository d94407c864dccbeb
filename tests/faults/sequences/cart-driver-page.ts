import { liveQuery } from 'dexie'
import {
  newCustomisedPackage,
  toLineContent,
  toLineSnapshot,
} from '#client/customer/packages/customiser/customised-package.ts'
import { toSnapshotImages } from '#client/customer/packages/images/node-images.ts'
import {
  getSubject,
  listImages,
  listPackages,
  lookUpJob,
  withReplacements,
} from '#contract/customer/discovery-calls.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { GrantedSubject } from '#contract/shapes/job-structs.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import { customiseLine, type NewLine, readCart } from '#local/cart.ts'
import { contentOfLine } from '#local/outbox/cart-to-mutations.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { unsentCount } from '#local/outbox/sending-state.ts'
import { clearCart, removeLine, undoRemoval } from '#local/outbox/undoable-removals.ts'
import { type CartKey, openLocalDatabase } from '#local/store/database.ts'
import { request } from '#local/transport/http-client.ts'
import type { CallResult } from '#local/transport/request.ts'
import { addLine } from '#support/device/add-line.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { moveClock } from './moved-clock.ts'

/*
 * Drives the client's engine in the product's page: built from the same sources, on the same database, alongside the page's own. It does
 * what a tap on a button leads to, without the time to find the button.
 */

const db = openLocalDatabase()

/** A line as a customer sees it. `number`: in URLs; `state`: the status on its card. */
export type DeviceLine = {
  lineId: string
  number: number
  packageId: number
  quantity: number
  /** Its first text; null when it has none. */
  text: string | null
}

/** A package that can be added unchanged, with the content the screen would start with. */
export type AddablePackage = CartKey & NewLine & { name: string }

const dataOf = <Data>(answer: CallResult<Data>): Data => {
  if (!answer.ok) throw new Error(answer.errors.join())
  return answer.data
}

const textOf = (line: CartPackage): string | null =>
  line.cartPackageItems.flatMap((item) => item.textNodes)[0]?.value ?? null

const subjectOf = ({ id, grantId: _, jobId: __, ...facts }: GrantedSubject) => ({
  ...facts,
  subjectId: id,
  personId: null,
  dataFields: null,
})

/** The standard packages of a job for one subject, ready to add. */
const offers = async (key: CartKey, subjectId: number): Promise<AddablePackage[]> => {
  const { jobId, orderMethod } = key
  const packages = dataOf(await request(listPackages, { params: { jobId }, query: { orderMethod } }))
  const images: readonly Image[] = dataOf(
    await request(listImages, { params: { jobId, subjectId }, query: withReplacements }),
  )
  const person = subjectOf(dataOf(await request(getSubject, { params: { jobId, subjectId } })))
  const { organizationType } = dataOf(await request(lookUpJob, { params: { jobId } }))
  const standards = packages.filter(({ packageAddon }) => packageAddon.type === 'standard')
  return standards.map((one) => {
    const part = newCustomisedPackage(one, { person, images, imageId: null, orderMethod, organizationType })
    const snapshot = toLineSnapshot(part, person, toSnapshotImages(images))
    return { ...key, name: one.name, subjectId, personId: null, quantity: 1, snapshot, content: toLineContent(part) }
  })
}

const lineOf = async (key: CartKey, lineId: string): Promise<CartPackage> => {
  const { lines } = await readCart(db, key.jobId, key.orderMethod)
  const found = lines.find(({ line }) => line.lineId === lineId)
  if (!found) throw new Error(`there is no line ${lineId}`)
  return found.line
}

/** Replaces the line's first text. */
const write = async (key: CartKey, lineId: string, text: string) => {
  const content = contentOfLine(await lineOf(key, lineId))
  const textNodes = content.textNodes.map((node, index) => (index === 0 ? { ...node, value: text } : node))
  return await customiseLine(db, deviceStamp, { ...key, lineId, content: { ...content, textNodes } })
}

const view = async ({ jobId, orderMethod }: CartKey) => {
  const { lines, status, refused, paused } = await readCart(db, jobId, orderMethod)
  const shown = lines.map(
    ({ line, number }): DeviceLine => ({
      lineId: line.lineId,
      number,
      packageId: line.packageId,
      quantity: line.quantity,
      text: textOf(line),
    }),
  )
  return { lines: shown, status, refused, paused, unsent: await unsentCount(db) }
}

/** Resolves once the outbox is empty, with the time in milliseconds since 1970. */
const emptied = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const watching = liveQuery(() => unsentCount(db)).subscribe({
      next: (unsent) => {
        if (unsent > 0) return
        resolve(Date.now())
        // When it emits synchronously, the subscription does not exist yet.
        setTimeout(() => watching.unsubscribe())
      },
      error: reject,
    })
  })

const cartDriverMethods = {
  offers,
  add: (line: AddablePackage) => addLine(db, deviceStamp, line),
  setQuantity: (key: CartKey, lineId: string, quantity: number) =>
    setQuantity(db, deviceStamp, { ...key, lineId, quantity }),
  write,
  remove: (key: CartKey, lineId: string) => removeLine(db, deviceStamp, { ...key, lineId }),
  clear: (key: CartKey) => clearCart(db, deviceStamp, key),
  putBack: (key: CartKey, removed: CartPackage[]) => undoRemoval(db, deviceStamp, { ...key, removed }),
  view,
  emptied,
  moveClock,
}

export type CartDriver = typeof cartDriverMethods

declare global {
  var cartDriver: CartDriver
}

globalThis.cartDriver = cartDriverMethods
