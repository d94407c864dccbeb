import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { dnsHostProof } from '#server/adapters/host-proof-dns.ts'
import { testHostProof } from '#server/adapters/host-proof-test.ts'
import { isPublicAddress } from '#server/adapters/public-address.ts'
import { readFileAtAddress } from '#server/adapters/read-file-at-address.ts'
import { silentLog } from '#support/database/test-database.ts'

const host = 'photos.riverside.example'
const text = 'fieldproof=0123456789abcdef'
const question = { host, text }

const nothing = () => Promise.reject(Object.assign(new Error('nothing there'), { code: 'ENODATA' }))

type World = { txt?: string[][]; four?: string[]; six?: string[]; file?: string | null; broken?: boolean }

/** The adapter in a fake network, and the addresses it read files at. */
const adapterIn = ({ txt, four, six, file = null, broken = false }: World) => {
  const read: string[] = []
  const timeOut = () => Promise.reject(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' }))
  const adapter = dnsHostProof({
    log: silentLog,
    names: {
      resolveTxt: async (name) => {
        if (broken) return timeOut()
        return name === `_fieldproof.${host}` && txt ? txt : nothing()
      },
      resolve4: (async () => four ?? nothing()) as never, // its other forms give times to live, which are not asked for
      resolve6: (async () => six ?? nothing()) as never,
    },
    readFile: async ({ href }, address) => {
      read.push(`${href} ${address}`)
      return { text: file }
    },
  })
  return { find: () => adapter.find(question), read }
}

test('a TXT record proves a host name, in any number of parts, and no file is read', async () => {
  const { find, read } = adapterIn({ txt: [['other=1'], ['fieldproof=', '0123456789abcdef']], four: ['93.184.216.34'] })
  expect(await find()).toBe('record')
  expect(read).toEqual([])
})

test('a file proves it where there is no record', async () => {
  const { find, read } = adapterIn({ four: ['93.184.216.34'], file: `${text}\r\n` })
  expect(await find()).toBe('file')
  expect(read).toEqual([`http://${host}/.well-known/fieldproof.txt 93.184.216.34`])
})

test('any other text proves nothing', async () => {
  expect(await adapterIn({ txt: [[`${text}0`]] }).find()).toBe('other')
  expect(await adapterIn({ four: ['93.184.216.34'], file: `${text} and more` }).find()).toBe('other')
  expect(await adapterIn({ four: ['93.184.216.34'] }).find()).toBe('missing')
  expect(await adapterIn({}).find()).toBe('missing')
})

test('a name server that does not answer is not taken for a missing record', async () => {
  expect(await adapterIn({ broken: true }).find()).toBe('no-answer')
})

test.each([
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
  ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1'],
  ...['::ffff:10.0.0.1', '::ffff:127.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', '2001:db8::1', '2001::1', 'no address'],
])('no file is read at %s', async (address) => {
  expect(isPublicAddress(address)).toBe(false)
  const family = address.includes(':') ? 'six' : 'four'
  const { find, read } = adapterIn({ [family]: [address], file: text })
  expect([await find(), read]).toEqual(['private', []])
})

test.each(['93.184.216.34', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test('one private address among public ones is enough to read nothing', async () => {
  const { find, read } = adapterIn({ four: ['93.184.216.34', '10.0.0.1'], file: text })
  expect([await find(), read]).toEqual(['private', []])
})

/** A local web server that answers by path, and the requests it received. */
const listen = async (
  answerOf: (path: string, port: number) => { status: number; location?: string; body?: string },
) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`)
    const { port } = server.address() as AddressInfo // it listens on a port
    const { status, location, body = '' } = answerOf(request.url ?? '', port)
    response.writeHead(status, location === undefined ? {} : { location }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    asked,
    port,
    read: (path: string) => readFileAtAddress(new URL(`http://${host}:${port}${path}`), '127.0.0.1'),
  }
}

test('a file is read at the checked address, with the host’s name', async () => {
  const { read, asked, port } = await listen(() => ({ status: 200, body: text }))
  expect(await read('/a')).toEqual({ text })
  expect(asked).toEqual([`${host}:${port} /a`])
})

test('redirects are followed on the same host, twice, and never to another', async () => {
  const { read, asked, port } = await listen((path, at) => {
    if (path === '/there') return { status: 301, location: '/a' }
    if (path === '/away') return { status: 302, location: `http://other.example:${at}/a` }
    if (path === '/port') return { status: 302, location: `http://${host}:22/` }
    if (path === '/file') return { status: 302, location: 'file:///etc/passwd' }
    if (path === '/round') return { status: 302, location: '/round' }
    return { status: 200, body: text }
  })
  expect(await read('/there')).toEqual({ text })
  for (const path of ['/away', '/port', '/file', '/round'])
    expect([path, await read(path)]).toEqual([path, { text: null }])
  expect(asked.filter((one) => one === `${host}:${port} /round`)).toHaveLength(3)
  expect(asked.filter((one) => one.startsWith('other'))).toEqual([])
})

test('a long or missing file is no proof', async () => {
  const { read } = await listen((path) =>
    path === '/long' ? { status: 200, body: 'x'.repeat(1_025) } : { status: 404, body: text },
  )
  expect(await read('/long')).toEqual({ text: null })
  expect(await read('/none')).toEqual({ text: null })
})

test('the development adapter proves names that exist on no real network, and no others', async () => {
  const found = (name: string) => testHostProof.find({ host: name, text })
  expect(await Promise.all(['a.test', 'a.localhost', 'a.test.example', 'atest'].map(found))).toEqual([
    ...['record', 'record', 'missing', 'missing'],
  ])
})
