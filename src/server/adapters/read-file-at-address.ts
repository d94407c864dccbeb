import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'

/** Larger than a proof with its line ends. */
const mostBytes = 1_024
const patienceMs = 5_000
const mostRedirects = 2

/** `text` is null where the host answered with something other than a short file. */
export type FileAnswer = { readonly text: string | null }

type Reading = { readonly url: URL; readonly address: string; readonly signal: AbortSignal }

/** Requests a URL at an IP address that was checked before: the name is not resolved a second time. */
const open = ({ url, address, signal }: Reading): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const family = isIP(address)
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const asked = send(url, {
      agent: false,
      signal,
      headers: { accept: 'text/plain' },
      lookup: (_name, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family)),
    })
    asked.once('response', resolve)
    asked.once('error', reject)
    asked.end()
  })

const textOf = async (response: IncomingMessage): Promise<string | null> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    bytes += part.length
    if (bytes > mostBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The target of a redirect, if it is the same host at a web port. */
const redirectOf = ({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | undefined => {
  if (statusCode < 300 || statusCode > 399 || location === undefined || !URL.canParse(location, from.href))
    return undefined
  const to = new URL(location, from)
  const isWeb = to.protocol === 'http:' || to.protocol === 'https:'
  const isSamePort = to.port === '' || to.port === from.port
  return isWeb && isSamePort && to.hostname === from.hostname ? to : undefined
}

/** Reads a short text file of a host at one IP address; follows redirects on the same host only. Rejects where the host does not answer. */
export const readFileAtAddress = async (first: URL, address: string): Promise<FileAnswer> => {
  const signal = AbortSignal.timeout(patienceMs)
  let url = first
  for (let left = mostRedirects; ; left -= 1) {
    const response = await open({ url, address, signal })
    const to = redirectOf(response, url)
    if (to && left > 0) {
      response.destroy()
      url = to
      continue
    }
    if (response.statusCode === 200) return { text: await textOf(response) }
    response.destroy()
    return { text: null }
  }
}
