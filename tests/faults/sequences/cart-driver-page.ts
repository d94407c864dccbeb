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
import { openLocalDatabase } from '#local/store/database.ts'
import type { CartKey } from '#local/store/rows.ts'
import { request } from '#local/transport/http-client.ts'
import type { CallResult } from '#local/transport/request.ts'
import { addLine } from '#support/device/add-line.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { moveClock } from './moved-clock.ts'

/*
 * Changes the cart in the product's page directly through the client's modules, on the page's database. It does the same as a tap on a
 * button, but faster.
 */

const db = openLocalDatabase()

/** A line as a customer sees it. `number` is its number in URLs. */
export type DeviceLine = {
  lineId: string
  number: number
  packageId: number
  quantity: number
  /** The line's first text, or null. */
  text: string | null
}

/** A package that can be added unchanged, with the content the screen would start with. */
export type AddablePackage = CartKey & NewLine & { name: string }

const requireData = <Data>(result: CallResult<Data>): Data => {
  if (!result.ok) throw new Error(result.errors.join())
  return result.data
}

const firstTextOf = (line: CartPackage): string | null =>
  line.cartPackageItems.flatMap((item) => item.textNodes)[0]?.value ?? null

const toLineSubject = ({ id, grantId: _, jobId: __, ...subject }: GrantedSubject) => ({
  ...subject,
  subjectId: id,
  personId: null,
  dataFields: null,
})

/** The standard packages of a job for one subject, ready to add. */
const listAddablePackages = async (key: CartKey, subjectId: number): Promise<AddablePackage[]> => {
  const { jobId, orderMethod } = key
  const packages = requireData(await request(listPackages, { params: { jobId }, query: { orderMethod } }))
  const images: readonly Image[] = requireData(
    await request(listImages, { params: { jobId, subjectId }, query: withReplacements }),
  )
  const person = toLineSubject(requireData(await request(getSubject, { params: { jobId, subjectId } })))
  const { organizationType } = requireData(await request(lookUpJob, { params: { jobId } }))
  const standards = packages.filter(({ packageAddon }) => packageAddon.type === 'standard')
  return standards.map((standardPackage) => {
    const customised = newCustomisedPackage(standardPackage, {
      subject: person,
      images,
      imageId: null,
      orderMethod,
      organizationType,
    })
    const snapshot = toLineSnapshot(customised, person, toSnapshotImages(images))
    return {
      ...key,
      name: standardPackage.name,
      subjectId,
      personId: null,
      quantity: 1,
      snapshot,
      content: toLineContent(customised),
    }
  })
}

const findLine = async (key: CartKey, lineId: string): Promise<CartPackage> => {
  const { lines } = await readCart(db, key.jobId, key.orderMethod)
  const cartLine = lines.find(({ line }) => line.lineId === lineId)
  if (!cartLine) throw new Error(`there is no line ${lineId}`)
  return cartLine.line
}

/** Replaces the line's first text. */
const setText = async (key: CartKey, lineId: string, text: string) => {
  const content = contentOfLine(await findLine(key, lineId))
  const textNodes = content.textNodes.map((node, index) => (index === 0 ? { ...node, value: text } : node))
  return await customiseLine(db, deviceStamp, { ...key, lineId, content: { ...content, textNodes } })
}

const readDeviceCart = async ({ jobId, orderMethod }: CartKey) => {
  const { lines, status, rejected, paused } = await readCart(db, jobId, orderMethod)
  const deviceLines = lines.map(
    ({ line, number }): DeviceLine => ({
      lineId: line.lineId,
      number,
      packageId: line.packageId,
      quantity: line.quantity,
      text: firstTextOf(line),
    }),
  )
  return { lines: deviceLines, status, rejected, paused, unsent: await unsentCount(db) }
}

/** Resolves once the outbox is empty, with the time in milliseconds since 1970. */
const waitUntilOutboxEmpty = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const subscription = liveQuery(() => unsentCount(db)).subscribe({
      next: (unsent) => {
        if (unsent > 0) return
        resolve(Date.now())
        // When it emits synchronously, the subscription does not exist yet.
        setTimeout(() => subscription.unsubscribe())
      },
      error: reject,
    })
  })

const cartDriverMethods = {
  listAddablePackages,
  add: (line: AddablePackage) => addLine(db, deviceStamp, line),
  setQuantity: (key: CartKey, lineId: string, quantity: number) =>
    setQuantity(db, deviceStamp, { ...key, lineId, quantity }),
  setText,
  remove: (key: CartKey, lineId: string) => removeLine(db, deviceStamp, { ...key, lineId }),
  clear: (key: CartKey) => clearCart(db, deviceStamp, key),
  undoRemoval: (key: CartKey, removed: CartPackage[]) => undoRemoval(db, deviceStamp, { ...key, removed }),
  readDeviceCart,
  waitUntilOutboxEmpty,
  moveClock,
}

export type CartDriver = typeof cartDriverMethods

declare global {
  var cartDriver: CartDriver
}

globalThis.cartDriver = cartDriverMethods
