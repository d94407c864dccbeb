import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemName } from '#contract/shapes/problems.ts'
import { isDiskFull } from '../database/disk-full.ts'
import type { Deps } from '../deps.ts'
import { sendAnswer } from './mount.ts'
import { answerOf, problem } from './problem.ts'

/** Fastify's refusals that have a problem of their own; its other 4xx are malformed requests. */
const problemByStatus: Record<number, ProblemName> = {
  404: 'not-found',
  413: 'too-large',
  415: 'unsupported-media',
  429: 'slow-down',
}

const problemOf = ({ statusCode = 500 }: FastifyError): ProblemName =>
  statusCode >= 500 ? 'unexpected' : (problemByStatus[statusCode] ?? 'bad-request')

/** Shown while the disk is full; acknowledged changes are safe. */
export const cannotSaveMessage = 'We can’t save anything at the moment. Please try again in a few minutes'

/** Whether it failed only because the client disconnected. */
const isHungUp = ({ code }: FastifyError, { raw }: FastifyRequest): boolean =>
  code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed

/** Converts any thrown error into a response without stack, SQL or path; what is ours to fix is logged in full. */
const answerFailure = (deps: Deps, error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const name = problemOf(error)
  if (name === 'unexpected' && !isHungUp(error, request)) {
    deps.log.error({ err: error, request: request.id, route: request.routeOptions.url }, 'a request failed')
  }
  return sendAnswer(reply, answerOf(isDiskFull(error) ? problem(name, cannotSaveMessage) : problem(name)))
}

/** Registers one handler for every failure of the app. */
export const registerErrorHandlers = (app: FastifyInstance, deps: Deps): void => {
  app.setErrorHandler<FastifyError>((error, request, reply) => answerFailure(deps, error, request, reply))
}

/** For errors before routing: a URL that cannot be decoded. */
export const answerFrameworkError = (_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
  sendAnswer(reply, answerOf(problem('bad-request')))
}

const rawStatuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  // A slow connection is no fault of the request: with this status a device retries it.
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** For requests that are not valid HTTP: headers too long, or never finished. */
export const rawErrorResponse = (code: string | undefined): string => {
  const status = rawStatuses[code ?? ''] ?? '400 Bad Request'
  const body = JSON.stringify(answerOf(problem('bad-request')).body)
  const head = [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, 'content-type: application/json']
  return `${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`
}
