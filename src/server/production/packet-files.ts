import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Infer } from 'superstruct'
import type { PacketFiles } from '#contract/studio/packets.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import type { FileResponse } from '../file-responses/send-file.ts'
import { sendSignedDownload } from '../file-responses/signed-download.ts'
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

const entityTag = (files: readonly ZipEntry[]): string => {
  const hash = createHash('sha256')
  for (const file of files) hash.update('key' in file ? `${file.key} ${file.size}\n` : file.content)
  return `"${hash.digest('base64url').slice(0, 32)}"`
}

/** Opens a file of a packet as a stream, so that large files are never in memory as a whole. */
const openFile = async (deps: Deps, packet: ReadyPacket, kind: Kind): Promise<FileResponse | undefined> => {
  const files = await packetContents(deps, packet)
  if (kind === 'packet.zip') {
    const { size, read } = await createZipStream(deps.files, files)
    return { name: `packet-${packet.packetId}.zip`, contentType: 'application/zip', size, tag: entityTag(files), read }
  }
  const file = files.find(({ name }) => name === kind)
  if (!file || !('content' in file)) return undefined
  const { content } = file
  return {
    name: `packet-${packet.packetId}-${kind}`,
    contentType: contentTypes[kind],
    size: content.length,
    tag: entityTag([file]),
    read: ({ start, end }) => Readable.from([content.subarray(start, end + 1)], { objectMode: false }),
  }
}

type Params = { studioId: string; packetId: string; kind: string }

const parseParams = ({ studioId, packetId, kind }: Params): (PacketKey & { kind: Kind }) | undefined => {
  const fileKind = kinds.find((name) => name === kind)
  const areIds = [studioId, packetId].every((text) => /^\d{1,15}$/.test(text))
  return fileKind && areIds ? { studioId: Number(studioId), packetId: Number(packetId), kind: fileKind } : undefined
}

/**
 * Mounts the files of packets at signed URLs. A URL allows downloading and resuming while its user is a member of the studio's staff.
 */
export const mountPacketFiles = (app: FastifyInstance, deps: Deps): void => {
  const openTarget = async (target: PacketKey & { kind: Kind }): Promise<FileResponse | undefined> => {
    const packet = await readReadyPacket(deps, target)
    return packet && (await openFile(deps, packet, target.kind))
  }
  app.route<{ Params: Params }>({
    method: ['GET', 'HEAD'],
    url: '/api/packets/:studioId/:packetId/:kind',
    handler: (request, reply) => {
      const target = parseParams(request.params)
      const download = target && {
        text: signedName(target, target.kind),
        studioId: target.studioId,
        open: () => openTarget(target),
      }
      return sendSignedDownload(deps, { request, reply }, download)
    },
  })
}
