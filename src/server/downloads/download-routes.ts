import { addHours } from 'date-fns/addHours'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import pMap from 'p-map'
import { type Download, getDownload, renewDownload } from '#contract/customer/download-calls.ts'
import { downloadDays, withoutReservedCharacters } from '#domain/catalogue/downloads.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import { currentSession } from '../access/sessions/sessions.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { requestedRange } from '../file-responses/byte-ranges.ts'
import { entityTag, type FileResponse, sendFile } from '../file-responses/send-file.ts'
import { createZipStream } from '../file-responses/zip-stream.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { mount, sendAnswer } from '../http/mount.ts'
import { answerOf, orderNotFound, Problem } from '../http/problem.ts'
import type { FilePlan } from '../images/metadata/file-pieces.ts'
import { readStripped, strippedPlan } from '../images/metadata/strip-metadata.ts'
import { enqueueComposition } from './compose-downloads.ts'
import type { DownloadFile } from './download-files.ts'
import { downloadNotFound, downloadsPath, isLinkId, mountThumbnails } from './download-thumbnails.ts'
import { type DownloadLinkDetails, findDownload } from './find-download.ts'

/** A file that is sent without its metadata. `bytes` is the size after that, not the size of the original. */
type StrippedFile = DownloadFile & { readonly plan: FilePlan }

/** Originals that are read at the same time. */
const maxConcurrentReads = 4

const stripFile = async ({ files }: Deps, file: DownloadFile): Promise<StrippedFile> => {
  const plan = await strippedPlan(files, file)
  return { ...file, plan, bytes: plan.size }
}

const stripFiles = (deps: Deps, { files }: DownloadLinkDetails): Promise<StrippedFile[]> =>
  pMap(files, (file) => stripFile(deps, file), { concurrency: maxConcurrentReads })

const toDownloadFile = (
  linkId: string,
  { id, name, bytes, width, height, thumbnail }: StrippedFile,
): Download['files'][number] => ({
  name,
  bytes,
  width,
  height,
  url: `${downloadsPath}/${linkId}/files/${id}`,
  ...(thumbnail && {
    thumbnail: { url: `${downloadsPath}/${linkId}/thumbs/${id}`, width: thumbnail.width, height: thumbnail.height },
  }),
})

const toDownload = (
  { linkId, publicDetails, missing }: DownloadLinkDetails,
  files: readonly StrippedFile[],
): Download => ({
  ...publicDetails,
  files: files.map((file) => toDownloadFile(linkId, file)),
  ...(files.length > 1 && missing.length === 0 && { zipUrl: `${downloadsPath}/${linkId}/zip` }),
  ...(missing.length > 0 && { missingCount: missing.length }),
})

/** Reads the download of a link for its holder, and enqueues its missing compositions. */
const readDownload = async (deps: Deps, linkId: string): Promise<Download | undefined> => {
  const download = await findDownload(deps, linkId)
  if (download && download.missing.length > 0) await enqueueComposition(deps, download)
  return download && toDownload(download, await stripFiles(deps, download))
}

const tagOf = (parts: readonly (string | number | null)[]): string => entityTag([parts.join(' ')])

const imageResponse = (
  deps: Deps,
  { id, key, name, contentType, contentHash, bytes, plan }: StrippedFile,
): FileResponse => ({
  name,
  contentType,
  size: bytes,
  tag: tagOf([id, contentHash, bytes]),
  read: (range) => readStripped(deps.files, { key, plan }, range),
})

const zipName = ({ publicDetails: { subjectName, jobName } }: DownloadLinkDetails): string =>
  `${withoutReservedCharacters([subjectName, jobName].filter((part) => part !== '').join(' – '))}.zip`

const zipResponse = async (deps: Deps, download: DownloadLinkDetails): Promise<FileResponse> => {
  const files = await stripFiles(deps, download)
  const { size, read } = await createZipStream(
    deps.files,
    files.map(({ name, bytes: size, madeAt, key, plan }) => {
      const open = () => readStripped(deps.files, { key, plan }, { start: 0, end: size - 1 })
      return { name, size, madeAt, open }
    }),
  )
  const tag = tagOf(
    files.flatMap(({ id, name, contentHash, bytes, madeAt }) => [id, name, contentHash, bytes, madeAt.getTime()]),
  )
  return { name: zipName(download), contentType: 'application/zip', size, tag, read }
}

