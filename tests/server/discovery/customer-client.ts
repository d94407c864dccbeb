import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'

type CallParts = { params?: object; query?: object; body?: object; headers?: Record<string, string> }

/** A minimal browser that makes the contract's calls and stores the cookie of the session. `address` is its IP address. */
export const customerClient = (app: FastifyInstance, address = '192.0.2.1', initialCookie = '') => {
  let cookie = initialCookie
  const get = async (url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
    storeCookies(await app.inject({ url, remoteAddress: address, headers: { ...headers, ...(cookie && { cookie }) } }))
  /** Sends a request and returns the whole response with its headers. */
  const send = async (method: AnyCall['method'], url: string): Promise<LightMyRequestResponse> =>
    storeCookies(await app.inject({ method, url, remoteAddress: address, ...(cookie && { headers: { cookie } }) }))
  const storeCookies = <Answer extends Pick<LightMyRequestResponse, 'cookies'>>(answer: Answer): Answer => {
    for (const { name, value, path } of answer.cookies) if (path === '/') cookie = `${name}=${value}`
    return answer
  }
  const request = async (call: AnyCall, { params = {}, query = {}, body, headers = {} }: CallParts = {}) => {
    const answer = await app.inject({
      method: call.method,
      url: pathOf(call, params, query),
      remoteAddress: address,
      headers: { ...headers, ...(cookie && { cookie }) },
      ...(body && { payload: body }),
    })
    const { data, ...failure } = storeCookies(answer).json()
    return { status: answer.statusCode, data, ...(failure as { errors?: string[]; problem?: string }) }
  }
  return { get, send, request, cookie: () => cookie, hasCookie: () => cookie !== '' }
}

export type CustomerClient = ReturnType<typeof customerClient>
