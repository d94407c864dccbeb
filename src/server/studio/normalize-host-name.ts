import { domainToASCII, domainToUnicode } from 'node:url'
import { isHostName, normaliseHostName } from '#domain/studio/host-name.ts'

const punycode = /(?:^|\.)xn--/
/** Names in letters of one script alone, Latin first. */
const oneScript = [
  /^[\p{Script=Latin}\p{Mn}\d.-]+$/u,
  /^[\p{Script=Greek}\p{Mn}\d.-]+$/u,
  /^[\p{Script=Cyrillic}\p{Mn}\d.-]+$/u,
  /^[\p{Script=Armenian}\p{Mn}\d.-]+$/u,
  /^[\p{Script=Hebrew}\p{Mn}\d.-]+$/u,
  /^[\p{Script=Arabic}\p{Mn}\d.-]+$/u,
  /^[\p{Script=Thai}\p{Mn}\d.-]+$/u,
  /^[\p{Script=Hangul}\p{Mn}\d.-]+$/u,
  /^[\p{Script=Han}\p{Mn}\d.-]+$/u,
]
/** Latin letters that look like others of the same script: dotless i, long s, kra, and everything beyond Latin Extended-A. */
const confusableLatin = /[ıſĸŉ\u0180-\uffff]/u

/**
 * A punycode host name in its own letters; null where it has none, or where showing them could deceive. They are shown only when all
 * letters of the whole name, its last part included, are of one script, and Latin ones only up to Latin Extended-A.
 */
export const unicodeHost = (host: string): string | null => {
  if (!punycode.test(host)) return null
  const text = domainToUnicode(host)
  const place = oneScript.findIndex((pattern) => pattern.test(text))
  if (text === '' || punycode.test(text) || place < 0 || (place === 0 && confusableLatin.test(text))) return null
  return text
}

/** A typed host name as it is stored and compared: in lower case and in punycode (`xn--…`). Letters that DNS cannot have get a hyphen in front, so that no rule accepts them. */
export const asciiHost = (typed: string): string => {
  const host = normaliseHostName(typed)
  if (!isHostName(host)) return host
  const written = domainToASCII(host)
  return written === '' || punycode.test(domainToUnicode(written)) ? `-${host}` : written
}
