import { parseNumber } from '#domain/shared/validators.ts'

// Amounts and percentages are typed with decimals and stored as whole hundredths.

/** The properties of an input for hundredths. */
export const hundredthsInput = { type: 'number', inputMode: 'decimal', step: 0.01 } as const

/**
 * Hundredths of a typed decimal number: cents of dollars, basis points of a percentage. Null for an empty text, not whole for
 * more than two decimals, NaN for other text.
 */
export const hundredthsOf = (text: string): number | null => {
  if (text.trim() === '') return null
  // Rounds away the error of binary fractions: 19.99 * 100 is not 1999.
  return Math.round(parseNumber(text) * 1e8) / 1e6
}

/** The text of a field that holds hundredths, with this many decimals for a whole number; empty for none. */
export const formatHundredths = (hundredths: number | null, decimals: number): string =>
  hundredths === null ? '' : (hundredths / 100).toFixed(hundredths % 100 === 0 ? decimals : 2)
