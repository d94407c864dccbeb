import { safeReturnPath, urls } from './urls.ts'

const slugPattern = /^[a-z\d-]+$/i

/** Longer text has no link that a parent pasted. */
const maxLength = 500

/** A host name, or none before a path that was pasted alone. */
const isHost = (text: string): boolean => text === '' || text.includes('.') || /^localhost(:\d+)?$/.test(text)

/**
 * The path of this app in pasted text that contains a link to a studio, an access code, an event or a download, on any
 * host: studios also use their own. Undefined if there is none.
 */
export const pathInText = (text: string): string | undefined => {
  const [, host = '', linkedPath = ''] =
    text
      .slice(0, maxLength)
      .split(/\s/)
      .map((word) => /^(?:https?:\/\/)?([^/]*)(\/.+)$/i.exec(word.replace(/[)\].,;!>"’”]+$/, '')))
      .find((match) => match && isHost(match[1] ?? '')) ?? []
  if (!safeReturnPath(linkedPath) || !isHost(host)) return undefined
  const { pathname, search, searchParams } = new URL(linkedPath, 'https://link.invalid')
  const [studioSlug = '', page = '', value] = pathname.slice(1).split('/')
  if (!slugPattern.test(studioSlug)) return undefined
  const code = searchParams.get('code')
  if (code && page === '') return urls.customerCode({ studioSlug, code })
  const isOurs = page === '' || page === 'code' || (page === 'download' && value) || /^\d+$/.test(page)
  return isOurs ? pathname + search : undefined
}
