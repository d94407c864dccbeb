import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Address } from '#contract/customer/checkout-calls.ts'
import { batchShippingLabel } from '#domain/pricing/shipping.ts'
import type { Db, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { renderThreadCount } from '../images/engine/render-threads.ts'
import { printDpi } from '../images/print/print-file.ts'
import type { RenderPrint } from '../images/print/print-here.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { type SoldLineRow, soldLine, soldLineRows } from '../orders/store/sold-lines.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { queues } from '../queue/queues.ts'
import { type LinePrint, printsOf } from './line-prints.ts'
import { nameAndYearOf, type ServiceRow } from './name-and-year.ts'
import {
  type Manifest,
  type ManifestFile,
  type ManifestLine,
  type ManifestOrder,
  manifestCsv,
  manifestJson,
} from './packet-manifest.ts'

export type PacketKey = { readonly studioId: number; readonly packetId: number }

type OrderRow = {
  order_number: string
  placed_at: Date
  first_name: string
  last_name: string
  shipping: string | null
  is_part_of_batch_order: boolean
  shipping_address: Address | null
  lines: SoldLineRow[]
  services: ServiceRow[]
}

type PacketRow = { state: string; studio: string; job: string; job_id: number; orders: OrderRow[] }

const readPacket = async (db: Db, { studioId, packetId }: PacketKey): Promise<PacketRow | undefined> => {
  const { rows: found } = await sql<Omit<PacketRow, 'orders'>>`
    select p.state, s.name as studio, j.name as job, p.job_id from packets p
      join studios s on s.id = p.studio_id join jobs j on j.studio_id = p.studio_id and j.id = p.job_id
     where p.studio_id = ${studioId} and p.id = ${packetId}`.execute(db)
  const [packet] = found
  if (!packet) return undefined
  const { rows: orders } = await sql<OrderRow>`
    select o.order_number, o.placed_at, o.first_name, o.last_name, h.label as shipping, o.is_part_of_batch_order, o.shipping_address,
           ${soldLineRows} as lines,
           (select coalesce(json_agg(json_build_object('name', l.name, 'subjectId', l.subject_id,
                     'subject', l.snapshot -> 'subject', 'service', l.snapshot -> 'service') order by l.position), '[]')
              from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id and l.kind <> 'package') as services
      from packet_orders m
      join orders o on o.studio_id = m.studio_id and o.id = m.order_id
      left join shipping_options h on h.code = o.shipping_option_code
     where m.studio_id = ${studioId} and m.packet_id = ${packetId} and o.state <> 'cancelled' order by o.id`.execute(db)
  return { ...packet, orders }
}

/** The keys of the originals of images, by image; one that is gone is missing. */
const originalKeys = async (db: Db, studioId: number, imageIds: readonly number[]): Promise<Map<number, string>> => {
  if (imageIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('image_lookups')
    .select(['id', 'original_key'])
    .where('studio_id', '=', studioId)
    .where('id', 'in', imageIds)
    .execute()
  return new Map(rows.map((row) => [row.id, row.original_key]))
}

/** What only staff can put right: said to them, and not tried again by itself. */
export class PacketRejected extends Error {
  override name = 'PacketRefused'
}

const nameOf = ({ first, last }: { first: string; last: string }): string => `${first} ${last}`.trim()

const plain = (text: string): string => (text.match(/[A-Za-z0-9]+/g) ?? []).join('-') || 'item'

type PacketContext = {
  readonly deps: Deps
  readonly key: PacketKey
  readonly print: RenderPrint
  readonly signal: AbortSignal
}

const folderOf = ({ studioId, packetId }: PacketKey): string => `studios/${studioId}/packets/${packetId}`

const originalsOf = async ({ deps, key }: PacketContext, print: LinePrint): Promise<Map<number, Uint8Array>> => {
  const ids = [
    ...new Set([
      ...[...print.images.values()].map((one) => one.imageId),
      ...(print.background ? [print.background.imageId] : []),
    ]),
  ]
  const keys = await originalKeys(deps.db, key.studioId, ids)
  const originals = new Map<number, Uint8Array>()
  for (const id of ids) {
    const original = keys.get(id)
    const read = original === undefined ? undefined : await deps.files.read(original)
    if (read?.outcome !== 'opened') throw new PacketRejected(`The original of picture ${id} is not here any more`)
    originals.set(id, Buffer.concat(await read.body.toArray()))
  }
  return originals
}

/** One file of the packet: rendered and stored, under the same name each time, so that it bears being made again. */
const makeFile = async (
  making: PacketContext,
  { name, copies, print, nameAndYear }: Planned,
): Promise<ManifestFile> => {
  const { deps, key } = making
  const originals = await originalsOf(making, print)
  const { item, texts, background } = print
  const source = (imageId: number): Uint8Array => originals.get(imageId) ?? new Uint8Array()
  const pictures = new Map(
    [...print.images].map(([node, { imageId, ...picture }]) => [node, { ...picture, source: source(imageId) }]),
  )
  const behind = background && {
    width: background.width,
    height: background.height,
    crop: null,
    rotation: 0,
    source: source(background.imageId),
  }
  const { jpeg } = await making.print({ item, images: pictures, texts, ...(behind && { background: behind }) })
  await deps.files.put(`${folderOf(key)}/${name}`, jpeg)
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

/** The packet is not being made any more: it was taken back meanwhile, or somebody else has made it. */
class PacketOver extends Error {
  override name = 'PacketOver'
}

const countFile = async ({ deps, key }: PacketContext, done: number): Promise<void> => {
  const { studioId, packetId } = key
  const { numAffectedRows } =
    await sql`update packets set files_done = greatest(files_done, ${done}), state = 'making', updated_at = ${deps.clock()}
             where studio_id = ${studioId} and id = ${packetId} and state in ('waiting', 'making', 'failed')`.execute(
      deps.db,
    )
  if (numAffectedRows === 0n) throw new PacketOver(`packet ${packetId} is not being made`)
}

type Planned = Pick<ManifestFile, 'copies' | 'nameAndYear'> & { readonly name: string; readonly print: LinePrint }
type PlannedLine = { readonly row: SoldLineRow; readonly prints: readonly Planned[] }

/** What is to be printed of each of an order's lines. */
const plannedOf = (order: OrderRow): PlannedLine[] =>
  order.lines.map((row, at) => ({
    row,
    prints: printsOf(soldLine(row)).map((print, place) => ({
      name: `${order.order_number}/${at + 1}-${place + 1}-${plain(print.item.productCode)}.jpg`,
      copies: row.quantity,
      print,
      nameAndYear: nameAndYearOf(order.services, row.subjectId, print.item.productCode),
    })),
  }))

const listLine = ({ snapshot, quantity }: SoldLineRow, files: ManifestFile[]): ManifestLine => {
  const { firstName, lastName } = snapshot.subject
  return { package: snapshot.package.name, person: nameOf({ first: firstName, last: lastName }), quantity, files }
}

const listOrder = (order: OrderRow, lines: ManifestLine[]): ManifestOrder => ({
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
    person: nameOf({ first: subject?.firstName ?? '', last: subject?.lastName ?? '' }),
    detail: service,
  })),
})

