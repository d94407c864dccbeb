import { domainToASCII, domainToUnicode } from 'node:url'
import { isHostName, normaliseHostName } from '#domain/studio/host-name.ts'

const punycode = /(?:^|\.)xn--/
/** Patterns for names in a single script, Latin first. */
const singleScriptPatterns = [
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
/** Latin letters that look like other Latin letters: dotless i, long s, kra, and everything beyond Latin Extended-A. */
const confusableLatin = /[ıſĸŉ\u0180-\uffff]/u

/**
 * A punycode host name in Unicode; null if it has no Unicode form or if that form could deceive. All letters of the whole name, including
 * the top-level domain, must be of one script, and Latin letters only up to Latin Extended-A.
 */
export const unicodeHost = (host: string): string | null => {
  if (!punycode.test(host)) return null
  const text = domainToUnicode(host)
  const index = singleScriptPatterns.findIndex((pattern) => pattern.test(text))
  if (text === '' || punycode.test(text) || index < 0 || (index === 0 && confusableLatin.test(text))) return null
  return text
}

/**
 * The form in which a typed host name is stored and compared: lower case and punycode (`xn--…`). Names with letters that DNS does
 * not allow get a leading hyphen, so that validation rejects them.
 */
export const asciiHost = (input: string): string => {
  const host = normaliseHostName(input)
  if (!isHostName(host)) return host
  const ascii = domainToASCII(host)
  return ascii === '' || punycode.test(domainToUnicode(ascii)) ? `-${host}` : ascii
}
