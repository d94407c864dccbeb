import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

const groupsOf = (text: string): string[] =>
  text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))

/** The first half of an IPv6 address: one household or hall has all of the other half to itself. */
const network = (address: string): string => {
  const [head = '', tail = ''] = address.split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** What counts as one address when guesses are counted: an IPv4 address, or a /64 of IPv6 (section 4). */
export const countedAddress = (ip: string): string => {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip) ?? []
  if (mapped) return mapped
  const plain = ip.replace(/%.*$/, '')
  return isIPv6(plain) ? network(plain) : plain
}

/** Where a request comes from, as far as `TRUST_PROXY` lets its word count. */
export const addressOf = (request: FastifyRequest): string => countedAddress(request.ip)
