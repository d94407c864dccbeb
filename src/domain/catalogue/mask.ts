import { privateSource } from './autofill.ts'
import type { TextNode } from './catalogue.ts'

// Always three, so that a mask does not reveal the length of the hidden part.
const maskCharacters = '***'

/** Masks an e-mail address for display: the first two characters of the local part and the domain stay (section 5). */
export const maskEmail = (address: string): string => {
  if (address === '') return ''
  const at = address.lastIndexOf('@')
  const local = at < 0 ? address : address.slice(0, at)
  return `${[...local].slice(0, 2).join('')}${maskCharacters}${at < 0 ? '' : address.slice(at)}`
}

/** Masks a phone number for display: only the last four digits stay (section 5). */
export const maskPhone = (number: string): string => {
  if (number === '') return ''
  const digits = number.replace(/\D/g, '')
  return `${maskCharacters}-${maskCharacters}-${digits.length > 4 ? digits.slice(-4) : maskCharacters}`
}

const looksLikeEmail = (value: string): boolean => value.includes('@')
const looksLikePhone = (value: string): boolean => /^[+(\d][\d\s().-]{6,}(?:(?:x|ext)[\s.]*\d+)?$/i.test(value.trim())

/**
 * A node's text for display (section 5). If a source of the node is an e-mail address or a phone number, such a value
 * is masked; any other value is shown unchanged.
 */
export const maskNodeText = (node: Pick<TextNode, 'dataSource' | 'altDataSource'>, value: string): string => {
  const kinds = [privateSource(node.dataSource), privateSource(node.altDataSource)]
  if (kinds.includes('email') && looksLikeEmail(value)) return maskEmail(value)
  if (kinds.includes('phone') && looksLikePhone(value)) return maskPhone(value)
  return value
}

/** Masks the answer to a question in the same way; its name determines the kind. */
export const maskFieldAnswer = (name: string, value: string): string =>
  maskNodeText({ dataSource: name, altDataSource: null }, value)

/**
 * The value to submit for a masked field: the original if the mask was not changed, otherwise what was typed (section
 * 5).
 */
export const unmask = (typed: string, original: string): string =>
  typed === maskEmail(original) || typed === maskPhone(original) ? original : typed

/** The state of a masked input; `original` is the value behind an unchanged mask. */
export type MaskedText = { shown: string; original: string }

/** Whether the input shows an unchanged mask. */
export const isMasked = ({ shown, original }: MaskedText): boolean =>
  shown !== original && unmask(shown, original) === original

/** Whether the input contains parts of an edited mask: neither the old value nor a new one. */
export const isBrokenMask = (text: MaskedText): boolean =>
  text.shown.includes(maskCharacters) && !text.original.includes(maskCharacters) && !isMasked(text)

/** Shown at a field that contains parts of a mask. */
export const brokenMaskMessage = 'Type it in full, or leave it as it was'
