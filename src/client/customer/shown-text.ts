import { privateSource } from '../../domain/autofill.ts'
import type { TextNode } from '../../domain/catalogue.ts'
import { maskEmail, maskPhone } from '../../domain/mask.ts'

const looksLikeEmail = (value: string): boolean => value.includes('@')
const looksLikePhone = (value: string): boolean => /^[+(\d][\d\s().-]{6,}(?:(?:x|ext)[\s.]*\d+)?$/i.test(value.trim())

/**
 * A text as a screen may show it (section 5). A node fed by an e-mail address or a phone number masks one; what else stands there,
 * from its other source or typed by the customer, is shown as it is.
 */
export const shownText = (node: Pick<TextNode, 'dataSource' | 'altDataSource'>, value: string): string => {
  const kinds = [privateSource(node.dataSource), privateSource(node.altDataSource)]
  if (kinds.includes('email') && looksLikeEmail(value)) return maskEmail(value)
  if (kinds.includes('phone') && looksLikePhone(value)) return maskPhone(value)
  return value
}