/** While the threads render, one file more is read or stored. Pictures that are uploaded meanwhile stand in the same line for a thread. */
const filesAtOnce = renderThreadCount + 1

const makeOrders = async (making: PacketContext, orders: readonly OrderRow[]): Promise<ManifestOrder[]> => {
  const planned = orders.map((order) => ({ order, lines: plannedOf(order) }))
  const prints = planned.flatMap(({ lines }) => lines.flatMap((line) => line.prints))
  let done = 0
  const files = await mapConcurrently(prints, filesAtOnce, async (one) => {
    making.signal.throwIfAborted()
    const file = await makeFile(making, one)
    done += 1
    await countFile(making, done)
    return file
  })
  const madeOf = new Map(files.map((file) => [file.file, file]))
  const listed = ({ name }: Planned): ManifestFile => {
    const file = madeOf.get(name)
    if (!file) throw new Error(`${name} was planned and not made`)
    return file
  }
  return planned.map(({ order, lines }) => {
    const listedLines = lines.map((line) => listLine(line.row, line.prints.map(listed)))
    return listOrder(order, listedLines)
  })
}

/** Removes what was written of a packet that was taken back while it was made. */
const forgetIn = (tx: Transaction, { deps, key }: PacketContext): Promise<void> =>
  deps.jobs.enqueue(tx, 'remove-files', { folders: [`${folderOf(key)}/`], keys: [] })

