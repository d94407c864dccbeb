import { inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { PrintItem } from '../images/print/print-file.ts'
import { printDpi } from '../images/print/print-file.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import { workUnlessPaused } from '../queue/pausable-work.ts'
import type { queues } from '../queue/queues.ts'
import { type Manifest, manifestCsv, manifestJson } from './packet-manifest.ts'
import { type PacketToMake, readPacketOrders } from './read-packet-orders.ts'
import {
  type PacketContext,
  PacketNotInProgress,
  PacketRejected,
  packetFolder,
  writePacketFiles,
} from './write-packet-files.ts'

/** Enqueues the removal of the files of a packet that was recalled while it was made. */
const enqueueFileRemoval = (tx: Transaction, { deps, key }: PacketContext): Promise<void> =>
  deps.jobs.enqueue(tx, 'remove-files', { folders: [`${packetFolder(key)}/`], keys: [] })

const removeFiles = (context: PacketContext): Promise<void> =>
  inTransaction(context.deps.db, (tx) => enqueueFileRemoval(tx, context))

/**
 * Removes the files of a packet that was recalled: the recall removed only the files written before it. If another worker finished the
 * packet, its files stay.
 */
const cleanUp = async (context: PacketContext): Promise<void> => {
  if (!(await readPacketOrders(context.deps.db, context.key))) await removeFiles(context)
}

/** Writes the manifests of a packet and marks it as ready. */
const markReady = async (context: PacketContext, manifest: Manifest): Promise<void> => {
  const { deps, key } = context
  const files = manifest.orders.flatMap(({ lines }) => lines.flatMap((line) => line.files)).length
  const folder = packetFolder(key)
  const [jsonKey, csvKey] = [`${folder}/manifest.json`, `${folder}/manifest.csv`]
  await deps.files.put(jsonKey, Buffer.from(manifestJson(manifest)))
  await deps.files.put(csvKey, Buffer.from(`${manifestCsv(manifest)}\r\n`))
  const { numUpdatedRows } = await deps.db
    .updateTable('packets')
    .set({
      state: 'ready',
      files_total: files,
      files_done: files,
      folder_key: folder,
      manifest_json_key: jsonKey,
      manifest_csv_key: csvKey,
      error: null,
      updated_at: deps.clock(),
    })
    .where('studio_id', '=', key.studioId)
    .where('id', '=', key.packetId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) await removeFiles(context)
}

const markFailed = (context: PacketContext, packet: PacketToMake, { message }: Error): Promise<void> =>
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
 * Makes a packet: each print at 300 dpi, exactly as the customer saw it, and two manifests. A restart writes the same files under the same
 * names. Staff see the errors that only they can fix; the queue retries all others.
 */
export const makePacket = async (context: PacketContext): Promise<void> => {
  const { deps, key } = context
  const packet = await readPacketOrders(deps.db, key)
  if (!packet) return await removeFiles(context)
  if (packet.state !== 'waiting' && packet.state !== 'making') return
  try {
    const orders = await writePacketFiles(context, packet.orders)
    const { studio, job } = packet
    const madeAt = deps.clock().toISOString()
    const manifest: Manifest = { version: 1, packetId: key.packetId, studio, job, madeAt, dpi: printDpi, orders }
    await markReady(context, manifest)
  } catch (error) {
    if (error instanceof PacketNotInProgress) return await cleanUp(context)
    if (!(error instanceof PacketRejected)) throw error
    await markFailed(context, packet, error)
  }
}

export const startPacketWorker = async (
  jobs: BackgroundJobs<typeof queues>,
  deps: Deps,
  renderPrint: PrintItem,
): Promise<void> => {
  await workUnlessPaused(jobs, deps, { queue: 'make-packet', concurrency: 1 }, ({ payload, signal }) =>
    makePacket({ deps, key: payload, renderPrint, signal }),
  )
}
