import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { batchShippingLabel } from '#domain/pricing/shipping.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { renderEach } from '../images/engine/render-each.ts'
import type { PrintItem } from '../images/print/print-file.ts'
import { type SoldLineRow, soldLine } from '../orders/store/sold-lines.ts'
import { throwIfPaused } from '../queue/pausable-work.ts'
import { type LinePrint, printsOf } from './line-prints.ts'
import { nameAndYearOf } from './name-and-year.ts'
import type { ManifestFile, ManifestLine, ManifestOrder } from './packet-manifest.ts'
import type { PacketKey, PacketOrder } from './read-packet-orders.ts'

/** Reads the keys of the originals by image id; deleted images are absent. */
const readOriginalKeys = async (
  db: Db,
  studioId: number,
  imageIds: readonly number[],
): Promise<Map<number, string>> => {
  if (imageIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('image_lookups')
    .select(['id', 'original_key'])
    .where('studio_id', '=', studioId)
    .where('id', 'in', imageIds)
    .execute()
  return new Map(rows.map((row) => [row.id, row.original_key]))
}

/** Thrown for a problem that only staff can fix: they see its message, and the queue does not retry the packet. */
export class PacketRejected extends Error {
  override name = 'PacketRejected'
}

const fullName = ({ first, last }: { first: string; last: string }): string => `${first} ${last}`.trim()

const slugOf = (text: string): string => (text.match(/[A-Za-z0-9]+/g) ?? []).join('-') || 'item'

/** The packet to make, with the dependencies of the process. */
export type PacketContext = {
  readonly deps: Deps
  readonly key: PacketKey
  readonly renderPrint: PrintItem
  readonly signal: AbortSignal
}

/** The folder of a packet's files, without a slash at the end. */
export const packetFolder = ({ studioId, packetId }: PacketKey): string => `studios/${studioId}/packets/${packetId}`

const readOriginals = async ({ deps, key }: PacketContext, print: LinePrint): Promise<Map<number, Uint8Array>> => {
  const ids = [
    ...new Set([
      ...[...print.images.values()].map(({ imageId }) => imageId),
      ...(print.background ? [print.background.imageId] : []),
    ]),
  ]
  const keys = await readOriginalKeys(deps.db, key.studioId, ids)
  const originals = new Map<number, Uint8Array>()
  for (const id of ids) {
    const originalKey = keys.get(id)
    const opened = originalKey === undefined ? undefined : await deps.files.read(originalKey)
    if (opened?.outcome !== 'opened') throw new PacketRejected(`The original of image ${id} is not here any more`)
    originals.set(id, Buffer.concat(await opened.body.toArray()))
  }
  return originals
}

/** Renders and stores one file of the packet, under a stable name, so that a retry overwrites it. */
const makeFile = async (
  context: PacketContext,
  { name, copies, print, nameAndYear }: PlannedPrint,
): Promise<ManifestFile> => {
  const { deps, key } = context
  const originals = await readOriginals(context, print)
  const { item, texts, background } = print
  const sourceOf = (imageId: number): Uint8Array => originals.get(imageId) ?? new Uint8Array()
  const sources = new Map(
    [...print.images].map(([node, { imageId, ...image }]) => [node, { ...image, source: sourceOf(imageId) }]),
  )
  const printBackground = background && {
    width: background.width,
    height: background.height,
    crop: null,
    rotation: 0,
    source: sourceOf(background.imageId),
  }
  const { jpeg } = await context.renderPrint({
    item,
    images: sources,
    texts,
    ...(printBackground && { background: printBackground }),
  })
  await deps.files.put(`${packetFolder(key)}/${name}`, jpeg)
  const sha256 = createHash('sha256').update(jpeg).digest('hex')
  const { productCode, widthInches, heightInches } = item
  return {
    file: name,
    sha256,
    productCode,
    item: item.name,
    widthInches: widthInches ?? 0,
    heightInches: heightInches ?? 0,
    copies,
    nameAndYear,
  }
}

/** Thrown when a packet is no longer being made, because it was recalled or cancelled, or another worker has finished it. */
export class PacketNotInProgress extends Error {
  override name = 'PacketNotInProgress'
}

const recordProgress = async ({ deps, key }: PacketContext, done: number): Promise<void> => {
  const { studioId, packetId } = key
  const { numAffectedRows } =
    await sql`update packets set files_done = greatest(files_done, ${done}), state = 'making', updated_at = ${deps.clock()}
             where studio_id = ${studioId} and id = ${packetId} and state in ('waiting', 'making')`.execute(deps.db)
  if (numAffectedRows === 0n) throw new PacketNotInProgress(`packet ${packetId} is not being made`)
}

type PlannedPrint = Pick<ManifestFile, 'copies' | 'nameAndYear'> & { readonly name: string; readonly print: LinePrint }
type PlannedLine = { readonly row: SoldLineRow; readonly prints: readonly PlannedPrint[] }

/** The planned prints of each line of an order. */
const planOrder = (order: PacketOrder): PlannedLine[] =>
  order.lines.map((row, lineIndex) => ({
    row,
    prints: printsOf(soldLine(row)).map((print, printIndex) => ({
      name: `${order.order_number}/${lineIndex + 1}-${printIndex + 1}-${slugOf(print.item.productCode)}.jpg`,
      copies: row.quantity,
      print,
      nameAndYear: nameAndYearOf(order.services, row.subjectId, print.item.productCode),
    })),
  }))

const manifestLine = ({ snapshot, quantity }: SoldLineRow, files: ManifestFile[]): ManifestLine => {
  const { firstName, lastName } = snapshot.subject
  return { package: snapshot.package.name, person: fullName({ first: firstName, last: lastName }), quantity, files }
}

const manifestOrder = (order: PacketOrder, lines: ManifestLine[]): ManifestOrder => ({
  orderNumber: order.order_number,
  placedAt: order.placed_at.toISOString(),
  customer: { firstName: order.first_name, lastName: order.last_name },
  shipping: {
    option: order.is_part_of_batch_order ? batchShippingLabel : order.shipping,
    toStudio: order.is_part_of_batch_order,
    address: order.shipping_address,
  },
  lines,
  services: order.services.map(({ name, subject, service }) => ({
    name,
    person: fullName({ first: subject?.firstName ?? '', last: subject?.lastName ?? '' }),
    detail: service,
  })),
})

const makeFiles = (context: PacketContext, prints: readonly PlannedPrint[]): Promise<ManifestFile[]> => {
  let done = 0
  return renderEach(prints, context.signal, async (print) => {
    await throwIfPaused(context.deps, context.key.studioId)
    const file = await makeFile(context, print)
    done += 1
    await recordProgress(context, done)
    return file
  })
}

/** Renders and stores the prints of all orders, and returns the orders for the manifest. */
export const writePacketFiles = async (
  context: PacketContext,
  orders: readonly PacketOrder[],
): Promise<ManifestOrder[]> => {
  const plannedOrders = orders.map((order) => ({ order, lines: planOrder(order) }))
  const prints = plannedOrders.flatMap(({ lines }) => lines.flatMap((line) => line.prints))
  const files = await makeFiles(context, prints)
  const fileByName = new Map(files.map((file) => [file.file, file]))
  const fileOf = ({ name }: PlannedPrint): ManifestFile => {
    const file = fileByName.get(name)
    if (!file) throw new Error(`${name} was planned but not made`)
    return file
  }
  return plannedOrders.map(({ order, lines }) => {
    const manifestLines = lines.map((line) => manifestLine(line.row, line.prints.map(fileOf)))
    return manifestOrder(order, manifestLines)
  })
}
