import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Download, getDownload, renewDownload } from '#contract/customer/download-calls.ts'
import { downloadDays } from '#domain/catalogue/downloads.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { guard } from '../access/brute-force/brute-force-guard.ts'
import { currentSession } from '../access/sessions/sessions.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { partAsked } from '../file-responses/byte-ranges.ts'
import { type Sendable, sendFile } from '../file-responses/send-file.ts'
import { zipOf } from '../file-responses/zip-stream.ts'
import { addressOf } from '../http/client-address.ts'
import { mount, sendAnswer } from '../http/mount.ts'
import { answerOf, noOrder, Problem } from '../http/problem.ts'
import type { Plan } from '../images/metadata/file-pieces.ts'
import { cleanPlan, readPlan } from '../images/metadata/strip-metadata.ts'
import { mapAtOnce } from '../map-concurrently.ts'
import { askToCompose } from './compose-downloads.ts'
import type { DownloadFile } from './download-files.ts'
import { downloadsPath, isLinkId, noDownload } from './download-links.ts'
import { mountThumbnails } from './download-thumbnails.ts'
import { type FoundDownload, findDownload } from './find-download.ts'

/** A picture as it leaves: `bytes` are those of its plan, not the original's. */
type Clean = DownloadFile & { readonly plan: Plan }

/** Reads so many originals through at once. */
const plansAtOnce = 4

const clean = async ({ files }: Deps, file: DownloadFile): Promise<Clean> => {
  const plan = await cleanPlan(files, file)
  return { ...file, plan, bytes: plan.size }
}

const allClean = (deps: Deps, { files }: FoundDownload): Promise<Clean[]> =>
  mapAtOnce(files, plansAtOnce, (file) => clean(deps, file))

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

const shown = ({ linkId, shown: facts, making }: FoundDownload, files: readonly Clean[]): Download => ({
  ...facts,
  files: files.map((file) => fileShown(linkId, file)),
  ...(files.length > 1 && making.length === 0 && { zipUrl: `${downloadsPath}/${linkId}/zip` }),
  ...(making.length > 0 && { making: making.length }),
})

/** A link as it is shown; what it lacks is made behind it. */
const look = async (deps: Deps, linkId: string): Promise<Download | undefined> => {
  const found = await findDownload(deps, linkId)
  if (found && found.making.length > 0) await askToCompose(deps, found)
  return found && shown(found, await allClean(deps, found))
}

const tagOf = (parts: readonly (string | number | null)[]): string =>
  `"${createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, 32)}"`

const picture = (deps: Deps, { id, key, name, contentType, contentHash, bytes, plan }: Clean): Sendable => ({
  name,
  contentType,
  size: bytes,
  tag: tagOf([id, contentHash, bytes]),
  read: (range) => readPlan(deps.files, { key, plan }, range),
})

const zipName = ({ shown: { personName, jobName } }: FoundDownload): string =>
  `${[personName, jobName]
    .filter((part) => part !== '')
    .join(' – ')
    .replace(/[/\\:]/g, '_')}.zip`

const zipped = async (deps: Deps, found: FoundDownload): Promise<Sendable> => {
  const pictures = await allClean(deps, found)
  const { size, read } = await zipOf(
    deps.files,
    pictures.map(({ name, bytes, madeAt, key, plan }) => {
      const open = () => readPlan(deps.files, { key, plan }, { start: 0, end: bytes - 1 })
      return { name, bytes, madeAt, open }
    }),
  )
  const tag = tagOf(
    pictures.flatMap(({ id, name, contentHash, bytes, madeAt }) => [id, name, contentHash, bytes, madeAt.getTime()]),
  )
  return { name: zipName(found), contentType: 'application/zip', size, tag, read }
}

/**
 * Writes down that bytes of a link leave, and counts what is begun with its first. Under the order's lock: false where it was cancelled
 * meanwhile, or what the link is of was taken off it, and the money is on the way back.
 */
const noteLeaving = (deps: Deps, { studioId, id }: FoundDownload, begins: boolean): Promise<boolean> =>
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
  { url, open }: { url: string; open: (found: FoundDownload, params: FileParams) => Promise<Sendable | undefined> },
): void => {
  const send = async (request: FastifyRequest<{ Params: FileParams }>, reply: FastifyReply) => {
    const { linkId } = request.params
    const found = isLinkId(linkId) ? await findDownload(deps, linkId) : undefined
    const file = found && (await open(found, request.params))
    if (!found || !file) return sendAnswer(reply, answerOf(noDownload()))
    const part = partAsked(request, file)
    const leaves = request.method === 'GET' && part.kind !== 'outside'
    const begins = part.kind === 'whole' || (part.kind === 'part' && part.start === 0)
    if (leaves && !(await noteLeaving(deps, found, begins))) return sendAnswer(reply, answerOf(noDownload()))
    return await sendFile(request, reply, { file, part })
  }
  app.route<{ Params: FileParams }>({ method: ['GET', 'HEAD'], url, handler: send })
}

const renew = async ({ db, clock }: Deps, { studioId, id }: FoundDownload): Promise<void> => {
  const expires = new Date(clock().getTime() + downloadDays * 24 * 60 * 60 * 1000)
  await db
    .updateTable('downloads')
    .set({ expires_at: expires })
    .where('studio_id', '=', studioId)
    .where('id', '=', id)
    .execute()
}

/** Links to downloads: what they lead to, and the files, which may break off and go on. Whoever holds a link may use it (section 7). */
export const mountDownloads = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, getDownload, async ({ params: { linkId } }) => (await look(deps, linkId)) ?? noDownload())
  mount(app, deps, renewDownload, async ({ params: { linkId }, body, request }) => {
    const number = normaliseOrderNumber(body.orderNumber)
    const targets = [number ?? body.orderNumber, body.email.trim()]
    const attempt = {
      kind: 'order',
      session: await currentSession(deps, request),
      grant: 'any',
      targets,
      address: addressOf(request),
    } as const
    const known = await guard(deps, attempt, async () => {
      const found = await findDownload(deps, linkId)
      return found?.orderNumber === number && found.emailKey === body.email.trim().toLowerCase() ? found : undefined
    })
    if (known instanceof Problem) return known
    if (!known) return noOrder()
    await renew(deps, known)
    return (await look(deps, linkId)) ?? noDownload()
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
      found.files.length > 0 && found.making.length === 0 ? await zipped(deps, found) : undefined,
  })
  mountThumbnails(app, deps)
}