const forget = (making: PacketContext): Promise<void> => inTransaction(making.deps.db, (tx) => forgetIn(tx, making))

/** Whoever took it back had what was written by then removed; the rest is removed now. What somebody else has made stays. */
const stop = async (making: PacketContext): Promise<void> => {
  if (!(await readPacket(making.deps.db, making.key))) await forget(making)
}

/** Says that a packet is whole; orders that were cancelled since are not in it. */
const finish = async (making: PacketContext, manifest: Manifest): Promise<void> => {
  const { deps, key } = making
  const files = manifest.orders.flatMap(({ lines }) => lines.flatMap((line) => line.files)).length
  const folder = folderOf(key)
  const [json, csv] = [`${folder}/manifest.json`, `${folder}/manifest.csv`]
  await deps.files.put(json, Buffer.from(manifestJson(manifest)))
  await deps.files.put(csv, Buffer.from(`${manifestCsv(manifest)}\r\n`))
  const { numUpdatedRows } = await deps.db
    .updateTable('packets')
    .set({
      state: 'ready',
      files_total: files,
      files_done: files,
      folder_key: folder,
      manifest_json_key: json,
      manifest_csv_key: csv,
      error: null,
      updated_at: deps.clock(),
    })
    .where('studio_id', '=', key.studioId)
    .where('id', '=', key.packetId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) await forget(making)
}

const fail = (making: PacketContext, packet: PacketRow, { message }: Error): Promise<void> =>
  inTransaction(making.deps.db, async (tx) => {
    const { deps, key } = making
    const { studioId, packetId } = key
    const now = deps.clock()
    const { numUpdatedRows } = await tx
      .updateTable('packets')
      .set({ state: 'failed', error: message, updated_at: now })
      .where('studio_id', '=', studioId)
      .where('id', '=', packetId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return await forgetIn(tx, making)
    const detail = JSON.stringify({ packetId, orderNumbers: packet.orders.map((order) => order.order_number) })
    await tx
      .insertInto('order_errors')
      .values({ studio_id: studioId, job_id: packet.job_id, stage: 'packet', message, detail, created_at: now })
      .execute()
  })

/**
 * Makes a packet: each print at 300 dpi, exactly as the customer saw it, and two lists of them. Begun again after a restart it writes
 * the same files under the same names. What only staff can put right is shown to them; all else is tried again by the queue.
 */
export const makePacket = async (making: PacketContext): Promise<void> => {
  const { deps, key } = making
  const packet = await readPacket(deps.db, key)
  if (!packet) return await forget(making)
  if (packet.state === 'ready' || packet.state === 'sent') return
  try {
    const orders = await makeOrders(making, packet.orders)
    const { studio, job } = packet
    const madeAt = deps.clock().toISOString()
    const manifest: Manifest = { version: 1, packetId: key.packetId, studio, job, madeAt, dpi: printDpi, orders }
    await finish(making, manifest)
  } catch (error) {
    if (error instanceof PacketOver) return await stop(making)
    if (!(error instanceof PacketRejected)) throw error
    await fail(making, packet, error)
  }
}

export const workOnPackets = async (
  jobs: BackgroundJobs<typeof queues>,
  deps: Deps,
  print: RenderPrint,
): Promise<void> => {
  await jobs.work('make-packet', 1, ({ payload, signal }) => makePacket({ deps, key: payload, print, signal }))
}
