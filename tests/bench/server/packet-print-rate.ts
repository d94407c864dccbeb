import sharp from 'sharp'
import { startRenderThreads } from '#server/images/engine/render-threads.ts'
import { type PrintFile, type PrintJob, printDpi } from '#server/images/print/print-file.ts'
import type { RenderPrint } from '#server/images/print/print-here.ts'
import { makePacket } from '#server/production/make-packet.ts'
import { submitOrders } from '#server/production/submit-orders.ts'
import type { BenchServer } from './bench-server.ts'
import { prepareBuyer } from './checkout-buyer.ts'
import { type ComparisonResult, compareRates } from './compare-rates.ts'

const packages = 2
/** One print per core. */
const atOnce = 2

/** Creates an order of a few packages at the lab, and the packet to make of it. */
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
  if (typeof packetId !== 'number') throw new Error('the order could not be handed on')
  return { studioId: job.studioId, packetId }
}

/** Composes the same print by the image library's shortest path: extract, resize and composite each image. */
const printWithLibrary = async ({ item, images: pictures }: PrintJob): Promise<Buffer> => {
  const [width, height] = [(item.widthInches ?? 0) * printDpi, (item.heightInches ?? 0) * printDpi].map(Math.round)
  const layers = item.imageNodes.flatMap(({ id, positionCoords: at }) => {
    const picture = pictures.get(id)
    if (!picture) return []
    const place = { left: Math.round((at.x / 100) * (width ?? 0)), top: Math.round((at.y / 100) * (height ?? 0)) }
    const size = {
      width: Math.round((at.width / 100) * (width ?? 0)),
      height: Math.round((at.height / 100) * (height ?? 0)),
    }
    return [{ picture, place, size }]
  })
  const laid = await Promise.all(
    layers.map(async ({ picture, place, size }) => {
      const cut = sharp(picture.source as Uint8Array).autoOrient()
      const { data, info } = await cut
        .resize({ ...size, fit: 'cover' })
        .raw()
        .toBuffer({ resolveWithObject: true })
      return { input: data, raw: { width: info.width, height: info.height, channels: info.channels }, ...place }
    }),
  )
  return await sharp({ create: { width: width ?? 0, height: height ?? 0, channels: 3, background: '#ffffff' } })
    .composite(laid)
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/**
 * Makes a packet's print files, from the queued row to the finished one. Compared with the same prints from images in memory, by our engine
 * in its threads, and by the image library alone with one print per core.
 */
export const printPackets = async (
  server: BenchServer,
): Promise<{ besideEngine: ComparisonResult; besideLibrary: ComparisonResult }> => {
  const { deps } = server
  const threads = startRenderThreads(deps.log)
  const key = await submitToLab(server)
  const jobs: PrintJob[] = []
  const again = () => deps.db.updateTable('packets').set({ state: 'waiting' }).where('id', '=', key.packetId).execute()
  const make = (print: RenderPrint) => makePacket({ deps, key, print, signal: new AbortController().signal })
  await make((job) => {
    jobs.push(job)
    return threads.print(job)
  })
  const ours = async () => {
    await again()
    return () => make(threads.print)
  }
  const alone = (print: (job: PrintJob) => Promise<PrintFile | Buffer>) => async () => async () => {
    const waiting = jobs.values()
    const maker = async () => {
      for (const job of waiting) await print(job)
    }
    await Promise.all(Array.from({ length: atOnce }, maker))
  }
  const besideEngine = await compareRates({ rounds: 5, ours, baseline: alone(threads.print) })
  const besideLibrary = await compareRates({ rounds: 5, ours, baseline: alone(printWithLibrary) })
  await threads.stop()
  return { besideEngine, besideLibrary }
}
