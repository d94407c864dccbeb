import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { ZipEntry } from '../file-responses/zip-stream.ts'
import { readWholeFile } from '../images/store/image-files.ts'
import { type Manifest, manifestCsv, manifestJson } from './packet-manifest.ts'
import type { PacketKey } from './read-packet-orders.ts'

/** A packet whose files are ready, with its orders that are not cancelled. */
export type ReadyPacket = PacketKey & {
  readonly folder: string
  readonly madeAt: Date
  readonly orderNumbers: readonly string[]
}

export const readReadyPacket = async (
  { db }: Deps,
  { studioId, packetId }: PacketKey,
): Promise<ReadyPacket | undefined> => {
  const { rows } = await sql<Omit<ReadyPacket, keyof PacketKey>>`
    select p.folder_key as folder, p.created_at as "madeAt",
           (select coalesce(json_agg(o.order_number order by o.id), '[]') from packet_orders m
              join orders o on o.studio_id = m.studio_id and o.id = m.order_id
             where m.studio_id = p.studio_id and m.packet_id = p.id and o.state <> 'cancelled') as "orderNumbers"
      from packets p
     where p.studio_id = ${studioId} and p.id = ${packetId} and p.state in ('ready', 'sent') and p.folder_key is not null`.execute(
    db,
  )
  const [row] = rows
  return row && { studioId, packetId, ...row }
}

/** The manifest without cancelled orders; undefined if it was deleted together with the data of a subject. */
const readManifest = async ({ files }: Deps, { folder, orderNumbers }: ReadyPacket): Promise<Manifest | undefined> => {
  const stored = await readWholeFile(files, `${folder}/manifest.json`)
  if (!stored) return undefined
  const manifest = JSON.parse(String(stored)) as Manifest // written by make-packet.ts
  const orders = manifest.orders.filter(({ orderNumber }) => orderNumbers.includes(orderNumber))
  return { ...manifest, orders }
}

/**
 * The files of a packet by name. The folder may contain more: prints of cancelled orders, or of an earlier attempt. The
 * sizes of prints come from the file storage; the manifests are generated for each request.
 */
export const packetContents = async (deps: Deps, packet: ReadyPacket): Promise<ZipEntry[]> => {
  const { folder, madeAt, orderNumbers } = packet
  const manifest = await readManifest(deps, packet)
  const fileNames = manifest?.orders.flatMap(({ lines }) => lines.flatMap((line) => line.files.map(({ file }) => file)))
  const names = fileNames && new Set(fileNames)
  const currentNumbers = new Set(orderNumbers)
  const isOfPacket = (name: string): boolean =>
    names ? names.has(name) : name.includes('/') && currentNumbers.has(name.slice(0, name.indexOf('/')))
  const entries: ZipEntry[] = []
  for await (const { key, size } of deps.files.list(`${folder}/`)) {
    const name = key.slice(folder.length + 1)
    if (isOfPacket(name)) entries.push({ name, key, size, madeAt })
  }
  const manifests = manifest
    ? { 'manifest.json': manifestJson(manifest), 'manifest.csv': `${manifestCsv(manifest)}\r\n` }
    : {}
  for (const [name, text] of Object.entries(manifests)) {
    const content = Buffer.from(text)
    entries.push({ name, content, size: content.length, madeAt })
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}
