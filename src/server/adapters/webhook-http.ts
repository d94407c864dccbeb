import { Resolver } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { ignoring } from '#domain/shared/ignoring.ts'
import type { WebhookTransport } from '../ports/webhook-transport.ts'
import { isPublicAddress } from './public-address.ts'
import { requestAtAddress } from './request-at-address.ts'

/** The look-ups of a name server, as far as they are needed. */
type DnsResolver = Record<'resolve4' | 'resolve6', (host: string) => Promise<string[]>>

type WebhookHttpOptions = {
  /** For development: also private addresses, and names of the local network. */
  readonly allowsPrivate: boolean
  readonly timeoutMs?: number
  readonly resolver?: DnsResolver
}

const defaultTimeoutMs = 10_000
/** The part of an answer that is read and stored. */
const maxAnswerBytes = 1_024

/** A host has no address, or one that is not public. */
class AddressNotAllowed extends Error {}

/** The addresses of a host name, or the address that the host already is. */
const addressesOf = async (resolver: DnsResolver, host: string): Promise<string[]> => {
  const bareHost = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bareHost) !== 0) return [bareHost]
  const lookups = [() => resolver.resolve4(host), () => resolver.resolve6(host)]
  const found = await Promise.all(
    lookups.map((lookup) => ignoring('a host may have addresses of one kind only', lookup)),
  )
  return found.flatMap((addresses) => addresses ?? [])
}

/** The address to connect to. Throws `AddressNotAllowed` unless all addresses of the host are public. */
const publicAddressOf = async (resolver: DnsResolver, host: string): Promise<string> => {
  const addresses = await addressesOf(resolver, host)
  const [first] = addresses
  if (first === undefined) throw new AddressNotAllowed('The host name was not found')
  if (!addresses.every(isPublicAddress)) throw new AddressNotAllowed('The address is not a public one')
  return first
}

/** The beginning of an answer. The rest is not received. */
const readBeginning = async (response: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    parts.push(part)
    bytes += part.length
    if (bytes >= maxAnswerBytes) break
  }
  response.destroy()
  return Buffer.concat(parts).subarray(0, maxAnswerBytes).toString('utf8').replaceAll('\0', '').toWellFormed()
}

const errorMessage = (error: unknown, timeoutMs: number): string => {
  if (error instanceof AddressNotAllowed) return error.message
  const { name, code } = Object(error)
  if (name === 'TimeoutError' || name === 'AbortError') return `No answer within ${timeoutMs / 1000} seconds`
  return `No connection: ${typeof code === 'string' ? code : 'the answer was not valid HTTP'}`
}

/** Posts to webhooks by HTTP, to public addresses only. Redirects are not followed. */
export const httpWebhooks = ({
  allowsPrivate,
  timeoutMs = defaultTimeoutMs,
  resolver = new Resolver({ timeout: 2_000, tries: 2 }),
}: WebhookHttpOptions): WebhookTransport => ({
  post: async ({ url: text, headers, body }) => {
    try {
      const url = new URL(text)
      const signal = AbortSignal.timeout(timeoutMs)
      const address = allowsPrivate ? undefined : await publicAddressOf(resolver, url.hostname)
      const response = await requestAtAddress({ url, address, signal, headers, body })
      return { status: response.statusCode ?? 0, text: await readBeginning(response) }
    } catch (error) {
      return { error: errorMessage(error, timeoutMs) }
    }
  },
})
