import { privateSource } from './autofill.ts'
import type { TextNode } from './catalogue.ts'

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

const looksLikeEmail = (value: string): boolean => value.includes('@')
const looksLikePhone = (value: string): boolean => /^[+(\d][\d\s().-]{6,}(?:(?:x|ext)[\s.]*\d+)?$/i.test(value.trim())

/**
 * A node's text as it may be shown (section 5). A node fed by an e-mail address or a phone number masks one; what else stands there,
 * from its other source or typed by the customer, is shown as it is.
 */
export const maskNodeText = (node: Pick<TextNode, 'dataSource' | 'altDataSource'>, value: string): string => {
  const kinds = [privateSource(node.dataSource), privateSource(node.altDataSource)]
  if (kinds.includes('email') && looksLikeEmail(value)) return maskEmail(value)
  if (kinds.includes('phone') && looksLikePhone(value)) return maskPhone(value)
  return value
}

/** The same of an answer to a question, which its name says the kind of. */
export const maskFieldAnswer = (name: string, value: string): string =>
  maskNodeText({ dataSource: name, altDataSource: null }, value)

/** What to submit for a masked field: the original where its mask was left unchanged, else what was typed (section 5). */
export const unmask = (shown: string, original: string): string =>
  shown === maskEmail(original) || shown === maskPhone(original) ? original : shown

/** A private text while it may be typed anew; `original` is what stands for an untouched mask. */
export type MaskedText = { shown: string; original: string }

/** Whether a mask stands there that nobody has touched. */
export const isMasked = ({ shown, original }: MaskedText): boolean =>
  shown !== original && unmask(shown, original) === original

/** Whether what stands there is the remains of a mask somebody typed into: neither the old value nor a new one. */
export const isBrokenMask = (text: MaskedText): boolean =>
  text.shown.includes(hidden) && !text.original.includes(hidden) && !isMasked(text)

/** Said at a field that holds the remains of a mask. */
export const brokenMaskMessage = 'Type it in full, or leave it as it was'
