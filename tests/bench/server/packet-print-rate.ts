import sharp from 'sharp'
import { startRenderThreads } from '#server/images/engine/render-threads.ts'
import type { PrintItem } from '#server/images/print/print-file.ts'
import { type PrintFile, type PrintJob, printDpi } from '#server/images/print/print-file.ts'
import { makePacket } from '#server/production/make-packet.ts'
import { submitOrders } from '#server/production/submit-orders.ts'
import type { BenchServer } from './bench-server.ts'
import { prepareBuyer } from './checkout-buyer.ts'
import { type ComparisonResult, compareRates } from './compare-rates.ts'

const packages = 2
/** One print per core. */
const concurrency = 2

/** Submits an order of a few packages to the lab. Returns the key of its packet. */
const submitToLab = async (server: BenchServer) => {
  const { deps } = server
  const buyer = await prepareBuyer(server, packages)
  const { job } = buyer.customer.cart
  const staff = await deps.db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'studio_id as studioId'])
    .where('studio_id', '=', job.studioId)
    .executeTakeFirstOrThrow()
  const user = { ...staff, permissions: ['studio.crud'] as const }
  const packetId = await submitOrders(deps, { job, orderNumbers: [await buyer.pay()], user })
  if (typeof packetId !== 'number') throw new Error('the order could not be submitted')
  return { studioId: job.studioId, packetId }
}

/** Composes the same print by the image library's shortest path: extract, resize and composite each image. */
const printWithLibrary = async ({ item, images }: PrintJob): Promise<Buffer> => {
  const [width, height] = [(item.widthInches ?? 0) * printDpi, (item.heightInches ?? 0) * printDpi].map(Math.round)
  const layers = item.imageNodes.flatMap(({ id, positionCoords: position }) => {
    const image = images.get(id)
    if (!image) return []
    const offset = {
      left: Math.round((position.x / 100) * (width ?? 0)),
      top: Math.round((position.y / 100) * (height ?? 0)),
    }
    const size = {
      width: Math.round((position.width / 100) * (width ?? 0)),
      height: Math.round((position.height / 100) * (height ?? 0)),
    }
    return [{ image, offset, size }]
  })
  const composites = await Promise.all(
    layers.map(async ({ image, offset, size }) => {
      const orientedImage = sharp(image.source as Uint8Array).autoOrient()
      const { data, info } = await orientedImage
        .resize({ ...size, fit: 'cover' })
        .raw()
        .toBuffer({ resolveWithObject: true })
      return { input: data, raw: { width: info.width, height: info.height, channels: info.channels }, ...offset }
    }),
  )
  return await sharp({ create: { width: width ?? 0, height: height ?? 0, channels: 3, background: '#ffffff' } })
    .composite(composites)
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/**
 * Makes a packet's print files, from the queued row to the finished one. Compares this with the same prints made from images in memory: by
 * our engine in its threads, and by the image library alone with one print per core.
 */
export const printPackets = async (
  server: BenchServer,
): Promise<{ comparedWithEngine: ComparisonResult; comparedWithLibrary: ComparisonResult }> => {
  const { deps } = server
  const threads = startRenderThreads(deps.log)
  const key = await submitToLab(server)
  const jobs: PrintJob[] = []
  const resetPacket = () =>
    deps.db.updateTable('packets').set({ state: 'waiting' }).where('id', '=', key.packetId).execute()
  const makeFiles = (renderPrint: PrintItem) =>
    makePacket({ deps, key, renderPrint, signal: new AbortController().signal })
  await makeFiles((job) => {
    jobs.push(job)
    return threads.renderPrint(job)
  })
  const ours = async () => {
    await resetPacket()
    return () => makeFiles(threads.renderPrint)
  }
  const withoutQueue = (renderPrint: (job: PrintJob) => Promise<PrintFile | Buffer>) => async () => async () => {
    const remainingJobs = jobs.values()
    const printRemaining = async () => {
      for (const job of remainingJobs) await renderPrint(job)
    }
    await Promise.all(Array.from({ length: concurrency }, printRemaining))
  }
  const comparedWithEngine = await compareRates({ rounds: 5, ours, baseline: withoutQueue(threads.renderPrint) })
  const comparedWithLibrary = await compareRates({ rounds: 5, ours, baseline: withoutQueue(printWithLibrary) })
  await threads.stop()
  return { comparedWithEngine, comparedWithLibrary }
}
