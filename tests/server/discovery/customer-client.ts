import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'

type Parts = { params?: object; query?: object; body?: object; headers?: Record<string, string> }

/** A minimal browser: makes the contract's calls and stores cookies. `address` is its IP address, `carried` a cookie from before. */
export const customerClient = (app: FastifyInstance, address = '192.0.2.1', carried = '') => {
  let cookie = carried
  const get = async (url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
    keep(await app.inject({ url, remoteAddress: address, headers: { ...headers, ...(cookie && { cookie }) } }))
  /** Sends a request and returns the whole response with its headers. */
  const send = async (method: AnyCall['method'], url: string): Promise<LightMyRequestResponse> =>
    keep(await app.inject({ method, url, remoteAddress: address, ...(cookie && { headers: { cookie } }) }))
  const keep = <Answer extends { cookies: { name: string; value: string }[] }>(answer: Answer): Answer => {
    for (const { name, value } of answer.cookies) cookie = `${name}=${value}`
    return answer
  }
  const ask = async (call: AnyCall, { params = {}, query = {}, body, headers = {} }: Parts = {}) => {
    const answer = await app.inject({
      method: call.method,
      url: pathOf(call, params, query),
      remoteAddress: address,
      headers: { ...headers, ...(cookie && { cookie }) },
      ...(body && { payload: body }),
    })
    const { data, ...failure } = keep(answer).json()
    // biome-ignore lint/suspicious/noExplicitAny: what a test compares with what it expects
    return { status: answer.statusCode, data: data as any, ...(failure as { errors?: string[]; problem?: string }) }
  }
  return { get, send, ask, cookie: () => cookie, hasCookie: () => cookie !== '' }
}

export type CustomerClient = ReturnType<typeof customerClient>
