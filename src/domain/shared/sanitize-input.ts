export const inputTypes = ['text', 'textarea', 'alphanumeric'] as const
export type InputType = (typeof inputTypes)[number]

/**
 * Sanitizes a value while it is typed and on blur (section 5): `alphanumeric` keeps letters (of any script), digits and
 * white space; the other types lose only the tilde. Passwords are never sanitized.
 */
export const sanitizeInput = (type: InputType, value: string): string =>
  type === 'alphanumeric' ? value.replace(/[^\p{L}\p{M}\p{Nd}\s]/gu, '') : value.replaceAll('~', '')
