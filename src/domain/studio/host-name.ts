/** In letters of any script: the server stores such a name in punycode. */
const label = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u
const maxHostNameLength = 253

/** A host name as it is kept and compared: without what people paste around it, in small letters. */
export const normaliseHostName = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .replace(/\.$/, '')

/** Whether a text is a name people can open in the open network: two parts at least, the last one no number (which would be an address). */
export const isHostName = (text: string): boolean => {
  const labels = text.split('.')
  const isNumber = /^\d+$/.test(labels.at(-1) ?? '')
  return text.length <= maxHostNameLength && labels.length > 1 && !isNumber && labels.every((one) => label.test(one))
}

/** Whether a host name is another or lies below it. */
export const isWithinHost = (host: string, other: string): boolean => host === other || host.endsWith(`.${other}`)
