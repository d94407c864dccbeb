import type { IncomingMessage } from 'node:http'
import { requestAtAddress } from './request-at-address.ts'

/** Larger than a proof with its line breaks. */
const maxBytes = 1_024
const timeoutMs = 5_000
const maxRedirects = 2

/** `text` is null where the host sent anything other than a short file. */
export type FetchedFile = { readonly text: string | null }

const readText = async (response: IncomingMessage): Promise<string | null> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    bytes += part.length
    if (bytes > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The target of a redirect, if it is on the same host, at the same port or the default port. */
const getRedirect = ({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | undefined => {
  if (statusCode < 300 || statusCode > 399 || location === undefined || !URL.canParse(location, from.href))
    return undefined
  const target = new URL(location, from)
  const isWeb = target.protocol === 'http:' || target.protocol === 'https:'
  const isSamePort = target.port === '' || target.port === from.port
  return isWeb && isSamePort && target.hostname === from.hostname ? target : undefined
}

/** Reads a short text file of a host at one IP address; follows redirects on the same host only. Rejects where the host does not answer. */
export const readFileAtAddress = async (initialUrl: URL, address: string): Promise<FetchedFile> => {
  const signal = AbortSignal.timeout(timeoutMs)
  let url = initialUrl
  for (let remainingRedirects = maxRedirects; ; remainingRedirects -= 1) {
    const response = await requestAtAddress({ url, address, signal, headers: { accept: 'text/plain' } })
    const target = getRedirect(response, url)
    if (target && remainingRedirects > 0) {
      response.destroy()
      url = target
      continue
    }
    if (response.statusCode === 200) return { text: await readText(response) }
    response.destroy()
    return { text: null }
  }
}
