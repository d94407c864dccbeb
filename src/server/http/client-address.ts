import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** Stands for the address of a request whose connection was closed before it was read. */
const unknownAddress = 'unknown'

/** Some proxies write the port too: `203.0.113.7:5678`, `[2001:db8::1]:443`. */
const withoutPort = (text: string): string =>
  /^\[([^[\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text

/**
 * What counts as one address when guesses are counted (section 4): an IPv4 address, also where it is written as IPv6, or a /64 of
 * IPv6, because one household or hall has all of the other half to itself. Undefined for what is no address.
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
 * The /48 that a counted address lies in, `2001:db8:1::/48`: what a provider gives to one customer, who can use all its /64s.
 * Undefined for what is no IPv6 address.
 */
export const networkOf = (address: string): string | undefined => {
  const network = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/.exec(address)?.[1]
  return network && `${network}::/48`
}

const addresses = new WeakMap<FastifyRequest, string>()

/**
 * Reads each request's address once, at its start: a connection that is closed while the request is handled has none any more. What a
 * proxy wrote that is no address counts as the proxy's own, so that made-up text is not a new address each time.
 */
export const resolveClientAddresses = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request) => {
    const address = countedAddress(request.ip) ?? countedAddress(request.raw.socket.remoteAddress) ?? unknownAddress
    addresses.set(request, address)
  })
}

/** Where a request comes from, as far as the setting `TRUST_PROXY` lets the proxy's word count. */
export const clientAddressOf = (request: FastifyRequest): string => addresses.get(request) ?? unknownAddress