/**
 * Records that bytes of a link are sent, and counts a download when they include the first byte. Locks the order, and
 * returns false if the order was cancelled or the link's item removed in the meantime, because their price is refunded.
 */
const recordDelivery = (deps: Deps, { studioId, id }: DownloadLinkDetails, isBeginning: boolean): Promise<boolean> =>
  inTransaction(deps.db, async (tx) => {
    const { rows } = await sql`
      select o.id from orders o join downloads d on d.studio_id = o.studio_id and d.order_id = o.id
       where d.studio_id = ${studioId} and d.id = ${id} and d.revoked_at is null and o.state <> 'cancelled' for share of o`.execute(
      tx,
    )
    if (rows.length === 0) return false
    const { numUpdatedRows } = await tx
      .updateTable('downloads')
      .set(({ eb }) => ({
        downloaded_at: deps.clock(),
        ...(isBeginning && { times_downloaded: eb('times_downloaded', '+', 1) }),
      }))
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  })

type FileParams = { linkId: string; fileId?: string }

const mountFile = (
  app: FastifyInstance,
  deps: Deps,
  {
    url,
    open,
  }: { url: string; open: (download: DownloadLinkDetails, params: FileParams) => Promise<FileResponse | undefined> },
): void => {
  const send = async (request: FastifyRequest<{ Params: FileParams }>, reply: FastifyReply) => {
    const { linkId } = request.params
    const download = isLinkId(linkId) ? await findDownload(deps, linkId) : undefined
    const file = download && (await open(download, request.params))
    if (!download || !file) return sendAnswer(reply, answerOf(downloadNotFound()))
    const part = requestedRange(request, file)
    const sendsBytes = request.method === 'GET' && part.kind !== 'outside'
    const isBeginning = part.kind === 'whole' || (part.kind === 'part' && part.start === 0)
    if (sendsBytes && !(await recordDelivery(deps, download, isBeginning)))
      return sendAnswer(reply, answerOf(downloadNotFound()))
    return await sendFile(request, reply, { file, part })
  }
  app.route<{ Params: FileParams }>({ method: ['GET', 'HEAD'], url, handler: send })
}

const renew = async ({ db, clock }: Deps, { studioId, id }: DownloadLinkDetails): Promise<void> => {
  const expires = addHours(clock(), downloadDays * 24)
  await db
    .updateTable('downloads')
    .set({ expires_at: expires })
    .where('studio_id', '=', studioId)
    .where('id', '=', id)
    .execute()
}

/** Routes of download links: their contents, and the files, which can be resumed. The link is the only authorization (section 7). */
export const mountDownloads = (app: FastifyInstance, deps: Deps): void => {
  mount(
    app,
    deps,
    getDownload,
    async ({ params: { linkId } }) => (await readDownload(deps, linkId)) ?? downloadNotFound(),
  )
  mount(app, deps, renewDownload, async ({ params: { linkId }, body, request }) => {
    const number = normaliseOrderNumber(body.orderNumber)
    const targets = [number ?? body.orderNumber, body.email.trim()]
    const attempt = {
      kind: 'order',
      session: await currentSession(deps, request),
      grant: 'any',
      targets,
      address: clientAddressOf(request),
    } as const
    const verifiedDownload = await bruteForceGuard(deps, attempt, async () => {
      const download = await findDownload(deps, linkId)
      return download?.orderNumber === number && download.emailKey === body.email.trim().toLowerCase()
        ? download
        : undefined
    })
    if (verifiedDownload instanceof Problem) return verifiedDownload
    if (!verifiedDownload) return orderNotFound()
    await renew(deps, verifiedDownload)
    return (await readDownload(deps, linkId)) ?? downloadNotFound()
  })
  mountFile(app, deps, {
    url: `${downloadsPath}/:linkId/files/:fileId`,
    open: async ({ files }, { fileId }) => {
      const file = files.find(({ id }) => id === fileId)
      return file && imageResponse(deps, await stripFile(deps, file))
    },
  })
  mountFile(app, deps, {
    url: `${downloadsPath}/:linkId/zip`,
    open: async (download) =>
      download.files.length > 0 && download.missing.length === 0 ? await zipResponse(deps, download) : undefined,
  })
  mountThumbnails(app, deps)
}
