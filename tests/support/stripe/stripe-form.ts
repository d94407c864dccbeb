import { invalidParameter, missingParameter, unknownParameter } from './stripe-error.ts'

export type StripeForm = { [name: string]: string | StripeForm }

/** Parses a form in Stripe's format: `metadata[attemptId]=…`, `expand[0]=…`. */
export const parseStripeForm = (text: string): StripeForm => {
  const form: StripeForm = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    const last = path.pop() ?? ''
    let target = form
    for (const part of path) {
      const existing = target[part]
      const nested = typeof existing === 'object' ? existing : {}
      target[part] = nested
      target = nested
    }
    target[last] = value
  }
  return form
}

/** Rejects parameters that an endpoint does not know, and missing required ones. */
export const checkParameters = (
  form: StripeForm,
  allowed: readonly string[],
  required: readonly string[] = [],
): void => {
  for (const name of Object.keys(form)) if (!allowed.includes(name)) throw unknownParameter(name)
  for (const name of required) if (form[name] === undefined || form[name] === '') throw missingParameter(name)
}

export const stringParameter = (form: StripeForm, name: string): string | undefined => {
  const value = form[name]
  if (typeof value === 'object') throw invalidParameter(name)
  return value
}

export const integerParameter = (form: StripeForm, name: string): number | undefined => {
  const text = stringParameter(form, name)
  if (text === undefined) return undefined
  if (!/^-?\d+$/.test(text)) throw invalidParameter(name, 'parameter_invalid_integer')
  return Number(text)
}

/** At most 50 keys of 40 characters, values of 500 characters (docs.stripe.com/api/metadata). */
export const metadataParameter = (form: StripeForm): Record<string, string> => {
  const metadata = form.metadata ?? {}
  if (typeof metadata === 'string') throw invalidParameter('metadata')
  const entries = Object.keys(metadata).map((name) => [name, stringParameter(metadata, name) ?? ''] as const)
  const isWithinLimits = ([name, value]: readonly [string, string]) => name.length <= 40 && value.length <= 500
  if (entries.length > 50 || !entries.every(isWithinLimits)) throw invalidParameter('metadata')
  return Object.fromEntries(entries)
}

export const listParameter = (form: StripeForm, name: string): string[] => {
  const list = form[name] ?? {}
  if (typeof list === 'string') throw invalidParameter(name)
  return Object.keys(list).map((index) => stringParameter(list, index) ?? '')
}
