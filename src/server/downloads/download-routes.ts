import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Download, getDownload, renewDownload } from '#contract/customer/download-calls.ts'
import { downloadDays } from '#domain/catalogue/downloads.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import { currentSession } from '../access/sessions/sessions.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { requestedRange } from '../file-responses/byte-ranges.ts'
import { type FileResponse, sendFile } from '../file-responses/send-file.ts'
import { createZipStream } from '../file-responses/zip-stream.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { mount, sendAnswer } from '../http/mount.ts'
import { answerOf, orderNotFound, Problem } from '../http/problem.ts'
import type { FilePlan } from '../images/metadata/file-pieces.ts'
import { readStripped, strippedPlan } from '../images/metadata/strip-metadata.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { enqueueComposition } from './compose-downloads.ts'
import type { DownloadFile } from './download-files.ts'
import { downloadNotFound, downloadsPath, isLinkId } from './download-links.ts'
import { mountThumbnails } from './download-thumbnails.ts'
import { type DownloadLinkDetails, findDownload } from './find-download.ts'

/** An image without metadata: `bytes` counts those of its plan, not of the original. */
type Clean = DownloadFile & { readonly plan: FilePlan }

/** The limit on originals read at the same time. */
const plansAtOnce = 4

const clean = async ({ files }: Deps, file: DownloadFile): Promise<Clean> => {
  const plan = await strippedPlan(files, file)
  return { ...file, plan, bytes: plan.size }
}

const allClean = (deps: Deps, { files }: DownloadLinkDetails): Promise<Clean[]> =>
  mapConcurrently(files, plansAtOnce, (file) => clean(deps, file))

const fileShown = (
  linkId: string,
  { id, name, bytes, width, height, thumbnail }: Clean,
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

const shown = ({ linkId, shown: facts, missing }: DownloadLinkDetails, files: readonly Clean[]): Download => ({
  ...facts,
  files: files.map((file) => fileShown(linkId, file)),
  ...(files.length > 1 && missing.length === 0 && { zipUrl: `${downloadsPath}/${linkId}/zip` }),
  ...(missing.length > 0 && { making: missing.length }),
})

/** A link as it is shown; missing compositions are made in the background. */
const look = async (deps: Deps, linkId: string): Promise<Download | undefined> => {
  const found = await findDownload(deps, linkId)
  if (found && found.missing.length > 0) await enqueueComposition(deps, found)
  return found && shown(found, await allClean(deps, found))
}

const tagOf = (parts: readonly (string | number | null)[]): string =>
  `"${createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, 32)}"`

const picture = (deps: Deps, { id, key, name, contentType, contentHash, bytes, plan }: Clean): FileResponse => ({
  name,
  contentType,
  size: bytes,
  tag: tagOf([id, contentHash, bytes]),
  read: (range) => readStripped(deps.files, { key, plan }, range),
})

const zipName = ({ shown: { personName, jobName } }: DownloadLinkDetails): string =>
  `${[personName, jobName]
    .filter((part) => part !== '')
    .join(' – ')
    .replace(/[/\\:]/g, '_')}.zip`

const zipped = async (deps: Deps, found: DownloadLinkDetails): Promise<FileResponse> => {
  const pictures = await allClean(deps, found)
  const { size, read } = await createZipStream(
    deps.files,
    pictures.map(({ name, bytes, madeAt, key, plan }) => {
      const open = () => readStripped(deps.files, { key, plan }, { start: 0, end: bytes - 1 })
      return { name, bytes, madeAt, open }
    }),
  )
  const tag = tagOf(
    pictures.flatMap(({ id, name, contentHash, bytes, madeAt }) => [id, name, contentHash, bytes, madeAt.getTime()]),
  )
  return { name: zipName(found), contentType: 'application/zip', size, tag, read }
}

/**
 * Records that bytes of a link are sent, and counts a download at its first bytes. Under the order's lock: false where the order was
 * cancelled meanwhile or the link's item was removed from it, because then the money is refunded.
 */
const noteLeaving = (deps: Deps, { studioId, id }: DownloadLinkDetails, begins: boolean): Promise<boolean> =>
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
        ...(begins && { times_downloaded: eb('times_downloaded', '+', 1) }),
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
  }: { url: string; open: (found: DownloadLinkDetails, params: FileParams) => Promise<FileResponse | undefined> },
): void => {
  const send = async (request: FastifyRequest<{ Params: FileParams }>, reply: FastifyReply) => {
    const { linkId } = request.params
    const found = isLinkId(linkId) ? await findDownload(deps, linkId) : undefined
    const file = found && (await open(found, request.params))
    if (!found || !file) return sendAnswer(reply, answerOf(downloadNotFound()))
    const part = requestedRange(request, file)
    const leaves = request.method === 'GET' && part.kind !== 'outside'
    const begins = part.kind === 'whole' || (part.kind === 'part' && part.start === 0)
    if (leaves && !(await noteLeaving(deps, found, begins))) return sendAnswer(reply, answerOf(downloadNotFound()))
    return await sendFile(request, reply, { file, part })
  }
  app.route<{ Params: FileParams }>({ method: ['GET', 'HEAD'], url, handler: send })
}

const renew = async ({ db, clock }: Deps, { studioId, id }: DownloadLinkDetails): Promise<void> => {
  const expires = new Date(clock().getTime() + downloadDays * 24 * 60 * 60 * 1000)
  await db
    .updateTable('downloads')
    .set({ expires_at: expires })
    .where('studio_id', '=', studioId)
    .where('id', '=', id)
    .execute()
}

/** Routes of download links: their contents, and the files, which can be resumed. The link is the only authorization (section 7). */
export const mountDownloads = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, getDownload, async ({ params: { linkId } }) => (await look(deps, linkId)) ?? downloadNotFound())
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
    const known = await bruteForceGuard(deps, attempt, async () => {
      const found = await findDownload(deps, linkId)
      return found?.orderNumber === number && found.emailKey === body.email.trim().toLowerCase() ? found : undefined
    })
    if (known instanceof Problem) return known
    if (!known) return orderNotFound()
    await renew(deps, known)
    return (await look(deps, linkId)) ?? downloadNotFound()
  })
  mountFile(app, deps, {
    url: `${downloadsPath}/:linkId/files/:fileId`,
    open: async ({ files }, { fileId }) => {
      const file = files.find(({ id }) => id === fileId)
      return file && picture(deps, await clean(deps, file))
    },
  })
  mountFile(app, deps, {
    url: `${downloadsPath}/:linkId/zip`,
    open: async (found) =>
      found.files.length > 0 && found.missing.length === 0 ? await zipped(deps, found) : undefined,
  })
  mountThumbnails(app, deps)
}
