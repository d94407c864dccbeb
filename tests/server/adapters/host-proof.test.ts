import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { dnsHostProof, testHostProof } from '#server/adapters/host-proof-dns.ts'
import { isPublicAddress } from '#server/adapters/public-address.ts'
import { readFileAtAddress } from '#server/adapters/read-file-at-address.ts'
import { silentLog } from '#support/database/test-database.ts'

const host = 'photos.riverside.example'
const text = 'fieldproof=0123456789abcdef'
const question = { host, text }

const recordNotFound = () => Promise.reject(Object.assign(new Error('nothing there'), { code: 'ENODATA' }))

type FakeNetwork = { txt?: string[][]; ipv4?: string[]; ipv6?: string[]; file?: string | null; broken?: boolean }

/** Creates the adapter in a fake network, and the list of the files that it read. */
const createAdapter = ({ txt, ipv4, ipv6, file = null, broken = false }: FakeNetwork) => {
  const readUrls: string[] = []
  const timeOut = () => Promise.reject(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' }))
  const adapter = dnsHostProof({
    log: silentLog,
    resolver: {
      resolveTxt: async (name) => {
        if (broken) return timeOut()
        return name === `_fieldproof.${host}` && txt ? txt : recordNotFound()
      },
      resolve4: (async () => ipv4 ?? recordNotFound()) as never, // the overloads with times to live are not used
      resolve6: (async () => ipv6 ?? recordNotFound()) as never,
    },
    readFile: async ({ href }, address) => {
      readUrls.push(`${href} ${address}`)
      return { text: file }
    },
  })
  return { find: () => adapter.find(question), readUrls }
}

test('a TXT record of any number of parts proves a host name, and no file is read', async () => {
  const { find, readUrls } = createAdapter({
    txt: [['other=1'], ['fieldproof=', '0123456789abcdef']],
    ipv4: ['93.184.216.34'],
  })
  expect(await find()).toBe('record')
  expect(readUrls).toEqual([])
})

test('a file proves a host name that has no TXT record', async () => {
  const { find, readUrls } = createAdapter({ ipv4: ['93.184.216.34'], file: `${text}\r\n` })
  expect(await find()).toBe('file')
  expect(readUrls).toEqual([`http://${host}/.well-known/fieldproof.txt 93.184.216.34`])
})

test('another text in the record or the file proves nothing', async () => {
  expect(await createAdapter({ txt: [[`${text}0`]] }).find()).toBe('other')
  expect(await createAdapter({ ipv4: ['93.184.216.34'], file: `${text} and more` }).find()).toBe('other')
  expect(await createAdapter({ ipv4: ['93.184.216.34'] }).find()).toBe('missing')
  expect(await createAdapter({}).find()).toBe('missing')
})

test('a name server that does not answer is not treated as a missing record', async () => {
  expect(await createAdapter({ broken: true }).find()).toBe('no-answer')
})

test.each([
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
  ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1'],
  ...['::ffff:10.0.0.1', '::ffff:127.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', '2001:db8::1', '2001::1', 'no address'],
])('no file is read at %s', async (address) => {
  expect(isPublicAddress(address)).toBe(false)
  const family = address.includes(':') ? 'ipv6' : 'ipv4'
  const { find, readUrls } = createAdapter({ [family]: [address], file: text })
  expect([await find(), readUrls]).toEqual(['private', []])
})

test.each(['93.184.216.34', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test('no file is read if one of several addresses is private', async () => {
  const { find, readUrls } = createAdapter({ ipv4: ['93.184.216.34', '10.0.0.1'], file: text })
  expect([await find(), readUrls]).toEqual(['private', []])
})

/** Starts a local web server that answers by path and records the requests. */
const listen = async (
  respond: (path: string, port: number) => { status: number; location?: string; body?: string },
) => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`)
    const { port } = server.address() as AddressInfo // it listens on a port
    const { status, location, body = '' } = respond(request.url ?? '', port)
    response.writeHead(status, location === undefined ? {} : { location }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    requests,
    port,
    read: (path: string) => readFileAtAddress(new URL(`http://${host}:${port}${path}`), '127.0.0.1'),
  }
}

test('a file is read at the checked address, with the host’s name', async () => {
  const { read, requests, port } = await listen(() => ({ status: 200, body: text }))
  expect(await read('/a')).toEqual({ text })
  expect(requests).toEqual([`${host}:${port} /a`])
})

test('at most two redirects are followed, and only on the same host', async () => {
  const { read, requests, port } = await listen((path, serverPort) => {
    if (path === '/there') return { status: 301, location: '/a' }
    if (path === '/away') return { status: 302, location: `http://other.example:${serverPort}/a` }
    if (path === '/port') return { status: 302, location: `http://${host}:22/` }
    if (path === '/file') return { status: 302, location: 'file:///etc/passwd' }
    if (path === '/round') return { status: 302, location: '/round' }
    return { status: 200, body: text }
  })
  expect(await read('/there')).toEqual({ text })
  for (const path of ['/away', '/port', '/file', '/round'])
    expect([path, await read(path)]).toEqual([path, { text: null }])
  expect(requests.filter((request) => request === `${host}:${port} /round`)).toHaveLength(3)
  expect(requests.filter((request) => request.startsWith('other'))).toEqual([])
})

test('a long or missing file is no proof', async () => {
  const { read } = await listen((path) =>
    path === '/long' ? { status: 200, body: 'x'.repeat(1_025) } : { status: 404, body: text },
  )
  expect(await read('/long')).toEqual({ text: null })
  expect(await read('/none')).toEqual({ text: null })
})

test('the development adapter proves names that exist on no real network, and no others', async () => {
  const findProof = (name: string) => testHostProof.find({ host: name, text })
  expect(await Promise.all(['a.test', 'a.localhost', 'a.test.example', 'atest'].map(findProof))).toEqual([
    ...['record', 'record', 'missing', 'missing'],
  ])
})
