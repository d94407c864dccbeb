import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Infer } from 'superstruct'
import type { PacketFiles } from '#contract/studio/packets.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { requestedRange } from '../file-responses/byte-ranges.ts'
import { type FileResponse, sendFile } from '../file-responses/send-file.ts'
import { createZipStream, type ZipEntry } from '../file-responses/zip-stream.ts'
import { sendAnswer } from '../http/mount.ts'
import { answerOf, type Problem, problem } from '../http/problem.ts'
import { isByStaffOf, isSignedUrl, sealIn, signUrl, type UrlSignature, type UrlSigningDeps } from '../http/sign-url.ts'
import type { PacketKey } from './make-packet.ts'
import { packetContents, type ReadyPacket, readReadyPacket } from './packet-contents.ts'

const kinds = ['packet.zip', 'manifest.json', 'manifest.csv'] as const
type Kind = (typeof kinds)[number]

const named = ({ studioId, packetId }: PacketKey, kind: Kind): string => `packet:${studioId}:${packetId}:${kind}`

const addressOf = (deps: UrlSigningDeps, key: PacketKey, kind: Kind): string =>
  `/api/packets/${key.studioId}/${key.packetId}/${kind}?${signUrl(deps, named(key, kind))}`

/** Where the files of a packet are, for whoever may hand them to the lab. */
export const showPacketFiles = async (
  deps: Deps & UrlSigningDeps,
  { studioId, jobId, packetId }: JobKey & { readonly packetId: number },
): Promise<Infer<typeof PacketFiles> | Problem<'not-found' | 'refused'>> => {
  const packet = deps.db.selectFrom('packets').select('id').where('studio_id', '=', studioId)
  const isHere = await packet.where('job_id', '=', jobId).where('id', '=', packetId).executeTakeFirst()
  if (!isHere) return problem('not-found')
  const key = { studioId, packetId }
  const ready = await readReadyPacket(deps, key)
  if (!ready) return problem('refused', 'The files of this packet are not made yet')
  const files = await packetContents(deps, ready)
  return {
    fileCount: files.filter(({ name }) => name.includes('/')).length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    zipUrl: addressOf(deps, key, 'packet.zip'),
    jsonUrl: addressOf(deps, key, 'manifest.json'),
    csvUrl: addressOf(deps, key, 'manifest.csv'),
  }
}

const contentTypes = { 'manifest.json': 'application/json', 'manifest.csv': 'text/csv; charset=utf-8' } as const

const tagOf = (files: readonly ZipEntry[]): string => {
  const hash = createHash('sha256')
  for (const file of files) hash.update('key' in file ? `${file.key} ${file.bytes}\n` : file.content)
  return `"${hash.digest('base64url').slice(0, 32)}"`
}

/** A packet's file by its kind, sent as it is read: however large it is, it never lies in memory. */
const open = async (deps: Deps, ready: ReadyPacket, kind: Kind): Promise<FileResponse | undefined> => {
  const files = await packetContents(deps, ready)
  if (kind === 'packet.zip') {
    const { size, read } = await createZipStream(deps.files, files)
    return { name: `packet-${ready.packetId}.zip`, contentType: 'application/zip', size, tag: tagOf(files), read }
  }
  const file = files.find(({ name }) => name === kind)
  if (!file || !('content' in file)) return undefined
  const { content } = file
  return {
    name: `packet-${ready.packetId}-${kind}`,
    contentType: contentTypes[kind],
    size: content.length,
    tag: tagOf([file]),
    read: ({ start, end }) => Readable.from([content.subarray(start, end + 1)], { objectMode: false }),
  }
}

/** Gigabytes on a studio's line take hours: what was begun in time may go on for so long. */
const resumedSeconds = 24 * 60 * 60

/** Whether somebody goes on with just this file, whose tag they were given as they began. */
const goesOn = ({ headers }: FastifyRequest, { tag }: FileResponse): boolean =>
  headers.range !== undefined && headers['if-range'] === tag

type Params = { studioId: string; packetId: string; kind: string }

const readAddress = ({ studioId, packetId, kind }: Params): (PacketKey & { kind: Kind }) | undefined => {
  const known = kinds.find((one) => one === kind)
  const areIds = [studioId, packetId].every((text) => /^\d{1,15}$/.test(text))
  return known && areIds ? { studioId: Number(studioId), packetId: Number(packetId), kind: known } : undefined
}

/** The files of packets at their sealed addresses: whoever was given one may fetch it, whole or on from where it broke off, while its user is staff. */
export const mountPacketFiles = (app: FastifyInstance, deps: Deps): void => {
  const send = async (
    request: FastifyRequest<{ Params: Params; Querystring: Partial<UrlSignature> }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const asked = readAddress(request.params)
    const given = sealIn(request.query)
    const isSealed = (over: number) => asked && isSignedUrl(deps, { what: named(asked, asked.kind), over }, given)
    const isAllowed = asked && isSealed(resumedSeconds) && (await isByStaffOf(deps.db, asked.studioId, given))
    const ready = isAllowed ? await readReadyPacket(deps, asked) : undefined
    const file = asked && ready && (await open(deps, ready, asked.kind))
    if (!file || !(isSealed(0) || goesOn(request, file))) return sendAnswer(reply, answerOf(problem('not-found')))
    return await sendFile(request, reply, { file, part: requestedRange(request, file) })
  }
  app.route<{ Params: Params; Querystring: Partial<UrlSignature> }>({
    method: ['GET', 'HEAD'],
    url: '/api/packets/:studioId/:packetId/:kind',
    handler: send,
  })
}
