import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { clientAddressOf, countedAddress, networkOf, resolveClientAddresses } from '#server/http/client-address.ts'

describe('the address that failures are counted by', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:5678', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:51000', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['[::1]:443', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:203.0.113.7', '1:2:3:4::/64'],
  ])('%s counts as %s', (address, expected) => {
    expect(countedAddress(address)).toBe(expected)
  })

  it.each([undefined, '', 'unknown', '_hidden', '1', '300.1.1.1', '203.0.113.7:', '[203.0.113.7', ':443', '1:2'])(
    '%j is not an address',
    (text) => expect(countedAddress(text)).toBeUndefined(),
  )
})

describe('the address of a request', () => {
  const readAddress = async (
    forwardedFor: string | undefined,
    connection: { remoteAddress?: string; closes?: boolean } = {},
  ) => {
    const app = fastify({ trustProxy: (_address, hop) => hop < 1 })
    resolveClientAddresses(app)
    app.get('/', async (request) => {
      if (connection.closes) Object.defineProperty(request.raw, 'socket', { value: {} })
      return clientAddressOf(request)
    })
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    const { body } = await app.inject({ url: '/', headers, remoteAddress: connection.remoteAddress ?? '198.51.100.1' })
    await app.close()
    return body
  }

  it('the address that the proxy reports is used without its port', async () => {
    expect(await readAddress('203.0.113.7:1001')).toBe('203.0.113.7')
    expect(await readAddress('203.0.113.7:1002')).toBe('203.0.113.7')
    expect(await readAddress('10.0.0.1, [2001:db8::7]:9')).toBe('2001:db8:0:0::/64')
  })

  it('an invalid address from the proxy is replaced by the proxy’s address', async () => {
    expect(await readAddress('made up 1')).toBe('198.51.100.1')
    expect(await readAddress('made up 2')).toBe('198.51.100.1')
    expect(await readAddress('')).toBe('198.51.100.1')
  })

  it('the address stays the same after the connection was closed', async () => {
    expect(await readAddress(undefined, { closes: true })).toBe('198.51.100.1')
    expect(await readAddress('203.0.113.7', { closes: true })).toBe('203.0.113.7')
  })
})

describe('the network of an address', () => {
  it.each([
    ['2001:db8:1:2::9', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['203.0.113.7', undefined],
    ['::ffff:203.0.113.7', undefined],
  ])('the network of %j is %j', (text, network) => {
    expect(networkOf(countedAddress(text) ?? '')).toBe(network)
  })
})
