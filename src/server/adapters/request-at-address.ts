import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

export type AddressedRequest = {
  readonly url: URL
  /** The IP address to connect to; without one, the name in the URL is resolved. */
  readonly address?: string | undefined
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  /** Posts this body instead of getting the URL. */
  readonly body?: string
}

/** Answers the look-up of any name with one address. */
const alwaysAt =
  (address: string): LookupFunction =>
  (_name, { all }, done) =>
    all ? done(null, [{ address, family: isIP(address) }]) : done(null, address, isIP(address))

/** Requests a URL at an IP address that was checked before, so that the name is not resolved a second time. Redirects are not followed. */
export const requestAtAddress = ({ url, address, signal, headers, body }: AddressedRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      signal,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      ...(address !== undefined && { lookup: alwaysAt(address) }),
    })
    request.once('response', resolve)
    request.once('error', reject)
    request.end(body)
  })
