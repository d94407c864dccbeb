import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** The address of a request whose connection was closed before it was read. */
const unknownAddress = 'unknown'

/** Removes the port that some proxies append: `203.0.113.7:5678`, `[2001:db8::1]:443`. */
const withoutPort = (text: string): string =>
  /^\[([^[\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text

/**
 * Returns the address under which guesses are counted (section 4): an IPv4 address, even if it is written as IPv6, or
 * the /64 of an IPv6 address, because one household or hall controls the other 64 bits. Undefined for an invalid
 * address.
 */
export const countedAddress = (text: string | undefined): string | undefined => {
  const ip = withoutPort(text?.trim() ?? '').replace(/%.*/, '')
  if (isIP(ip) === 0) return undefined
  const parsed = ipaddr.process(ip)
  if (!('parts' in parsed)) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

/**
 * Returns the /48 of a counted IPv6 address, such as `2001:db8:1::/48`: providers assign one to each customer, who can
 * use all its /64s. Undefined for an IPv4 address.
 */
export const networkOf = (address: string): string | undefined => {
  const network = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/.exec(address)?.[1]
  return network && `${network}::/48`
}

const addresses = new WeakMap<FastifyRequest, string>()

/** Addresses by the texts they were read from, which repeat: a device sends many requests, and a proxy all of them. */
const countedAddresses = new LRUCache<string, string>({ max: 1000 })

const readAddress = (text: string): string | undefined => {
  const address = countedAddresses.get(text) ?? countedAddress(text)
  if (address !== undefined) countedAddresses.set(text, address)
  return address
}

/**
 * Reads the address of each request at its start, because a connection that is closed during the request no longer has
 * one. If a proxy sends an invalid address, that of the proxy counts, so that invented text does not count as a new
 * address each time.
 */
export const resolveClientAddresses = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const address = readAddress(request.ip) ?? countedAddress(request.raw.socket.remoteAddress) ?? unknownAddress
    addresses.set(request, address)
    done()
  })
}

/** The address of a request, trusting proxies as far as `TRUST_PROXY` allows. */
export const clientAddressOf = (request: FastifyRequest): string => addresses.get(request) ?? unknownAddress
