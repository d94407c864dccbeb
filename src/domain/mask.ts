import { privateSource } from './autofill.ts'

// Always three, so that a mask does not tell how long the hidden part is.
const hidden = '***'

/** An e-mail address for display: the first two characters of the local part and the domain stay (section 5). */
export const maskEmail = (address: string): string => {
  if (address === '') return ''
  const at = address.lastIndexOf('@')
  const local = at < 0 ? address : address.slice(0, at)
  return `${[...local].slice(0, 2).join('')}${hidden}${at < 0 ? '' : address.slice(at)}`
}

/** A phone number for display: only the last four digits stay (section 5). */
export const maskPhone = (number: string): string => {
  if (number === '') return ''
  const digits = number.replace(/\D/g, '')
  return `${hidden}-${hidden}-${digits.length > 4 ? digits.slice(-4) : hidden}`
}

/** A text node's value as it may be shown: masked where its source is an e-mail address or a phone number (section 5). */
export const maskFor = (source: string | null, value: string): string => {
  const kind = privateSource(source)
  if (kind === 'email') return maskEmail(value)
  return kind === 'phone' ? maskPhone(value) : value
}

/** What to submit for a masked field: the original where its mask was left unchanged, else what was typed (section 5). */
export const unmask = (shown: string, original: string): string =>
  shown === maskEmail(original) || shown === maskPhone(original) ? original : shown
