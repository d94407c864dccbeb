import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { ZipEntry } from '../file-responses/zip-stream.ts'
import { readWholeFile } from '../images/store/image-files.ts'
import type { PacketKey } from './make-packet.ts'
import { type Manifest, manifestCsv, manifestJson } from './packet-manifest.ts'

/** A packet whose files are made, with those of its orders that were not cancelled since. */
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

/** What was written of a packet, without orders that are not in it any more; undefined where its lists went with a family's data. */
const readManifest = async ({ files }: Deps, { folder, orderNumbers }: ReadyPacket): Promise<Manifest | undefined> => {
  const written = await readWholeFile(files, `${folder}/manifest.json`)
  if (!written) return undefined
  const manifest = JSON.parse(String(written)) as Manifest // written by the packet's maker
  const orders = manifest.orders.filter(({ orderNumber }) => orderNumbers.includes(orderNumber))
  return { ...manifest, orders }
}

/**
 * What of a packet is handed to the lab, by name. The folder holds more: prints of orders cancelled once they were written, or from a
 * try before. The store knows how large each print is; the lists are written anew.
 */
export const packetContents = async (deps: Deps, ready: ReadyPacket): Promise<ZipEntry[]> => {
  const { folder, madeAt, orderNumbers } = ready
  const manifest = await readManifest(deps, ready)
  const listed = manifest?.orders.flatMap(({ lines }) => lines.flatMap((line) => line.files.map(({ file }) => file)))
  const names = listed && new Set(listed)
  const present = new Set(orderNumbers)
  const isTheirs = (name: string): boolean =>
    names ? names.has(name) : name.includes('/') && present.has(name.slice(0, name.indexOf('/')))
  const found: ZipEntry[] = []
  for await (const { key, size: bytes } of deps.files.list(`${folder}/`)) {
    const name = key.slice(folder.length + 1)
    if (isTheirs(name)) found.push({ name, key, bytes, madeAt })
  }
  const lists = manifest
    ? { 'manifest.json': manifestJson(manifest), 'manifest.csv': `${manifestCsv(manifest)}\r\n` }
    : {}
  for (const [name, text] of Object.entries(lists)) {
    const content = Buffer.from(text)
    found.push({ name, content, bytes: content.length, madeAt })
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1))
}
