export const inputTypes = ['text', 'textarea', 'alphanumeric'] as const
export type InputType = (typeof inputTypes)[number]

/**
 * What stays of a typed value, as it is typed and on blur (section 5): `alphanumeric` keeps letters (of any script), digits and
 * whitespace; the others lose only the tilde. Passwords are not cleaned: they never come here.
 */
export const sanitizeInput = (type: InputType, value: string): string =>
  type === 'alphanumeric' ? value.replace(/[^\p{L}\p{M}\p{Nd}\s]/gu, '') : value.replaceAll('~', '')
