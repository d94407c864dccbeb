import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Deps } from '../deps.ts'
import { sendAnswer } from '../http/mount.ts'
import { answerOf, problem } from '../http/problem.ts'
import {
  isSignedByStaff,
  isSignedUrl,
  type SignedAccess,
  signatureFromQuery,
  type UrlSignature,
} from '../http/sign-url.ts'
import { requestedRange } from './byte-ranges.ts'
import { type FileResponse, sendFile } from './send-file.ts'

/**
 * The options of a route whose URLs are signed for their users (`sign-url.ts`). A browser that opens one sends no bearer token: during maintenance
 * the signature says whether the user is an administrator.
 */
export const signedRoute = {
  method: ['GET', 'HEAD'],
  config: { isSigned: true },
} as const satisfies Partial<RouteOptions>

/** A file at a signed URL. `text` identifies the URL; `open` returns undefined if the file is not there any more. */
export type SignedDownload = SignedAccess & {
  readonly text: string
  readonly open: () => Promise<FileResponse | undefined>
}

/** The time in which a started download may be resumed: gigabytes take hours on a slow connection. */
const resumeSeconds = 24 * 60 * 60

/** Whether a request resumes a download of this file, which is identified by its entity tag. */
const resumesDownload = ({ headers }: FastifyRequest, { tag }: FileResponse): boolean =>
  headers.range !== undefined && headers['if-range'] === tag

/**
 * Sends a file at a signed URL. The URL allows downloading and resuming while its user may use it.
 * Undefined, an invalid and an expired URL are not found.
 */
export const sendSignedDownload = async (
  deps: Deps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  download: SignedDownload | undefined,
): Promise<FastifyReply> => {
  const signature = signatureFromQuery(request.query as Partial<UrlSignature>) // any query is parsed to texts or lists
  const isAllowed = download && (await isSignedByStaff(deps, { ...download, graceSeconds: resumeSeconds }, signature))
  const file = isAllowed ? await download.open() : undefined
  if (!download || !file || !(isSignedUrl(deps, download, signature) || resumesDownload(request, file)))
    return sendAnswer(reply, answerOf(problem('not-found')))
  return await sendFile(request, reply, { file, part: requestedRange(request, file) })
}
