import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessionCookie } from '../access/sessions/sessions.ts'

/** A response of the API, sent within this process. */
export type ApiResponse = {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly setCookie: string | string[] | undefined
}

/** Sends GET requests to the API as the visitor of a page. */
export type OwnApi = { get: (path: string) => Promise<ApiResponse> }

/** Headers of the page's request by which the API recognizes the visitor. */
const forwardedHeaders = ['host', 'user-agent', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const

/**
 * Calls this server's own API for a page, in the visitor's name: with the address that guesses are counted under, and
 * with the session cookie, including one set by an earlier response. All rules of the API apply, because these requests
 * take the same routes as those of the client. Undefined if the connection was closed: it has no address any more, and
 * guesses would be counted under the address of this server.
 */
export const createOwnApi = (app: FastifyInstance, request: FastifyRequest): OwnApi | undefined => {
  const remoteAddress = request.raw.socket.remoteAddress
  if (remoteAddress === undefined) return undefined
  const headers = Object.fromEntries(
    forwardedHeaders.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
  )
  let cookie = request.headers.cookie
  const get = async (path: string): Promise<ApiResponse> => {
    const response = await app.inject({
      method: 'GET',
      url: path,
      headers: { ...headers, accept: 'application/json', ...(cookie !== undefined && { cookie }) },
      remoteAddress,
    })
    const newSession = response.cookies.find(({ name }) => name === sessionCookie)
    if (newSession) cookie = `${sessionCookie}=${newSession.value}`
    return {
      status: response.statusCode,
      body: response.json(),
      headers: response.headers as ApiResponse['headers'], // the API sends each of its headers once
      setCookie: response.headers['set-cookie'],
    }
  }
  return { get }
}
