import type { FastifyInstance } from 'fastify'
import { enums, type Infer, object, validate } from 'superstruct'
import { Id } from '#contract/shapes/primitives.ts'
import type { PacketFiles } from '#contract/studio/packets.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { entityTag, type FileResponse, fileInMemory } from '../file-responses/send-file.ts'
import { sendSignedDownload, signedRoute } from '../file-responses/signed-download.ts'
import { createZipStream, type ZipEntry } from '../file-responses/zip-stream.ts'
import { type Problem, problem } from '../http/problem.ts'
import { signUrl, type UrlSigningDeps } from '../http/sign-url.ts'
import { packetContents, type ReadyPacket, readReadyPacket } from './packet-contents.ts'
import type { PacketKey } from './read-packet-orders.ts'

const kinds = ['packet.zip', 'manifest.json', 'manifest.csv'] as const
type Kind = (typeof kinds)[number]

const signedName = ({ studioId, packetId }: PacketKey, kind: Kind): string => `packet:${studioId}:${packetId}:${kind}`

const signedUrl = (deps: UrlSigningDeps, key: PacketKey, kind: Kind): string =>
  `/api/packets/${key.studioId}/${key.packetId}/${kind}?${signUrl(deps, signedName(key, kind))}`

/** The signed URLs of a packet's files. */
export const showPacketFiles = async (
  deps: Deps & UrlSigningDeps,
  { studioId, jobId, packetId }: JobKey & { readonly packetId: number },
): Promise<Infer<typeof PacketFiles> | Problem<'not-found' | 'refused'>> => {
  const packetsQuery = deps.db.selectFrom('packets').select('id').where('studio_id', '=', studioId)
  const row = await packetsQuery.where('job_id', '=', jobId).where('id', '=', packetId).executeTakeFirst()
  if (!row) return problem('not-found')
  const key = { studioId, packetId }
  const packet = await readReadyPacket(deps, key)
  if (!packet) return problem('refused', 'The files of this packet are not made yet')
  const files = await packetContents(deps, packet)
  return {
    fileCount: files.filter(({ name }) => name.includes('/')).length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    zipUrl: signedUrl(deps, key, 'packet.zip'),
    jsonUrl: signedUrl(deps, key, 'manifest.json'),
    csvUrl: signedUrl(deps, key, 'manifest.csv'),
  }
}

const contentTypes = { 'manifest.json': 'application/json', 'manifest.csv': 'text/csv; charset=utf-8' } as const

const tagOf = (files: readonly ZipEntry[]): string =>
  entityTag(files.map((file) => ('key' in file ? `${file.key} ${file.size}\n` : file.content)))

/** Opens a file of a packet as a stream, so that large files are never in memory as a whole. */
const openFile = async (deps: Deps, packet: ReadyPacket, kind: Kind): Promise<FileResponse | undefined> => {
  const files = await packetContents(deps, packet)
  if (kind === 'packet.zip') {
    const { size, read } = await createZipStream(deps.files, files)
    return { name: `packet-${packet.packetId}.zip`, contentType: 'application/zip', size, tag: tagOf(files), read }
  }
  const file = files.find(({ name }) => name === kind)
  if (!file || !('content' in file)) return undefined
  return fileInMemory(`packet-${packet.packetId}-${kind}`, contentTypes[kind], file.content)
}

const UrlParams = object({ studioId: Id, packetId: Id, kind: enums(kinds) })

/**
 * Mounts the files of packets at signed URLs. A URL allows downloading and resuming while its user is a member of the studio's staff.
 */
export const mountPacketFiles = (app: FastifyInstance, deps: Deps): void => {
  const openTarget = async (target: Infer<typeof UrlParams>): Promise<FileResponse | undefined> => {
    const packet = await readReadyPacket(deps, target)
    return packet && (await openFile(deps, packet, target.kind))
  }
  app.route({
    ...signedRoute,
    url: '/api/packets/:studioId/:packetId/:kind',
    handler: (request, reply) => {
      const [, target] = validate(request.params, UrlParams, { coerce: true })
      const download = target && {
        text: signedName(target, target.kind),
        studioId: target.studioId,
        showsPhotos: true as const,
        open: () => openTarget(target),
      }
      return sendSignedDownload(deps, { request, reply }, download)
    },
  })
}
