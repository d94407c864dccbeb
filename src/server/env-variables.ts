import {
  coerce,
  create,
  defaulted,
  enums,
  type Infer,
  integer,
  max,
  min,
  object,
  optional,
  pattern,
  refine,
  StructError,
  size,
  string,
  type,
} from 'superstruct'
import { PaymentProviderName } from '#contract/shapes/primitives.ts'

const WholeNumber = coerce(integer(), string(), (text) => (/^\d{1,9}$/.test(text) ? Number(text) : text))

/** A URL with one of these schemes, separated by `|`. */
const Url = (schemes: string) =>
  refine(pattern(string(), new RegExp(`^(${schemes})://[^\\s]+$`)), 'address', (text) => URL.canParse(text))

/** The variables of the payment providers. */
const PaymentVariables = type({
  PAYMENT: optional(PaymentProviderName),
  // Checks the prefixes, because the publishable key is sent to every browser.
  STRIPE_SECRET_KEY: optional(pattern(string(), /^[sr]k_\S{4,500}$/)),
  STRIPE_PUBLISHABLE_KEY: optional(pattern(string(), /^pk_\S{4,500}$/)),
  STRIPE_WEBHOOK_SECRET: optional(pattern(string(), /^whsec_\S{4,500}$/)),
  STRIPE_API_URL: optional(Url('https?')),
  STRIPE_CLIENT_ID: optional(pattern(string(), /^ca_\S{4,500}$/)),
})
type PaymentVariables = Infer<typeof PaymentVariables>

/** Every variable the server reads. Unknown variables belong to other programs and are ignored. */
const Variables = object({
  NODE_ENV: defaulted(enums(['production', 'development', 'test']), 'development'),
  PORT: defaulted(max(min(WholeNumber, 0), 65_535), 4600),
  HOST: optional(size(string(), 1, 255)),
  DATA_DIR: defaulted(size(string(), 1, 4096), '.data'),
  DATABASE_URL: optional(Url('postgres|postgresql')),
  PUBLIC_URL: optional(Url('https?')),
  TRUST_PROXY: defaulted(string(), 'false'),
  SECRET: optional(size(string(), 32, 1000)),
  LOG_LEVEL: defaulted(enums(['error', 'warn', 'info', 'silent']), 'info'),
  MAINTENANCE: defaulted(enums(['on', 'off']), 'off'),
  ...PaymentVariables.schema,
  PARTNER: optional(enums(['test', 'review', 'http'])),
  PARTNER_URL: optional(Url('https?')),
  PARTNER_TOKEN: optional(size(string(), 1, 4000)),
  TAX: defaulted(enums(['table', 'http']), 'table'),
  TAX_URL: optional(Url('https?')),
  TAX_TOKEN: optional(size(string(), 1, 4000)),
  ADDRESS: defaulted(enums(['rules', 'http']), 'rules'),
  ADDRESS_URL: optional(Url('https?')),
  ADDRESS_TOKEN: optional(size(string(), 1, 4000)),
  HOST_PROOF: optional(enums(['dns', 'test'])),
  MAIL: defaulted(enums(['log', 'smtp']), 'log'),
  SMTP_URL: optional(Url('smtps?')),
  MAIL_FROM: optional(size(string(), 3, 320)),
  REQUESTS_PER_MINUTE: optional(max(min(WholeNumber, 1), 100_000_000)),
  STUDIO_STORAGE_GB: optional(max(min(WholeNumber, 1), 1_000_000)),
  UNVERIFIED_STORAGE_GB: optional(max(min(WholeNumber, 1), 1_000_000)),
})

const anyOf = (values: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values)

