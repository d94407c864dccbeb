import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Infer, object, validate } from 'superstruct'
import { Id } from '#contract/shapes/primitives.ts'
import type { getStudioExportFile } from '#contract/studio/studio-export.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { entityTag, type FileResponse } from '../file-responses/send-file.ts'
import { sendSignedDownload, signedRoute } from '../file-responses/signed-download.ts'
import { createZipStream, type ZipEntry } from '../file-responses/zip-stream.ts'
import { type Problem, problem } from '../http/problem.ts'
import { signUrl } from '../http/sign-url.ts'
import { exportTablesFolder } from './studio-exports.ts'

type ReadyExport = { readonly slug: string; readonly studio: string; readonly folder: string; readonly madeAt: Date }

const readReadyExport = async ({ db, clock }: Deps, studioId: number): Promise<ReadyExport | undefined> => {
  const { rows } = await sql<ReadyExport>`
    select s.slug, s.name as studio, e.folder, e.created_at as "madeAt"
      from studio_exports e join studios s on s.id = e.studio_id
     where e.studio_id = ${studioId} and e.state = 'ready' and e.expires_at > ${clock()}::timestamptz`.execute(db)
  return rows[0]
}

const readmeText = ({ studio, madeAt }: ReadyExport): string =>
  [
    `${studio}: everything it stores`,
    `Made: ${madeAt.toISOString()}`,
    '',
    'data/     One CSV file (UTF-8) per kind of record. Its columns end in _id where they refer to the column id of another',
    '          file; amounts end in _cents; times are in UTC (ISO 8601); structured values are JSON.',
    'images/   The uploaded images, in a folder per job. A name begins with the id of the image in data/image_lookups.csv.',
    '',
    'Passwords and other secrets are not included.',
    '',
  ].join('\r\n')

const safeName = (name: string): string => name.replace(/[^\p{L}\p{N}._ -]/gu, '_')

/** The uploaded images of a studio that are stored. */
const imageEntries = async ({ db, files }: Deps, studioId: number): Promise<ZipEntry[]> => {
  const sizes = new Map<string, number>()
  for await (const { key, size } of files.list(`studios/${studioId}/`)) sizes.set(key, size)
  const images = await db
    .selectFrom('image_lookups')
    .select(['id', 'job_id as jobId', 'file_name as fileName', 'original_key as key', 'created_at as madeAt'])
    .where('studio_id', '=', studioId)
    .orderBy('id')
    .execute()
  return images.flatMap(({ id, jobId, fileName, key, madeAt }) => {
    const size = sizes.get(key)
    return size === undefined ? [] : [{ name: `images/${jobId}/${id} ${safeName(fileName)}`, key, size, madeAt }]
  })
}

const zipEntries = async (deps: Deps, studioId: number, ready: ReadyExport): Promise<ZipEntry[]> => {
  const folder = exportTablesFolder({ studioId, folder: ready.folder })
  const { madeAt } = ready
  const content = Buffer.from(readmeText(ready))
  const tables: ZipEntry[] = []
  for await (const { key, size } of deps.files.list(folder))
    tables.push({ name: `data/${key.slice(folder.length)}`, key, size, madeAt })
  tables.sort((a, b) => (a.name < b.name ? -1 : 1))
  return [
    { name: 'README.txt', content, size: content.length, madeAt },
    ...tables,
    ...(await imageEntries(deps, studioId)),
  ]
}

const signedName = (studioId: number): string => `studio-export:${studioId}`

/**
 * The signed URL of a studio's export, for its owners only: it contains the data and images of every child. Who requests it is recorded.
 */
export const linkToExport = async (
  deps: Deps,
  { studioId, user }: { studioId: number; user: User },
): Promise<Infer<(typeof getStudioExportFile)['answer']> | Problem<'refused'>> => {
  const ready = await readReadyExport(deps, studioId)
  if (!ready) return problem('refused', 'The files of this export are not available. Start a new export')
  const entries = await zipEntries(deps, studioId, ready)
  await inTransaction(deps.db, (tx) =>
    recordAudit(tx, deps, {
      studioId,
      action: 'studio-export.opened',
      entityId: String(studioId),
      detail: { files: entries.length },
      userId: user.id,
    }),
  )
  return {
    zipUrl: `/api/studio-exports/${studioId}/zip?${signUrl({ ...deps, user }, signedName(studioId))}`,
    fileCount: entries.length,
    bytes: entries.reduce((sum, { size }) => sum + size, 0),
  }
}

const openZip = async (deps: Deps, studioId: number): Promise<FileResponse | undefined> => {
  const ready = await readReadyExport(deps, studioId)
  if (!ready) return undefined
  const entries = await zipEntries(deps, studioId, ready)
  const { size, read } = await createZipStream(deps.files, entries)
  const tag = entityTag([ready.folder, ...entries.map((entry) => `${entry.name} ${entry.size}\n`)])
  return { name: `${ready.slug}.zip`, contentType: 'application/zip', size, tag, read }
}

const UrlParams = object({ studioId: Id })

/** Mounts the ZIP files of studios at signed URLs. */
export const mountExportFile = (app: FastifyInstance, deps: Deps): void => {
  app.route({
    ...signedRoute,
    url: '/api/studio-exports/:studioId/zip',
    handler: (request, reply) => {
      const [, params] = validate(request.params, UrlParams, { coerce: true })
      const permission = 'studio.users.crud' as const
      const download = params && {
        text: signedName(params.studioId),
        studioId: params.studioId,
        permission,
        open: () => openZip(deps, params.studioId),
      }
      return sendSignedDownload(deps, { request, reply }, download)
    },
  })
}
