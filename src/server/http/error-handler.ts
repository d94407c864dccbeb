import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemName } from '#contract/shapes/problems.ts'
import { isDiskFull } from '../database/disk-full.ts'
import type { Deps } from '../deps.ts'
import { sendAnswer } from './mount.ts'
import { answerOf, type Problem, problem } from './problem.ts'

/** Fastify's errors that have their own problem. Its other 4xx errors are malformed requests. */
const problemByStatus: Record<number, ProblemName> = {
  404: 'not-found',
  413: 'too-large',
  415: 'unsupported-media',
  429: 'slow-down',
}

const problemNameOf = ({ statusCode = 500 }: FastifyError): ProblemName =>
  statusCode >= 500 ? 'unexpected' : (problemByStatus[statusCode] ?? 'bad-request')

/** The message while the disk is full. Changes that were acknowledged before are stored. */
export const cannotSaveMessage = 'We can’t save anything at the moment. Please try again in a few minutes'

/** Whether a request failed only because the client disconnected. */
const isClientDisconnect = ({ code }: FastifyError, { raw }: FastifyRequest): boolean =>
  code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed

const toProblem = (error: FastifyError, name: ProblemName): Problem =>
  isDiskFull(error) ? problem(name, cannotSaveMessage) : problem(name)

/** Sends any thrown error as a response without stack, SQL or path. Server errors are logged in full. */
const sendFailure = (deps: Deps, error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const name = problemNameOf(error)
  if (name === 'unexpected' && !isClientDisconnect(error, request)) {
    deps.log.error({ err: error, request: request.id, route: request.routeOptions.url }, 'a request failed')
  }
  return sendAnswer(reply, answerOf(toProblem(error, name)))
}

/** Registers one handler for every failure of the app. */
export const registerErrorHandlers = (app: FastifyInstance, deps: Deps): void => {
  app.setErrorHandler<FastifyError>((error, request, reply) => sendFailure(deps, error, request, reply))
}

/** Answers errors that occur before routing, such as a URL that cannot be decoded. */
export const answerFrameworkError = (_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
  sendAnswer(reply, answerOf(problem('bad-request')))
}

const rawStatuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  // With this status a device retries the request, which only failed because of a slow connection.
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** The response to a request that is not valid HTTP, or whose headers are too long or arrive too slowly. */
export const rawErrorResponse = (code: string | undefined): string => {
  const status = rawStatuses[code ?? ''] ?? '400 Bad Request'
  const body = JSON.stringify(answerOf(problem('bad-request')).body)
  const headerLines = [
    `HTTP/1.1 ${status}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'content-type: application/json',
  ]
  return `${headerLines.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`
}