/** What each variable must be, for error messages. */
export const variableRules: Record<keyof typeof Variables.schema, string> = {
  NODE_ENV: 'production, development or test',
  PORT: 'a port number, 0 to 65535',
  HOST: 'the name or address to listen on',
  DATA_DIR: 'a folder',
  DATABASE_URL: 'the address of a PostgreSQL, postgres://…',
  PUBLIC_URL: 'the address people open, https://…',
  TRUST_PROXY: 'true, false, a number of proxies, or their addresses separated by commas',
  SECRET: 'at least 32 characters no one else knows',
  LOG_LEVEL: 'error, warn, info or silent',
  MAINTENANCE: 'on or off',
  PAYMENT: anyOf(Object.values(PaymentProviderName.schema)),
  STRIPE_SECRET_KEY: 'the secret key of the platform’s Stripe account, sk_…',
  STRIPE_PUBLISHABLE_KEY: 'the publishable key of the platform’s Stripe account, pk_…',
  STRIPE_WEBHOOK_SECRET: 'the secret with which Stripe signs its events, whsec_…',
  STRIPE_API_URL: 'an address, https://…',
  STRIPE_CLIENT_ID: 'the client id of the platform in Stripe Connect, ca_…',
  PARTNER: 'test, review or http',
  PARTNER_URL: 'the address at which the partner verifies its customers, https://…',
  PARTNER_TOKEN: 'the token that identifies the platform to the partner',
  TAX: 'table or http',
  TAX_URL: 'the address of a tax service, https://…',
  TAX_TOKEN: 'the token of a tax service',
  ADDRESS: 'rules or http',
  ADDRESS_URL: 'the address of an address service, https://…',
  ADDRESS_TOKEN: 'the token of an address service',
  HOST_PROOF: 'dns or test',
  MAIL: 'log or smtp',
  SMTP_URL: 'the address of a mail server, smtp://… or smtps://…',
  MAIL_FROM: 'an email address, alone or as “Name <address>”',
  REQUESTS_PER_MINUTE: 'how many requests one address may send in a minute, 1 to 100000000',
  STUDIO_STORAGE_GB: 'a number of gigabytes, 1 to 1000000',
  UNVERIFIED_STORAGE_GB: 'a number of gigabytes, 1 to 1000000',
}

const presentVariables = (env: Record<string, string | undefined>): Record<string, string> => {
  const entries = Object.keys(variableRules).map((name) => [name, env[name]?.trim()] as const)
  return Object.fromEntries(entries.filter((pair): pair is readonly [string, string] => Boolean(pair[1])))
}

/** An invalid setting that stops the start; its message is the single line to print. */
export class InvalidSetting extends Error {
  override name = 'InvalidSetting'
}

/** Variables whose value no error message may contain. */
const secretPaymentVariables = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const

/** Reads and validates the variables. Throws `InvalidSetting`. */
export const readVariables = (env: Record<string, string | undefined>) => {
  try {
    return create(presentVariables(env), Variables)
  } catch (error) {
    if (!(error instanceof StructError)) throw error
    const name = String(error.path[0]) as keyof typeof variableRules // the struct has no other keys
    // A secret must not be printed to a terminal or a log.
    const currentValue = [
      'SECRET',
      ...secretPaymentVariables,
      'DATABASE_URL',
      'SMTP_URL',
      'TAX_URL',
      'TAX_TOKEN',
      'PARTNER_URL',
      'PARTNER_TOKEN',
      'ADDRESS_URL',
      'ADDRESS_TOKEN',
    ].includes(name)
      ? ''
      : `; it is "${error.value}"`
    throw new InvalidSetting(`${name} must be ${variableRules[name]}${currentValue}.`)
  }
}

export type ParsedVariables = ReturnType<typeof readVariables>

const requiredVariable = (variables: PaymentVariables, name: (typeof secretPaymentVariables)[number]): string => {
  const value = variables[name]
  if (value === undefined) {
    throw new InvalidSetting(`${name} must be ${variableRules[name]}: PAYMENT=${variables.PAYMENT} needs it.`)
  }
  return value
}

/** Builds the settings of each provider; one entry for each. */
const settingsByProvider = {
  test: () => ({ adapter: 'test' }),
  stripe: (variables) => ({
    adapter: 'stripe',
    secretKey: requiredVariable(variables, 'STRIPE_SECRET_KEY'),
    publishableKey: requiredVariable(variables, 'STRIPE_PUBLISHABLE_KEY'),
    webhookSecret: requiredVariable(variables, 'STRIPE_WEBHOOK_SECRET'),
    /** Base URL of the API; undefined for Stripe itself. */
    apiUrl: variables.STRIPE_API_URL,
    /** Stripe Connect client id; undefined if studios cannot connect accounts. */
    clientId: variables.STRIPE_CLIENT_ID,
  }),
} satisfies { [Name in PaymentProviderName]: (variables: PaymentVariables) => { adapter: Name } }

export type PaymentSettings = Readonly<ReturnType<(typeof settingsByProvider)[PaymentProviderName]>>

/** The settings of the configured provider. Throws `InvalidSetting` if a variable is missing. */
export const paymentSettingsOf = (variables: PaymentVariables): PaymentSettings =>
  settingsByProvider[variables.PAYMENT ?? 'test'](variables)
