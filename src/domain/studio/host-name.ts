/** Letters of any script: the server stores such a name in punycode. */
const labelPattern = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u
const maxHostNameLength = 253

/** Normalises a host name for storage and comparison: without a pasted scheme or trailing slash, in lower case. */
export const normaliseHostName = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .replace(/\.$/, '')

/**
 * Whether a text is a public host name: at least two labels, and the last one not a number (that would be an IP
 * address).
 */
export const isHostName = (text: string): boolean => {
  const labels = text.split('.')
  const isNumber = /^\d+$/.test(labels.at(-1) ?? '')
  return (
    text.length <= maxHostNameLength &&
    labels.length > 1 &&
    !isNumber &&
    labels.every((label) => labelPattern.test(label))
  )
}

/**
 * The host name in a pasted web address without a path; undefined for any other text. A leading `www.` is removed, because
 * people add and omit it.
 */
export const hostInText = (text: string): string | undefined => {
  const host = normaliseHostName(text).replace(/^www\.(?=.+\.)/, '')
  return isHostName(host) ? host : undefined
}

/** Whether a host name equals another or is a subdomain of it. */
export const isWithinHost = (host: string, other: string): boolean => host === other || host.endsWith(`.${other}`)
