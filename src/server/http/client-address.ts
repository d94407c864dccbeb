import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** The address of a request whose connection was closed before it was read. */
const unknownAddress = 'unknown'

/** Some proxies append the port: `203.0.113.7:5678`, `[2001:db8::1]:443`. */
const withoutPort = (text: string): string =>
  /^\[([^[\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text

/**
 * What counts as one address when guesses are counted (section 4): an IPv4 address, also where it is written as IPv6, or a /64 of IPv6,
 * because one household or hall owns the other half. Undefined for an invalid address.
 */
export const countedAddress = (written: string | undefined): string | undefined => {
  const ip = withoutPort(written?.trim() ?? '').replace(/%.*/, '')
  if (isIP(ip) === 0) return undefined
  const parsed = ipaddr.process(ip)
  if (!('parts' in parsed)) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

/**
 * The /48 of a counted address, `2001:db8:1::/48`: what a provider assigns to one customer, who can use all its /64s. Undefined for any
 * other than an IPv6 address.
 */
export const networkOf = (address: string): string | undefined => {
  const network = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/.exec(address)?.[1]
  return network && `${network}::/48`
}

const addresses = new WeakMap<FastifyRequest, string>()

/**
 * Reads each request's address once, at its start: a connection that is closed during the request has none any more. An invalid address
 * from a proxy counts as the proxy's own, so that made-up text is not a new address each time.
 */
export const resolveClientAddresses = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request) => {
    const address = countedAddress(request.ip) ?? countedAddress(request.raw.socket.remoteAddress) ?? unknownAddress
    addresses.set(request, address)
  })
}

/** The address of a request, trusting proxies as far as `TRUST_PROXY` allows. */
export const clientAddressOf = (request: FastifyRequest): string => addresses.get(request) ?? unknownAddress
