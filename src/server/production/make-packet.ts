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
  const { rows } = await sql<Omit<PacketRow, 'orders'>>`
    select p.state, s.name as studio, j.name as job, p.job_id from packets p
      join studios s on s.id = p.studio_id join jobs j on j.studio_id = p.studio_id and j.id = p.job_id
     where p.studio_id = ${studioId} and p.id = ${packetId}`.execute(db)
  const [packet] = rows
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

/** The keys of the originals by image id; deleted images are absent. */
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

/** An error that only staff can fix: it is shown to them and not retried. */
export class PacketRejected extends Error {
  override name = 'PacketRefused'
}

const nameOf = ({ first, last }: { first: string; last: string }): string => `${first} ${last}`.trim()

const slugOf = (text: string): string => (text.match(/[A-Za-z0-9]+/g) ?? []).join('-') || 'item'

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

/** Renders and stores one file of the packet, under a stable name, so that a retry overwrites it. */
const makeFile = async (
  context: PacketContext,
  { name, copies, print, nameAndYear }: PlannedPrint,
): Promise<ManifestFile> => {
  const { deps, key } = context
  const originals = await originalsOf(context, print)
  const { item, texts, background } = print
  const source = (imageId: number): Uint8Array => originals.get(imageId) ?? new Uint8Array()
  const sources = new Map(
    [...print.images].map(([node, { imageId, ...image }]) => [node, { ...image, source: source(imageId) }]),
  )
  const printBackground = background && {
    width: background.width,
    height: background.height,
    crop: null,
    rotation: 0,
    source: source(background.imageId),
  }
  const { jpeg } = await context.print({
    item,
    images: sources,
    texts,
    ...(printBackground && { background: printBackground }),
  })
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

/** The packet is no longer being made: it was recalled, or another worker has finished it. */
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

type PlannedPrint = Pick<ManifestFile, 'copies' | 'nameAndYear'> & { readonly name: string; readonly print: LinePrint }
type PlannedLine = { readonly row: SoldLineRow; readonly prints: readonly PlannedPrint[] }

/** The planned prints of each line of an order. */
const planOrder = (order: OrderRow): PlannedLine[] =>
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
  return { package: snapshot.package.name, person: nameOf({ first: firstName, last: lastName }), quantity, files }
}

const manifestOrder = (order: OrderRow, lines: ManifestLine[]): ManifestOrder => ({
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

/** While the threads render, one more file is read or stored. Uploads share the same threads. */
const maxConcurrentFiles = renderThreadCount + 1

const makeOrders = async (context: PacketContext, orders: readonly OrderRow[]): Promise<ManifestOrder[]> => {
  const planned = orders.map((order) => ({ order, lines: planOrder(order) }))
  const prints = planned.flatMap(({ lines }) => lines.flatMap((line) => line.prints))
  let done = 0
  const files = await mapConcurrently(prints, maxConcurrentFiles, async (one) => {
    context.signal.throwIfAborted()
    const file = await makeFile(context, one)
    done += 1
    await countFile(context, done)
    return file
  })
  const fileByName = new Map(files.map((file) => [file.file, file]))
  const fileOf = ({ name }: PlannedPrint): ManifestFile => {
    const file = fileByName.get(name)
    if (!file) throw new Error(`${name} was planned and not made`)
    return file
  }
  return planned.map(({ order, lines }) => {
    const manifestLines = lines.map((line) => manifestLine(line.row, line.prints.map(fileOf)))
    return manifestOrder(order, manifestLines)
  })
}

/** Removes the files of a packet that was recalled while it was made. */
const enqueueFileRemoval = (tx: Transaction, { deps, key }: PacketContext): Promise<void> =>
  deps.jobs.enqueue(tx, 'remove-files', { folders: [`${folderOf(key)}/`], keys: [] })

const removeFiles = (context: PacketContext): Promise<void> =>
  inTransaction(context.deps.db, (tx) => enqueueFileRemoval(tx, context))

/**
 * A recall removes the files written before it; this removes those written since. Files of a packet that another worker
 * finished stay.
 */
const cleanUp = async (context: PacketContext): Promise<void> => {
  if (!(await readPacket(context.deps.db, context.key))) await removeFiles(context)
}

/** Marks a packet as ready. Orders cancelled since are not in it. */
const markReady = async (context: PacketContext, manifest: Manifest): Promise<void> => {
  const { deps, key } = context
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
  if (numUpdatedRows === 0n) await removeFiles(context)
}

const markFailed = (context: PacketContext, packet: PacketRow, { message }: Error): Promise<void> =>
  inTransaction(context.deps.db, async (tx) => {
    const { deps, key } = context
    const { studioId, packetId } = key
    const now = deps.clock()
    const { numUpdatedRows } = await tx
      .updateTable('packets')
      .set({ state: 'failed', error: message, updated_at: now })
      .where('studio_id', '=', studioId)
      .where('id', '=', packetId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return await enqueueFileRemoval(tx, context)
    const detail = JSON.stringify({ packetId, orderNumbers: packet.orders.map((order) => order.order_number) })
    await tx
      .insertInto('order_errors')
      .values({ studio_id: studioId, job_id: packet.job_id, stage: 'packet', message, detail, created_at: now })
      .execute()
  })

/**
 * Makes a packet: each print at 300 dpi, exactly as the customer saw it, and two manifests. A restart writes the same
 * files under the same names. Errors that only staff can fix are shown to them; the queue retries all others.
 */
export const makePacket = async (context: PacketContext): Promise<void> => {
  const { deps, key } = context
  const packet = await readPacket(deps.db, key)
  if (!packet) return await removeFiles(context)
  if (packet.state === 'ready' || packet.state === 'sent') return
  try {
    const orders = await makeOrders(context, packet.orders)
    const { studio, job } = packet
    const madeAt = deps.clock().toISOString()
    const manifest: Manifest = { version: 1, packetId: key.packetId, studio, job, madeAt, dpi: printDpi, orders }
    await markReady(context, manifest)
  } catch (error) {
    if (error instanceof PacketOver) return await cleanUp(context)
    if (!(error instanceof PacketRejected)) throw error
    await markFailed(context, packet, error)
  }
}

export const workOnPackets = async (
  jobs: BackgroundJobs<typeof queues>,
  deps: Deps,
  print: RenderPrint,
): Promise<void> => {
  await jobs.work('make-packet', 1, ({ payload, signal }) => makePacket({ deps, key: payload, print, signal }))
}
