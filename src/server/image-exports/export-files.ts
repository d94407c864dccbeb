import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Infer, object, validate } from 'superstruct'
import { Id } from '#contract/shapes/primitives.ts'
import type { getImageExportFile } from '#contract/studio/portraits/image-exports.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { entityTag, type FileResponse } from '../file-responses/send-file.ts'
import { sendSignedDownload, signedRoute } from '../file-responses/signed-download.ts'
import { createZipStream } from '../file-responses/zip-stream.ts'
import { type Problem, problem } from '../http/problem.ts'
import { signUrl } from '../http/sign-url.ts'
import { type ExportDescription, exportContents } from './export-contents.ts'
import { type ExportKey, readExportedFiles } from './exported-files.ts'
import { readImageExport } from './read-exports.ts'

type ReadyExport = ExportDescription & { readonly jobId: number }

/** Reads an export whose files are made and not yet removed. */
const readReadyExport = async (
  { db, clock }: Deps,
  { studioId, exportId }: Omit<ExportKey, 'jobId'>,
): Promise<ReadyExport | undefined> => {
  const { rows } = await sql<ReadyExport>`
    select e.job_id as "jobId", s.name as studio, coalesce(o.name, '') as school, j.name as job, e.settings, e.created_at as "madeAt",
           to_char(e.created_at at time zone s.time_zone, 'YYYY-MM-DD') as "madeOn"
      from image_exports e
      join studios s on s.id = e.studio_id
      join jobs j on j.studio_id = e.studio_id and j.id = e.job_id
      left join organizations o on o.studio_id = j.studio_id and o.id = j.organization_id
     where e.studio_id = ${studioId} and e.id = ${exportId} and e.state = 'ready' and e.expires_at > ${clock()}::timestamptz`.execute(
    db,
  )
  return rows[0]
}

const signedName = ({ studioId, exportId }: Omit<ExportKey, 'jobId'>): string => `image-export:${studioId}:${exportId}`

/** The signed URL of an export's ZIP. Who requests it is recorded, because the ZIP contains the data of many children. */
export const showExportFile = async (
  deps: Deps,
  key: ExportKey,
  user: User,
): Promise<Infer<(typeof getImageExportFile)['answer']> | Problem<'not-found' | 'refused'>> => {
  const { studioId, jobId, exportId } = key
  if (!(await readImageExport(deps.db, key))) return problem('not-found')
  const description = await readReadyExport(deps, key)
  if (!description) return problem('refused', 'The files of this export are not available. Start a new export')
  const entries = exportContents(key, description, await readExportedFiles(deps.db, key))
  await inTransaction(deps.db, (tx) =>
    recordAudit(tx, deps, {
      studioId,
      action: 'image-export.opened',
      entityId: String(exportId),
      detail: { jobId, volume: description.settings.volume },
      userId: user.id,
    }),
  )
  return {
    zipUrl: `/api/image-exports/${studioId}/${exportId}/zip?${signUrl({ ...deps, user }, signedName(key))}`,
    fileCount: entries.filter((entry) => 'key' in entry).length,
    bytes: entries.reduce((sum, { size }) => sum + size, 0),
  }
}

/** Opens the ZIP of an export as a stream, without what was hidden or withdrawn since. */
const openZip = async (deps: Deps, exportKey: Omit<ExportKey, 'jobId'>): Promise<FileResponse | undefined> => {
  const description = await readReadyExport(deps, exportKey)
  if (!description) return undefined
  const key = { ...exportKey, jobId: description.jobId }
  const files = await readExportedFiles(deps.db, key)
  const entries = exportContents(key, description, files)
  const { size, read } = await createZipStream(deps.files, entries)
  const tag = entityTag([
    ...entries.map((entry) => ('key' in entry ? `${entry.name} ${entry.size}\n` : entry.content)),
    ...files.map(({ contentHash }) => contentHash),
  ])
  return { name: `${description.settings.volume}.zip`, contentType: 'application/zip', size, tag, read }
}

const UrlParams = object({ studioId: Id, exportId: Id })

/** Mounts the ZIP files of exports at signed URLs. */
export const mountExportFiles = (app: FastifyInstance, deps: Deps): void => {
  app.route({
    ...signedRoute,
    url: '/api/image-exports/:studioId/:exportId/zip',
    handler: (request, reply) => {
      const [, key] = validate(request.params, UrlParams, { coerce: true })
      const download = key && {
        text: signedName(key),
        studioId: key.studioId,
        showsPhotos: true as const,
        open: () => openZip(deps, key),
      }
      return sendSignedDownload(deps, { request, reply }, download)
    },
  })
}
